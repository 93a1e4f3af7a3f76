package dev.weir.search.document;

/** When searches see a write. */
public enum RefreshPolicy {
  /** Within the refresh interval; the write is answered when it is committed. */
  NONE,
  /** At once; the write is answered when searches see it ({@code true}). */
  IMMEDIATE,
  /** The write is answered when searches see it ({@code wait_for}). */
  WAIT_FOR
}
