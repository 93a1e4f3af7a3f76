package dev.weir.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The launcher prints the options of a command from a file, so that nobody waits for a build to be
 * told them. {@code -Dweir.rewrite=true} writes the file anew.
 */
final class HelpTest {
  private static final Path FILE = Path.of("..", "build", "help.txt");

  @Test
  void fileOfTheLauncherSaysWhatTheCommandsSay() throws IOException {
    StringBuilder help = new StringBuilder();
    CommandLine all = Main.commandLine(Clock.systemUTC(), InputStream.nullInputStream());
    all.getSubcommands().forEach((name, command) -> append(help, name, command));
    if (Boolean.getBoolean("weir.rewrite")) {
      Files.writeString(FILE, help.toString());
    }
    assertThat(Files.readString(FILE))
        .as("build/help.txt; -Dweir.rewrite=true writes it anew")
        .isEqualTo(help.toString());
  }

  private static void append(StringBuilder help, String name, CommandLine command) {
    if (command.getCommandSpec().usageMessage().hidden()) {
      return;
    }
    help.append("== ").append(name).append('\n');
    help.append(command.getUsageMessage(Ansi.OFF).replace(System.lineSeparator(), "\n"));
    command.getSubcommands().forEach((inner, one) -> append(help, name + " " + inner, one));
  }
}
