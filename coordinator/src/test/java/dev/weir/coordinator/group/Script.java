package dev.weir.coordinator.group;

import dev.weir.coordinator.Caller;
import dev.weir.protocol.message.DeleteGroupsRequest;
import dev.weir.protocol.message.DescribeGroupsRequest;
import dev.weir.protocol.message.HeartbeatRequest;
import dev.weir.protocol.message.JoinGroupRequest;
import dev.weir.protocol.message.LeaveGroupRequest;
import dev.weir.protocol.message.ListGroupsRequest;
import dev.weir.protocol.message.OffsetCommitRequest;
import dev.weir.protocol.message.OffsetDeleteRequest;
import dev.weir.protocol.message.OffsetFetchRequest;
import dev.weir.protocol.message.OffsetFetchResponse;
import dev.weir.protocol.message.SyncGroupRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Plays commands of a script against a coordinator and tells what came of each: the responses in
 * the order in which they came, by client, and then the records written.
 *
 * <p>A command is {@code client verb key=value…}. A member id {@code a-1} stands for the first id
 * that was given out, to client {@code a}.
 */
final class Script {
  private final SimulatedCoordinator node;
  private final List<String> told = new ArrayList<>();
  private ScriptArguments arguments = ScriptArguments.of(List.of()); // of the command at play
  private final Map<Integer, Integer> recordsTold = new TreeMap<>();

  Script(GroupSettings settings) {
    node = new SimulatedCoordinator(settings);
    node.createTopic("t");
    node.createTopic("u");
  }

  /** Plays one command and tells what has happened since the one before. */
  List<String> play(String command) {
    told.clear();
    String[] words = command.split(" ", -1);
    arguments = ScriptArguments.of(List.of(words));
    switch (words[0]) {
      case "advance" -> node.advanceBy(Long.parseLong(words[1]));
      case "restart" -> node.restart();
      case "create" -> node.createTopic(words[1]);
      case "drop" -> node.topicIds.remove(words[1]);
      case "forget" -> {
        node.topicIds.remove(words[1]);
        var _ = node.coordinator().topicDeleted(words[1]);
      }
      default -> request(words[0], words[1]);
    }
    node.executor.runAll();
    tellRecords();
    return List.copyOf(told);
  }

  private void request(String client, String verb) {
    switch (verb) {
      case "join" -> join(client);
      case "sync" -> sync(client);
      case "heartbeat" -> heartbeat(client);
      case "leave" -> leave(client);
      case "commit" -> commit(client);
      case "fetch" -> fetch(client);
      case "list" -> list(client);
      case "describe" -> describe(client);
      case "delete" -> delete(client);
      case "delete-offsets" -> deleteOffsets(client);
      default -> throw new IllegalArgumentException("no such verb: " + verb);
    }
  }

  private <T> void tell(String client, CompletableFuture<T> response, Function<T, String> telling) {
    var _ = response.thenAccept(r -> told.add(client + ": " + shorten(telling.apply(r))));
  }

  private void join(String client) {
    List<JoinGroupRequest.JoinGroupRequestProtocol> protocols =
        arguments
            .entries("protocols", "range:" + client)
            .map(p -> new JoinGroupRequest.JoinGroupRequestProtocol(p[0], bytes(p[1])))
            .toList();
    JoinGroupRequest request =
        JoinGroupRequest.DEFAULT
            .withGroupId(arguments.text("group", "g"))
            .withMemberId(arguments.id("member"))
            .withGroupInstanceId(arguments.get("instance"))
            .withProtocolType(arguments.text("type", "consumer"))
            .withProtocols(protocols)
            .withSessionTimeoutMs(arguments.number("session", 10_000))
            .withRebalanceTimeoutMs(arguments.number("rebalance", 60_000));
    tell(client, node.coordinator().join(request, caller(client, 9)), ResponseText::joined);
  }

  private void sync(String client) {
    SyncGroupRequest request =
        SyncGroupRequest.DEFAULT
            .withGroupId(arguments.text("group", "g"))
            .withMemberId(arguments.id("member"))
            .withGroupInstanceId(arguments.get("instance"))
            .withGenerationId(arguments.number("generation", 1))
            .withProtocolType(arguments.nullable("type", "consumer"))
            .withProtocolName(arguments.nullable("protocol", "range"))
            .withAssignments(
                arguments
                    .entries("assign", "")
                    .map(
                        a ->
                            new SyncGroupRequest.SyncGroupRequestAssignment(
                                ScriptArguments.lengthen(a[0]), bytes(a[1])))
                    .toList());
    tell(client, node.coordinator().sync(request, caller(client, 5)), ResponseText::synced);
  }

