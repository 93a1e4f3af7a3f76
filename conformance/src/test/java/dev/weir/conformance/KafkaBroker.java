package dev.weir.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Apache Kafka itself, broker and controller in one process: the other owner of a data directory.
 * Listens on ports that the system picks. Ends with the test, whatever happens.
 */
final class KafkaBroker implements KafkaServer {
  /** As the acceptors say it; the broker's is the last of them, after the controller's. */
  private static final Pattern LISTENS =
      Pattern.compile("Awaiting socket connections on (?<address>127\\.0\\.0\\.1:\\d+)\\.");

  private static final String STARTED = "Kafka Server started";

  /** A clean stop waits for the controller, which may be busy with the metadata log. */
  private static final long STOP_SECONDS_MAX = 60;

  private final Process process;
  private final Path log;
  private final String kafka;

  private KafkaBroker(Process process, Path log, String kafka) {
    this.process = process;
    this.log = log;
    this.kafka = kafka;
  }

  /** Starts a broker over a data directory, which it formats if it is new. */
  static KafkaBroker start(Path data) {
    return startOn("127.0.0.1:0", data);
  }

  /** The same, where clients already look for it. */
  static KafkaBroker startOn(String kafka, Path data) {
    try {
      Path around = data.toAbsolutePath().getParent();
      Path config =
          Files.writeString(
              Files.createTempFile(around, "kafka", ".properties"), config(kafka, data));
      if (!Files.exists(data.resolve("meta.properties"))) {
        List<String> _ =
            KafkaPeer.run(
                "kafka.tools.StorageTool",
                List.of(
                    "format", "--standalone", "-t", "AAAAAAAAAAAAAAAAAAAAEQ", "-c", config + ""));
      }
      Path log = Files.createTempFile(around, "kafka", ".log");
      Process process =
          new ProcessBuilder(
                  KafkaPeer.command(
                      "kafka.Kafka",
                      List.of(KafkaPeer.logLevel("info")),
                      List.of(config.toString())))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new KafkaBroker(process, log, awaitAddress(process, log));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String config(String kafka, Path data) {
    return """
    process.roles=broker,controller
    node.id=1
    # A quorum of one asks nobody who else there is.
    controller.quorum.bootstrap.servers=127.0.0.1:9
    listeners=PLAINTEXT://%s,CONTROLLER://127.0.0.1:0
    inter.broker.listener.name=PLAINTEXT
    controller.listener.names=CONTROLLER
    listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
    log.dirs=%s
    offsets.topic.replication.factor=1
    offsets.topic.num.partitions=1
    transaction.state.log.replication.factor=1
    transaction.state.log.num.partitions=1
    transaction.state.log.min.isr=1
    group.initial.rebalance.delay.ms=0
    # It waits for the end of a session that it knows nothing of the end of, as after a kill.
    broker.session.timeout.ms=2000
    broker.heartbeat.interval.ms=300
    log.cleaner.backoff.ms=100
    log.initial.task.delay.ms=500
    """
        .formatted(kafka, data.toAbsolutePath());
  }

  private static String awaitAddress(Process process, Path log) {
    try {
      return Eventually.gives(
          "a broker of Apache Kafka that is ready", () -> addressOf(process, log));
    } catch (AssertionError e) {
      process.destroyForcibly();
      throw new AssertionError(e.getMessage() + "; its log: " + read(log), e);
    }
  }

  private static Optional<String> addressOf(Process process, Path log) {
    boolean ended = !process.isAlive();
    String said = read(log);
    if (said.contains(STARTED)) {
      return LISTENS
          .matcher(said)
          .results()
          .map((MatchResult result) -> result.group("address"))
          .reduce((_, later) -> later);
    }
    if (ended) {
      throw new AssertionError("the broker of Apache Kafka ended");
    }
    return Optional.empty();
  }

  @Override
  public String kafka() {
    return kafka;
  }

  @Override
  public int terminate() {
    process.destroy();
    awaitEnd();
    return process.exitValue();
  }

  /** Everything the broker has logged so far. */
  String log() {
    return read(log);
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitEnd() {
    Ending.await(process, STOP_SECONDS_MAX, "Apache Kafka", this::log);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    awaitEnd();
  }
}
