package dev.weir.node.cli;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Streams of the process that may be terminals. */
public enum Terminal {
  OUT,
  ERR;

  /** Where the launcher, which alone can ask, says which of them are: {@code out,err}. */
  public static final String PROPERTY = "weir.terminals";

  /** Reads the launcher's word; names that are unknown say nothing. */
  public static Set<Terminal> named(String text) {
    List<String> names = List.of(text.split(",", -1));
    Set<Terminal> terminals = EnumSet.noneOf(Terminal.class);
    if (names.contains("out")) {
      terminals.add(OUT);
    }
    if (names.contains("err")) {
      terminals.add(ERR);
    }
    return terminals;
  }
}
