package dev.weir.conformance;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node in a process of its own, as a user starts it: what kill -9 and restarts are tested on.
 * Listens on ports that the system picks. Ends with the test, whatever happens.
 */
final class NodeProcess implements KafkaServer {
  private static final Pattern READY =
      Pattern.compile("kafka=(?<kafka>\\S+:\\d+) http=(?<http>\\S+:\\d+)");
  private static final long READY_SECONDS_MAX = 60;
  private static final long STOP_SECONDS_MAX = 20;

  /** Exit code of a process that ended on SIGTERM, as the JVM and the shells have it. */
  static final int ENDED_BY_SIGTERM = 128 + 15;

  private static final int HEAP_MB = 512;

  private static final String ANY_PORT = "127.0.0.1:0";

  private final Process process;
  private final Path log;
  private final String kafka;
  private final String http;

  private NodeProcess(Process process, Path log, String kafka, String http) {
    this.process = process;
    this.log = log;
    this.kafka = kafka;
    this.http = http;
  }

  /**
   * Starts a node over a data directory and waits until it is ready.
   *
   * @throws AssertionError with the node's log if it does not come up
   */
  static NodeProcess start(Path data, String... options) {
    return startOn(ANY_PORT, data, options);
  }

  /** The same, with the Kafka face where clients already look for it. */
  static NodeProcess startOn(String kafka, Path data, String... options) {
    try {
      Path log = Files.createTempFile(data.toAbsolutePath().getParent(), "node", ".log");
      return awaitReady(launch(data, log, new Setup(HEAP_MB, kafka, ANY_PORT), options), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same, with so little memory. */
  static NodeProcess startWithHeap(int heapMb, Path data, String... options) {
    try {
      Path log = Files.createTempFile(data.toAbsolutePath().getParent(), "node", ".log");
      return awaitReady(launch(data, log, new Setup(heapMb, ANY_PORT, ANY_PORT), options), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a node that is expected to refuse; gives its exit code and what it wrote. */
  static Refusal startRefused(Path data, String kafka, String http, String... options) {
    try {
      Path log = Files.createTempFile("node", ".log");
      Process process = launch(data, log, new Setup(HEAP_MB, kafka, http), options);
      process.getOutputStream().close();
      if (!process.waitFor(READY_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the node did not end; its log: " + Files.readString(log));
      }
      String output = Files.readString(log);
      Files.delete(log);
      return new Refusal(process.exitValue(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** How a node ended that did not start. */
  record Refusal(int exitCode, String output) {}

  /** What the process is given besides its data. */
  private record Setup(int heapMb, String kafka, String http) {}

  private static Process launch(Path data, Path log, Setup setup, String... options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--add-modules",
            "jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-ea:dev.weir...",
            "-Xmx" + setup.heapMb() + "m",
            "-cp",
            classPath(),
            "dev.weir.node.Main",
            "start",
            "--data",
            data.toString(),
            "--kafka",
            setup.kafka(),
            "--http",
            setup.http()));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectError(log.toFile()).start();
  }

  /** Normally the jars of the node as they are shipped; a property names other classes to try. */
  static String classPath() throws IOException {
    String given = System.getProperty("weir.classpath");
    if (given != null) {
      return given;
    }
    Path lib = Path.of(System.getProperty("weir.root"), "node", "target", "lib");
    try (Stream<Path> jars = Files.list(lib)) {
      return jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static NodeProcess awaitReady(Process process, Path log) throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = firstLine(out);
    Matcher ready = READY.matcher(line == null ? "" : line);
    if (!ready.find()) {
      process.destroyForcibly();
      throw new AssertionError(
          "no ready line, but '" + line + "'; the node's log: " + Files.readString(log));
    }
    return new NodeProcess(process, log, ready.group("kafka"), ready.group("http"));
  }

  /** Null when there is none within the time that a start may take. */
  private static @Nullable String firstLine(BufferedReader out) {
    FutureTask<@Nullable String> reading = new FutureTask<>(out::readLine);
    Thread.ofVirtual().start(reading);
    try {
      return reading.get(READY_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException _) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public String kafka() {
    return kafka;
  }

  /** Address of the HTTP face, HOST:PORT. */
  String http() {
    return http;
  }

  long pid() {
    return process.pid();
  }

  /** Everything the node has logged so far. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kill -9: the process gets no chance to do anything. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  @Override
  public int terminate() {
    process.destroy();
    awaitEnd();
    return process.exitValue();
  }

  private void awaitEnd() {
    Ending.await(process, STOP_SECONDS_MAX, "the node", this::log);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    awaitEnd();
  }
}
