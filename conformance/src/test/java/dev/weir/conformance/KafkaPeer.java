package dev.weir.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Apache Kafka's broker and tools as Maven has them, in a folder of their own: they run in
 * processes, so that nothing of theirs mixes with the class path of the tests.
 */
final class KafkaPeer {
  private static final int HEAP_MB = 512;

  private KafkaPeer() {}

  /** The command that runs a class of Kafka's. */
  static List<String> command(String mainClass, List<String> jvmOptions, List<String> arguments) {
    Path lib = Path.of(System.getProperty("weir.root"), "kafka-peer", "target", "lib");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1", // short lives: the second compiler would not pay
            "-Xmx" + HEAP_MB + "m",
            "-cp",
            lib.resolve("*").toString()));
    command.addAll(jvmOptions);
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  /**
   * Runs a tool to its end.
   *
   * @return the lines of standard output and standard error
   * @throws AssertionError if it fails
   */
  static List<String> run(String mainClass, List<String> arguments) {
    try {
      Path output = Files.createTempFile("kafka-tool", ".out");
      Process process =
          new ProcessBuilder(command(mainClass, List.of(logLevel("error")), arguments))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(Eventually.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(mainClass + " does not end: " + Files.readString(output));
      }
      List<String> lines = Files.readAllLines(output);
      Files.delete(output);
      if (process.exitValue() != 0) {
        throw new AssertionError(
            mainClass + " ended with " + process.exitValue() + ": " + String.join("\n", lines));
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** How much a process of Kafka's logs. */
  static String logLevel(String level) {
    return "-Dorg.slf4j.simpleLogger.defaultLogLevel=" + level;
  }
}
