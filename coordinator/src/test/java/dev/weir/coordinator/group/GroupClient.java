package dev.weir.coordinator.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.coordinator.group.GroupCommand.Heartbeat;
import dev.weir.coordinator.group.GroupCommand.Join;
import dev.weir.coordinator.group.GroupCommand.JoinStyle;
import dev.weir.coordinator.group.GroupCommand.Leave;
import dev.weir.coordinator.group.GroupCommand.Sync;
import dev.weir.coordinator.group.GroupReply.Assigning;
import dev.weir.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A consumer as the coordinator sees it: one request at a time, and what the answer makes next. */
final class GroupClient {
  private static final String GROUP = "g";

  /** What a client needs. */
  interface Surroundings {
    CompletableFuture<GroupReply> ask(GroupCommand command);

    long nowMs();

    String freshId();

    /** A client has learned who leads a generation. */
    void ledBy(int generation, String memberId);
  }

  private enum Next {
    JOIN,
    SYNC,
    HEARTBEAT
  }

  private final String name;
  private final @Nullable String instanceId;
  private final Random random;
  private final Surroundings surroundings;
  private final JoinStyle style;
  private String memberId = MemberIdentity.NO_MEMBER_ID;
  private Next next = Next.JOIN;
  private int generation = -1;
  private boolean leader;
  private boolean skipAssignment;
  private List<String> members = List.of();

  /** The number of the request whose answer is awaited; none if it is not positive. */
  private int pending;

  private int requests;

  GroupClient(String name, boolean isStatic, Random random, Surroundings surroundings) {
    this.name = name;
    this.instanceId = isStatic ? "instance of " + name : null;
    this.random = random;
    this.surroundings = surroundings;
    this.style = List.of(JoinStyle.values()).get(random.nextInt(JoinStyle.values().length));
  }

  MemberIdentity identity() {
    return new MemberIdentity(memberId, instanceId);
  }

  int generation() {
    return generation;
  }

  boolean isSettled() {
    return next == Next.HEARTBEAT;
  }

  boolean leads() {
    return leader;
  }

  /** Sends what is next, unless an answer is awaited. */
  void act() {
    if (pending > 0) {
      return;
    }
    switch (next) {
      case JOIN -> send(join());
      case SYNC -> send(sync());
      case HEARTBEAT -> send(new Heartbeat(GROUP, identity(), generation, surroundings.nowMs()));
    }
  }

  /** Forgets everything, as a process that dies; a new one of its name takes its place. */
  void fallSilent() {
    memberId = MemberIdentity.NO_MEMBER_ID;
    generation = -1;
    leader = false;
    pending = 0;
    next = Next.JOIN;
  }

  void leave() {
    var _ = surroundings.ask(new Leave(GROUP, List.of(identity()), surroundings.nowMs()));
    fallSilent();
  }

  /** Gives its request up and sends it again. */
  void repeat() {
    pending = 0;
    act();
  }

  private Join join() {
    return new Join(
        GROUP,
        identity(),
        memberId.isEmpty() ? surroundings.freshId() : memberId,
        new Client(name, "/127.0.0.1"),
        new JoinTerms(
            10_000,
            20_000,
            "consumer",
            List.of(
                new MemberProtocol("range", text("v" + random.nextInt(2))),
                new MemberProtocol("sticky", Blob.EMPTY))),
        style,
        surroundings.nowMs());
  }

  private Sync sync() {
    Map<String, Blob> assignments = new HashMap<>();
    if (leader && !skipAssignment) {
      members.forEach(member -> assignments.put(member, text(memberId + " assigns to " + member)));
    }
    return new Sync(
        GROUP, identity(), generation, "consumer", null, assignments, surroundings.nowMs());
  }

  private void send(GroupCommand command) {
    int request = ++requests;
    pending = request;
    var _ =
        surroundings
            .ask(command)
            .whenComplete(
                (reply, _) -> {
                  // The answer to a request that was given up is nobody's.
                  if (pending == request) {
                    pending = 0;
                    if (reply != null) {
                      take(reply);
                    } else {
                      next = Next.JOIN;
                    }
                  }
                });
  }

  private void take(GroupReply reply) {
    switch (reply) {
      case GroupReply.Joined joined -> {
        memberId = joined.memberId();
        generation = joined.generation().number();
        leader = memberId.equals(joined.generation().leader());
        skipAssignment = joined.assigning() == Assigning.SKIPPED;
        members = joined.members().stream().map(GroupReply.JoinedMember::memberId).toList();
        assertThat(members.isEmpty()).isNotEqualTo(leader);
        if (leader) {
          assertThat(members).contains(memberId);
        }
        next = Next.SYNC;
      }
      case GroupReply.JoinRefused(String given, ErrorCode error) -> {
        if (error == ErrorCode.MEMBER_ID_REQUIRED) {
          memberId = given;
        } else {
          refused(error);
        }
      }
      case GroupReply.Synced synced -> {
        checkAssignment(synced.assignment());
        next = Next.HEARTBEAT;
      }
      case GroupReply.SyncRefused(ErrorCode error) -> refused(error);
      case GroupReply.Outcome(ErrorCode error) -> {
        if (error != ErrorCode.NONE) {
          refused(error);
        }
      }
      case GroupReply.Left _,
          GroupReply.CommitRefused _,
          GroupReply.OffsetsCommitted _,
          GroupReply.TopicForgotten _ ->
          throw new AssertionError("not asked for: " + reply);
    }
  }

  private void checkAssignment(Blob assignment) {
    String told = StandardCharsets.UTF_8.decode(assignment.view()).toString();
    if (!told.isEmpty() && instanceId == null) {
      assertThat(told).endsWith(" assigns to " + memberId);
      surroundings.ledBy(generation, told.substring(0, told.indexOf(' ')));
    }
  }

  private void refused(ErrorCode error) {
    next = Next.JOIN;
    switch (error) {
      case UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID, GROUP_MAX_SIZE_REACHED -> {
        memberId = MemberIdentity.NO_MEMBER_ID;
        generation = -1;
        leader = false;
      }
      case REBALANCE_IN_PROGRESS, ILLEGAL_GENERATION -> {}
      default -> throw new AssertionError("no member should meet this: " + error);
    }
  }

  private static Blob text(String text) {
    return Blob.copyOf(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public String toString() {
    return "GroupClient["
        + name
        + " member="
        + memberId
        + " generation="
        + generation
        + " next="
        + next
        + " pending="
        + pending
        + "]";
  }
}
