package dev.weir.node.cli;

import picocli.CommandLine.Option;

/** Where the node's Kafka face is; shared by the commands that talk to it. */
final class KafkaOptions {
  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9092",
      description = "the node's Kafka address (default: ${DEFAULT-VALUE})",
      converter = HostPortConverter.class)
  @SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
  private HostPort address;

  KafkaClient connect() {
    return new KafkaClient(address);
  }
}
