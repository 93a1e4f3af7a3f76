package dev.weir.node.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files that a command line names. */
final class InputFile {
  private InputFile() {}

  /**
   * Refuses a file that cannot be read, before anything is begun.
   *
   * @param name of the option or parameter, as the user knows it
   * @throws CommandFailure with exit code 2
   */
  static void require(String name, Path file) {
    String problem =
        !Files.exists(file)
            ? "there is no such file"
            : Files.isDirectory(file)
                ? "that is a folder"
                : Files.isReadable(file) ? null : "that file may not be read";
    if (problem != null) {
      throw CommandFailure.ofArgument(name + " names " + file + ": " + problem);
    }
  }
}
