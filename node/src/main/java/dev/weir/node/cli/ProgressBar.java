package dev.weir.node.cli;

import java.io.PrintWriter;

/**
 * A line that grows in place on a terminal, redrawn at each percent. Not thread-safe.
 *
 * <p>{@code 00000000000000000000.log [########------------] 42%}
 */
final class ProgressBar implements AutoCloseable {
  /** Smaller files are read before anybody could look at a bar. */
  static final long WORTH_IT_BYTES = 100L << 20;

  private static final int CELLS = 20;
  private static final int ALL_PERCENT = 100;

  private final PrintWriter terminal;
  private final String name;
  private final long sizeBytes;
  private int shownPercent = -1;
  private int width;

  /** Shows nothing before the first move. */
  ProgressBar(PrintWriter terminal, String name, long sizeBytes) {
    this.terminal = terminal;
    this.name = name;
    this.sizeBytes = sizeBytes;
  }

  /** Moves to a position; a file may grow while it is read. */
  void moveTo(long positionBytes) {
    int percent =
        (int) Math.clamp(positionBytes * (double) ALL_PERCENT / sizeBytes, 0, ALL_PERCENT);
    if (percent == shownPercent) {
      return;
    }
    shownPercent = percent;
    int full = percent * CELLS / ALL_PERCENT;
    String line = name + " [" + "#".repeat(full) + "-".repeat(CELLS - full) + "] " + percent + "%";
    width = Math.max(width, line.length());
    terminal.print("\r" + line);
    terminal.flush();
  }

  /** Takes the bar off the terminal; the next move shows it again. */
  void hide() {
    if (shownPercent >= 0) {
      terminal.print("\r" + " ".repeat(width) + "\r");
      terminal.flush();
      shownPercent = -1;
    }
  }

  @Override
  public void close() {
    hide();
  }
}
