package dev.weir.coordinator.group;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A member of a group.
 *
 * @param client as its latest first JoinGroup said
 * @param terms as its latest JoinGroup said
 * @param assignment what the leader gave it in the current generation; empty before
 * @param waiting the request of the member that is still to be answered
 */
record Member(
    String id,
    @Nullable String instanceId,
    Client client,
    JoinTerms terms,
    Blob assignment,
    Waiting waiting) {

  /** The request of a member that waits for the others. */
  sealed interface Waiting {
    /** None. */
    record ForNothing() implements Waiting {}

    /** A JoinGroup, for the next generation to begin. */
    record ForJoin(long replyTo, Tenure tenure) implements Waiting {}

    /** A SyncGroup, for the leader's assignment. */
    record ForSync(long replyTo) implements Waiting {}
  }

  /** Whether a member that joins has ever been told its member id as a member. */
  enum Tenure {
    /** No: it can't send heartbeats, so its JoinGroup itself times out. */
    NEW,
    /** Yes: its waiting JoinGroup stands for its heartbeats. */
    KNOWN
  }

  static final Waiting NOTHING = new Waiting.ForNothing();

  boolean isStatic() {
    return instanceId != null;
  }

  boolean supports(String protocol) {
    return terms.protocols().stream().anyMatch(p -> p.name().equals(protocol));
  }

  /** The member's metadata for a protocol; empty where it does not know the protocol. */
  Blob metadata(@Nullable String protocol) {
    Optional<MemberProtocol> known =
        terms.protocols().stream().filter(p -> p.name().equals(protocol)).findFirst();
    return known.map(MemberProtocol::metadata).orElse(Blob.EMPTY);
  }

  /** Whether these are the protocols, in order and with the metadata, that the member has. */
  boolean offers(List<MemberProtocol> protocols) {
    return terms.protocols().equals(protocols);
  }

  Member withWaiting(Waiting value) {
    return new Member(id, instanceId, client, terms, assignment, value);
  }

  Member withAssignment(Blob value) {
    return new Member(id, instanceId, client, terms, value, waiting);
  }

  Member withTerms(JoinTerms value) {
    return new Member(id, instanceId, client, value, assignment, waiting);
  }
}
