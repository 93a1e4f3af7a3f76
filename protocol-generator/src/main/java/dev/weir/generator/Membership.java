package dev.weir.generator;

/** Whether the version at hand is in a range, as far as it is known when the code is emitted. */
sealed interface Membership {
  record Always() implements Membership {}

  record Never() implements Membership {}

  /** Decided at run time by a Java expression over {@code short version}. */
  record Sometimes(String test) implements Membership {}
}