  private void heartbeat(String client) {
    HeartbeatRequest request =
        HeartbeatRequest.DEFAULT
            .withGroupId(arguments.text("group", "g"))
            .withMemberId(arguments.id("member"))
            .withGroupInstanceId(arguments.get("instance"))
            .withGenerationId(arguments.number("generation", 1));
    tell(client, node.coordinator().heartbeat(request), r -> ResponseText.error(r.errorCode()));
  }

  private void leave(String client) {
    int version = arguments.number("v", 5);
    LeaveGroupRequest request =
        LeaveGroupRequest.DEFAULT
            .withGroupId(arguments.text("group", "g"))
            .withMemberId(version < 3 ? arguments.id("member") : "")
            .withMembers(
                version < 3
                    ? List.of()
                    : Arrays.stream(arguments.text("members", "").split(",", -1))
                        .map(m -> m.split("@", -1))
                        .map(
                            m ->
                                new LeaveGroupRequest.MemberIdentity(
                                    ScriptArguments.lengthen(m[0]),
                                    m.length > 1 ? m[1] : null,
                                    null))
                        .toList());
    tell(client, node.coordinator().leave(request, caller(client, 5)), ResponseText::left);
  }

  /** Offsets are {@code topic/partition:offset} or {@code topic/partition:offset:metadata}. */
  private void commit(String client) {
    Map<String, List<OffsetCommitRequest.OffsetCommitRequestPartition>> byTopic = new TreeMap<>();
    arguments
        .entries("offsets", "")
        .forEach(
            o ->
                byTopic
                    .computeIfAbsent(topic(o), _ -> new ArrayList<>())
                    .add(
                        new OffsetCommitRequest.OffsetCommitRequestPartition(
                            partition(o), Long.parseLong(o[1]), -1, o.length > 2 ? o[2] : null)));
    boolean ids = arguments.number("v", 9) >= 10;
    OffsetCommitRequest request =
        OffsetCommitRequest.DEFAULT
            .withGroupId(arguments.text("group", "g"))
            .withGenerationIdOrMemberEpoch(arguments.number("generation", -1))
            .withMemberId(arguments.id("member"))
            .withGroupInstanceId(arguments.get("instance"))
            .withRetentionTimeMs(arguments.number("retention", -1))
            .withTopics(
                byTopic.entrySet().stream()
                    .map(
                        t ->
                            new OffsetCommitRequest.OffsetCommitRequestTopic(
                                ids ? "" : t.getKey(), topicId(t.getKey()), t.getValue()))
                    .toList());
    tell(
        client,
        node.coordinator().commitOffsets(request, caller(client, 9)),
        r ->
            r.topics().stream()
                .flatMap(
                    t ->
                        t.partitions().stream()
                            .map(
                                p ->
                                    topicName(t.name(), t.topicId())
                                        + "/"
                                        + p.partitionIndex()
                                        + ":"
                                        + ResponseText.error(p.errorCode())))
                .toList()
                .toString());
  }

  private UUID topicId(String topic) {
    return node.idOf(topic).orElse(new UUID(9, 9));
  }

  private String topicName(String name, UUID id) {
    return name.isEmpty() ? node.nameOf(id).orElse("?") : name;
  }

  private void fetch(String client) {
    int version = arguments.number("v", 9);
    Map<String, List<Integer>> byTopic = new TreeMap<>();
    arguments
        .entries("offsets", "")
        .forEach(o -> byTopic.computeIfAbsent(topic(o), _ -> new ArrayList<>()).add(partition(o)));
    OffsetFetchRequest request =
        version < 8
            ? OffsetFetchRequest.DEFAULT
                .withGroupId(arguments.text("group", "g"))
                .withTopics(
                    byTopic.isEmpty()
                        ? null
                        : byTopic.entrySet().stream()
                            .map(
                                t ->
                                    new OffsetFetchRequest.OffsetFetchRequestTopic(
                                        t.getKey(), t.getValue()))
                            .toList())
            : OffsetFetchRequest.DEFAULT.withGroups(
                Arrays.stream(arguments.text("group", "g").split(",", -1))
                    .map(g -> fetchGroup(g, byTopic, version))
                    .toList());
    tell(
        client,
        node.coordinator().fetchOffsets(request, caller(client, 9)),
        version < 8 ? this::fetchedOld : this::fetched);
  }

  private OffsetFetchRequest.OffsetFetchRequestGroup fetchGroup(
      String groupId, Map<String, List<Integer>> byTopic, int version) {
    return OffsetFetchRequest.OffsetFetchRequestGroup.DEFAULT
        .withGroupId(groupId)
        .withTopics(
            byTopic.isEmpty()
                ? null
                : byTopic.entrySet().stream()
                    .map(
                        t ->
                            new OffsetFetchRequest.OffsetFetchRequestTopics(
                                version < 10 ? t.getKey() : "", topicId(t.getKey()), t.getValue()))
                    .toList());
  }

