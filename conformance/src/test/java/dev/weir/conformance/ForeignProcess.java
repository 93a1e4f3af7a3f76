package dev.weir.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A client in another language, as a process: what it is given on standard input, and the lines
 * that it prints.
 */
final class ForeignProcess implements AutoCloseable {
  private final String name;
  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private ForeignProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.reader = new Thread(this::read, "output of " + name);
  }

  /** Skips the test, by the client's name, unless the clients that are not Java are wanted. */
  static void assumeWanted(String client) {
    Assumptions.assumeTrue(
        Boolean.getBoolean("weir.foreign"), client + " runs with ./weir test --all");
  }

  /** Starts a program; what it says on standard error goes to the tests' own. */
  static ForeignProcess start(String... command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      ForeignProcess started = new ForeignProcess(command[0], process);
      started.reader.start();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + List.of(command), e);
    }
  }

  /** Runs a program to its end; gives what it printed. */
  static List<String> run(List<String> input, String... command) {
    try (ForeignProcess process = start(command)) {
      process.give(input);
      return process.end();
    }
  }

  /** A script in the folder of clients. */
  static String script(String name) {
    return Path.of(System.getProperty("weir.root"), "conformance", "clients", name).toString();
  }

  /** What has been printed so far. */
  List<String> lines() {
    return new ArrayList<>(lines);
  }

  private void give(List<String> input) {
    try {
      for (String line : input) {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(name + " does not read its input", e);
    }
  }

  /**
   * Ends the input, waits for the end, and gives all that was printed.
   *
   * @throws AssertionError if the program fails
   */
  List<String> end() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(Eventually.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(name + " does not end; it has printed " + lines);
      }
      reader.join(Eventually.PATIENCE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(
          name + " ended with " + process.exitValue() + "; it has printed " + lines);
    }
    return lines();
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("output broke off: " + e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
