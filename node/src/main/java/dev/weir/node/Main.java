package dev.weir.node;

import dev.weir.node.cli.CommandFailure;
import dev.weir.node.cli.ConsumeCommand;
import dev.weir.node.cli.DumpLogCommand;
import dev.weir.node.cli.IndexCommand;
import dev.weir.node.cli.ProduceCommand;
import dev.weir.node.cli.SearchCommand;
import dev.weir.node.cli.Terminal;
import dev.weir.node.cli.TopicCommand;
import java.io.InputStream;
import java.time.Clock;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. Exit codes: 0 done, 1 failed, 2 the command line itself is wrong. */
@Command(
    name = "weir",
    description = "One log with two faces: an event log and a hybrid search engine.",
    mixinStandardHelpOptions = true)
public final class Main {
  private static final int FAILED = 1;

  private Main() {}

  /** Runs one command and exits with its code. */
  @Outside
  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  @Outside
  static int execute(String... arguments) {
    return commandLine(Clock.systemUTC(), System.in).execute(arguments);
  }

  /**
   * All commands.
   *
   * @param input what is produced
   */
  static CommandLine commandLine(Clock clock, InputStream input) {
    return new CommandLine(new Main())
        .addSubcommand(new StartCommand(clock))
        .addSubcommand(new TrainCommand(clock))
        .addSubcommand(new TopicCommand())
        .addSubcommand(new ProduceCommand(clock, input))
        .addSubcommand(new ConsumeCommand())
        .addSubcommand(new IndexCommand())
        .addSubcommand(new SearchCommand())
        .addSubcommand(
            new DumpLogCommand(Terminal.named(System.getProperty(Terminal.PROPERTY, ""))))
        .addSubcommand(new VersionCommand())
        .setExecutionExceptionHandler(Main::report);
  }

  /**
   * One line for what a user can mend. Anything else is a defect, and its whole trace is wanted.
   */
  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    switch (failure) {
      case CommandFailure told -> {
        command.getErr().println("weir: " + told.getMessage());
        return told.exitCode();
      }
      case StartFailure told -> command.getErr().println("weir: " + told.getMessage());
      default -> failure.printStackTrace(command.getErr());
    }
    return FAILED;
  }
}