  private String fetched(OffsetFetchResponse r) {
    return r.groups().stream()
        .map(
            g ->
                g.groupId()
                    + " "
                    + ResponseText.error(g.errorCode())
                    + " "
                    + g.topics().stream()
                        .flatMap(
                            t ->
                                t.partitions().stream()
                                    .map(
                                        p ->
                                            topicName(t.name(), t.topicId())
                                                + "/"
                                                + p.partitionIndex()
                                                + ":"
                                                + p.committedOffset()
                                                + (p.errorCode() == 0
                                                    ? ""
                                                    : ":" + ResponseText.error(p.errorCode()))))
                        .toList())
        .collect(Collectors.joining(", "));
  }

  private String fetchedOld(OffsetFetchResponse r) {
    return ResponseText.error(r.errorCode())
        + " "
        + r.topics().stream()
            .flatMap(
                t ->
                    t.partitions().stream()
                        .map(p -> t.name() + "/" + p.partitionIndex() + ":" + p.committedOffset()))
            .toList();
  }

  private void list(String client) {
    ListGroupsRequest request =
        ListGroupsRequest.DEFAULT
            .withStatesFilter(arguments.words("states"))
            .withTypesFilter(arguments.words("types"));
    tell(
        client,
        node.coordinator().listGroups(request),
        r ->
            r.groups().stream()
                .map(
                    g ->
                        String.join(
                            "/", g.groupId(), g.protocolType(), g.groupState(), g.groupType()))
                .sorted()
                .toList()
                .toString());
  }

  private void describe(String client) {
    DescribeGroupsRequest request =
        DescribeGroupsRequest.DEFAULT.withGroups(List.of(arguments.text("group", "g")));
    tell(
        client,
        node.coordinator().describeGroups(request, caller(client, 6)),
        r -> ResponseText.described(r.groups().getFirst()));
  }

  private void delete(String client) {
    tell(
        client,
        node.coordinator()
            .deleteGroups(DeleteGroupsRequest.DEFAULT.withGroupsNames(arguments.words("group"))),
        r ->
            r.results().stream()
                .map(g -> g.groupId() + ":" + ResponseText.error(g.errorCode()))
                .toList()
                .toString());
  }

  private void deleteOffsets(String client) {
    OffsetDeleteRequest request =
        OffsetDeleteRequest.DEFAULT
            .withGroupId(arguments.text("group", "g"))
            .withTopics(
                arguments
                    .entries("offsets", "")
                    .map(
                        o ->
                            new OffsetDeleteRequest.OffsetDeleteRequestTopic(
                                topic(o),
                                List.of(
                                    new OffsetDeleteRequest.OffsetDeleteRequestPartition(
                                        partition(o)))))
                    .toList());
    tell(
        client,
        node.coordinator().deleteOffsets(request),
        r ->
            ResponseText.error(r.errorCode())
                + " "
                + r.topics().stream()
                    .flatMap(
                        t ->
                            t.partitions().stream()
                                .map(
                                    p ->
                                        t.name()
                                            + "/"
                                            + p.partitionIndex()
                                            + ":"
                                            + ResponseText.error(p.errorCode())))
                    .toList());
  }

  private void tellRecords() {
    for (int partition = 0; partition < node.logs.size(); partition++) {
      List<StoredRecord> stored = node.stored(partition);
      int before = recordsTold.getOrDefault(partition, 0);
      stored.subList(before, stored.size()).forEach(r -> told.add(shorten(written(r))));
      recordsTold.put(partition, stored.size());
    }
  }

  private static String written(StoredRecord record) {
    return switch (record) {
      case StoredRecord.OffsetStored(var group, var topic, var partition, var offset) ->
          "+ " + group + " " + topic + "/" + partition + ":" + offset.offset();
      case StoredRecord.OffsetRemoved(var group, var topic, var partition) ->
          "- " + group + " " + topic + "/" + partition;
      case StoredRecord.GroupStored stored ->
          "+ "
              + stored.groupId()
              + " generation="
              + stored.generation().number()
              + " leader="
              + stored.generation().leader()
              + " members="
              + stored.members().stream()
                  .map(
                      m ->
                          m.id()
                              + ResponseText.instance(m.instanceId())
                              + ":"
                              + ResponseText.text(m.assignment().view()))
                  .toList();
      case StoredRecord.GroupRemoved(var group) -> "- " + group;
    };
  }

  // Arguments.

  private Caller caller(String client, int newestVersion) {
    return SimulatedCoordinator.caller(arguments.number("v", newestVersion), client);
  }

  private static String topic(String[] entry) {
    return entry[0].substring(0, entry[0].indexOf('/'));
  }

  private static int partition(String[] entry) {
    return Integer.parseInt(entry[0].substring(entry[0].indexOf('/') + 1));
  }

  private static String shorten(String text) {
    return text.replaceAll("00000000-0000-0000-0000-0*", "");
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
