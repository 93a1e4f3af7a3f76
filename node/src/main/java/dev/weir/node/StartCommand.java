package dev.weir.node;

import dev.weir.node.cli.HostPort;
import dev.weir.node.cli.HostPortConverter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir start}: runs a node until it is told to stop. */
@Command(
    name = "start",
    description = "Start a node; SIGTERM or Ctrl-C stops it.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
final class StartCommand implements Callable<Integer> {
  /** Exit code of a node that had to end; others are 0, 1 (did not start) and 143 (SIGTERM). */
  private static final int FATAL = 3;

  private final InstantSource clock;

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "the data directory, made on first start (default: ./data)")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "where the Kafka face listens (default: 127.0.0.1:9092)",
      converter = HostPortConverter.class)
  private Optional<HostPort> kafka = Optional.empty();

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "where the HTTP face listens (default: 127.0.0.1:9200)",
      converter = HostPortConverter.class)
  private Optional<HostPort> http = Optional.empty();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "properties under Kafka's names; options go before them")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--log",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "form of the log on standard error (default: ${DEFAULT-VALUE})")
  private LogForm log;

  /** How the log reads. */
  enum LogForm {
    text,
    json
  }

  StartCommand(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() throws InterruptedException {
    System.setProperty(LogConfigurator.FORMAT_PROPERTY, log.name());
    NodeConfig config = NodeConfig.of(new NodeConfig.CommandLineOptions(data, kafka, http, file));
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
    Thread.setDefaultUncaughtExceptionHandler(StartCommand::endOnDefect);
    Node node = Node.start(config, clock, () -> Runtime.getRuntime().halt(FATAL));
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  node.close();
                  stopped.countDown();
                },
                "weir-stop"));
    spec.commandLine()
        .getOut()
        .println(
            "weir is ready: kafka="
                + node.kafkaAddress()
                + " http="
                + node.httpAddress()
                + " data="
                + config.data().toAbsolutePath().normalize());
    spec.commandLine().getOut().flush();
    stopped.await();
    return 0;
  }

  /**
   * Ends the process where a thread died of something that nobody foresaw: a false assertion, no
   * memory, or a thread of the log gone. To go on would spread the damage, and what is acknowledged
   * is in the log; a restart recovers it.
   */
  private static void endOnDefect(Thread thread, Throwable defect) {
    LoggerFactory.getLogger(StartCommand.class)
        .error("the node ends, since thread={} died", thread.getName(), defect);
    Runtime.getRuntime().halt(FATAL);
  }
}
