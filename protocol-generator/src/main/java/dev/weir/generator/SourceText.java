package dev.weir.generator;

/** Java source under construction; keeps the indentation. */
final class SourceText {
  private static final String STEP = "  ";

  private final StringBuilder text = new StringBuilder();
  private int depth;

  void line(String line) {
    if (!line.isEmpty()) {
      text.repeat(STEP, depth).append(line);
    }
    text.append('\n');
  }

  void blank() {
    line("");
  }

  /** Writes the line, which ends with an opening brace, and indents what follows. */
  void open(String line) {
    line(line);
    depth++;
  }

  void close() {
    close("}");
  }

  void close(String line) {
    depth--;
    line(line);
  }

  /** Ends one branch and opens the next, as in {@code } else \{}. */
  void reopen(String line) {
    depth--;
    line(line);
    depth++;
  }

  /** Emits the body where the version is a member: bare, within an {@code if}, or not at all. */
  void when(Membership membership, Runnable body) {
    switch (membership) {
      case Membership.Always _ -> body.run();
      case Membership.Never _ -> {}
      case Membership.Sometimes(String test) -> {
        open("if (" + test + ") {");
        body.run();
        close();
      }
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
