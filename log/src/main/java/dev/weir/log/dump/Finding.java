package dev.weir.log.dump;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Something about a file that a reader should know.
 *
 * @param position byte in the file, where there is one
 * @param text what is there, what was expected, and what helps
 */
public record Finding(Weight weight, Path file, OptionalLong position, String text) {
  /** How bad it is. */
  public enum Weight {
    /** The file contradicts its format, or another file. */
    PROBLEM,
    /** It may be as it should be, and damage could look the same. */
    NOTE
  }
}
