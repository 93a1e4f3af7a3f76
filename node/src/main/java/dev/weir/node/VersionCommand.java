package dev.weir.node;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir version}: prints the version. */
@Command(name = "version", description = "Print the version.", mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** Weir's version, as the jar tells it. */
  static String version() {
    String version = VersionCommand.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  @Override
  public Integer call() {
    spec.commandLine().getOut().println("weir " + version() + " (java " + Runtime.version() + ")");
    return 0;
  }
}
