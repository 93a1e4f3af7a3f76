package dev.weir.conformance;

/** A server that speaks the Kafka protocol, in a process of its own: ours, or Apache Kafka's. */
interface KafkaServer extends AutoCloseable {
  /** Address of the Kafka face, HOST:PORT. */
  String kafka();

  /**
   * SIGTERM, as a service is stopped.
   *
   * @return the exit code
   */
  int terminate();

  /** Kills what still runs. */
  @Override
  void close();
}
