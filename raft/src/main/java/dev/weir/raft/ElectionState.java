package dev.weir.raft;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * What a voter must not forget: one vote an epoch, and epochs that never go back.
 *
 * @param epoch 0 before the first election
 * @param leader of the epoch, once known
 * @param vote whom this voter has voted for in the epoch
 */
record ElectionState(int epoch, OptionalInt leader, Optional<Vote> vote) {

  record Vote(int id, UUID directoryId) {}

  static final ElectionState NONE = new ElectionState(0, OptionalInt.empty(), Optional.empty());

  static ElectionState voted(int epoch, Voter candidate) {
    return new ElectionState(
        epoch, OptionalInt.empty(), Optional.of(new Vote(candidate.id(), candidate.directoryId())));
  }

  ElectionState withLeader(int leaderId) {
    return new ElectionState(epoch, OptionalInt.of(leaderId), vote);
  }
}
