package dev.weir.log.dump;

import java.nio.file.Path;
import java.util.OptionalLong;

/** What is found in one file, passed on up to a bound. One thread. */
final class Findings {
  /** Findings of one file that are told; who reads a hundred knows that the file is lost. */
  static final int FINDINGS_MAX = 100;

  private final Path file;
  private final DumpSink sink;
  private long problems;
  private long notes;

  Findings(Path file, DumpSink sink) {
    this.file = file;
    this.sink = sink;
  }

  void problem(long position, String text) {
    problems++;
    tell(Finding.Weight.PROBLEM, problems, OptionalLong.of(position), text);
  }

  /** A problem whose text has its own place, such as a line. */
  void problem(String text) {
    problems++;
    tell(Finding.Weight.PROBLEM, problems, OptionalLong.empty(), text);
  }

  void note(long position, String text) {
    notes++;
    tell(Finding.Weight.NOTE, notes, OptionalLong.of(position), text);
  }

  private void tell(Finding.Weight weight, long count, OptionalLong position, String text) {
    if (count <= FINDINGS_MAX) {
      sink.finding(new Finding(weight, file, position, text));
    } else if (count == FINDINGS_MAX + 1) {
      sink.finding(
          new Finding(
              weight, file, position, "more than " + FINDINGS_MAX + ", the others are not shown"));
    }
  }

  /** How many problems there were, told or not. */
  long problems() {
    return problems;
  }

  /** Whether so many are told that looking on has no use. */
  boolean isFull() {
    return problems > FINDINGS_MAX;
  }
}
