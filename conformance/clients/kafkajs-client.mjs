// kafkajs against a node:
//   produce BOOTSTRAP TOPIC         sends each line KEY<tab>VALUE of the input as a record
//   consume BOOTSTRAP TOPIC GROUP   prints each record as PARTITION<tab>OFFSET<tab>KEY<tab>VALUE,
//                                   as a member of the group, until the input ends
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { Kafka, logLevel } from 'kafkajs';

const [command, bootstrap, topic, group] = process.argv.slice(2);
const kafka = new Kafka({ clientId: 'kafkajs', brokers: [bootstrap], logLevel: logLevel.ERROR });

async function produce() {
  const messages = [];
  for await (const line of createInterface({ input: process.stdin })) {
    const [key, value] = line.split('\t');
    messages.push({ key, value, headers: { client: 'kafkajs' } });
  }
  const producer = kafka.producer({ idempotent: true });
  await producer.connect();
  await producer.send({ topic, messages, acks: -1 });
  await producer.disconnect();
}

async function consume() {
  const consumer = kafka.consumer({ groupId: group, heartbeatInterval: 300 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ partition, message }) => {
      const cells = [partition, message.offset, message.key, message.value];
      process.stdout.write(cells.join('\t') + '\n');
    },
  });
  process.stdin.resume();
  await once(process.stdin, 'end');
  await consumer.disconnect();
}

await { produce, consume }[command]();
