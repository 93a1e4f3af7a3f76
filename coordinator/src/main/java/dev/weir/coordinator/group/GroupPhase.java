package dev.weir.coordinator.group;

import org.pcollections.PSet;

/**
 * Where a group is in its life. A group that does not exist is called {@link #DEAD} where a name is
 * asked for: no group is ever held in that state.
 */
sealed interface GroupPhase {
  /** The name that a group has which does not exist. */
  String DEAD = "Dead";

  /** No members. Members may have announced themselves, and offsets may be committed. */
  record Empty() implements GroupPhase {}

  /**
   * A generation is to begin: the members are awaited.
   *
   * @param awaited members whose JoinGroup has not come yet; all others wait for the answer
   */
  record PreparingRebalance(PSet<String> awaited) implements GroupPhase {}

  /**
   * A generation has begun: the leader's assignment is awaited.
   *
   * @param unsynced members whose SyncGroup has not come yet
   */
  record CompletingRebalance(PSet<String> unsynced) implements GroupPhase {}

  /**
   * The members have their assignment, or get it when they ask.
   *
   * @param unsynced members whose SyncGroup has not come yet
   */
  record Stable(PSet<String> unsynced) implements GroupPhase {}

  /** The name that clients know it by. */
  default String displayName() {
    return switch (this) {
      case Empty _ -> "Empty";
      case PreparingRebalance _ -> "PreparingRebalance";
      case CompletingRebalance _ -> "CompletingRebalance";
      case Stable _ -> "Stable";
    };
  }
}
