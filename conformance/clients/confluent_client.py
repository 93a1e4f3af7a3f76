"""confluent_kafka against a node:

produce BOOTSTRAP TOPIC         sends each line KEY<tab>VALUE of the input as a record
consume BOOTSTRAP TOPIC GROUP   prints each record as PARTITION<tab>OFFSET<tab>KEY<tab>VALUE,
                                as a member of the group, until the input ends
"""

import sys
import threading

from confluent_kafka import Consumer, KafkaException, Producer


def produce(bootstrap, topic):
    failures = []

    def delivered(error, _):
        if error is not None:
            failures.append(error)

    producer = Producer({"bootstrap.servers": bootstrap, "enable.idempotence": True})
    for line in sys.stdin:
        key, value = line.rstrip("\n").split("\t")
        producer.produce(
            topic,
            key=key,
            value=value,
            headers={"client": "confluent_kafka"},
            on_delivery=delivered,
        )
    left = producer.flush(60)
    if failures or left:
        sys.exit(f"not delivered: {failures} and {left} more")


def consume(bootstrap, topic, group):
    input_ended = threading.Event()

    def await_end():
        sys.stdin.read()
        input_ended.set()

    threading.Thread(target=await_end, daemon=True).start()
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "heartbeat.interval.ms": 300,
        }
    )
    consumer.subscribe([topic])
    while not input_ended.is_set():
        message = consumer.poll(0.1)
        if message is None:
            continue
        if message.error():
            raise KafkaException(message.error())
        cells = [
            message.partition(),
            message.offset(),
            message.key().decode(),
            message.value().decode(),
        ]
        print(*cells, sep="\t", flush=True)
    consumer.close()


if __name__ == "__main__":
    {"produce": produce, "consume": consume}[sys.argv[1]](*sys.argv[2:])
