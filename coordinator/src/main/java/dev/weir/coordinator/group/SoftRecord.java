package dev.weir.coordinator.group;

/**
 * A change that is not written: who waits, who has announced itself, how far a rebalance is. A
 * coordinator that takes over does without, as members rejoin.
 */
sealed interface SoftRecord extends GroupRecord {
  /** The group is this now. */
  record GroupChanged(ClassicGroup group) implements SoftRecord {}

  /** The group, which was never written, is gone. */
  record GroupForgotten(String groupId) implements SoftRecord {}
}
