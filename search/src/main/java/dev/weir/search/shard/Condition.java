package dev.weir.search.shard;

/** What must hold for a write to go through; decided against everything appended before it. */
public sealed interface Condition {

  /** Nothing. */
  record None() implements Condition {}

  /** There is no such document. */
  record Absent() implements Condition {}

  /** The document is the one that this record made. */
  record At(long seqNo, long primaryTerm) implements Condition {}

  /** The version is given from outside, and above the one known, of a deleted document too. */
  record ExternalAbove(long version) implements Condition {}

  /** The version is given from outside, and not below the one known, of a deleted document too. */
  record ExternalAtLeast(long version) implements Condition {}

  /** No condition. */
  Condition NONE = new None();

  /** Only where there is no such document. */
  Condition ABSENT = new Absent();
}
