package dev.weir.controller;

import static dev.weir.controller.ControllerHarness.withBrokers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.PartitionImage;
import dev.weir.metadata.TopicImage;
import dev.weir.protocol.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TopicCommandsTest {
  private final ControllerHarness one = withBrokers(1);
  private final ControllerHarness three = withBrokers(1, 2, 3);

  private static NewTopic topic(String name) {
    return NewTopic.named(name);
  }

  private static void assertRefused(TopicCreation creation, ErrorCode error) {
    assertThat(creation)
        .isInstanceOfSatisfying(
            TopicCreation.Refused.class,
            refused -> {
              assertThat(refused.refusal().error()).isEqualTo(error);
              assertThat(refused.refusal().message()).isNotEmpty();
            });
  }

  private static void assertRefused(Outcome<String> outcome, ErrorCode error) {
    assertThat(outcome.error()).isEqualTo(error);
    assertThat(outcome.message()).isPresent();
  }

  @Test
  void topicIsThereWhenTheAnswerIs() {
    TopicImage topic = one.created(topic("orders"));
    assertThat(topic.id()).isEqualTo(new UUID(0, 100));
    PartitionImage partition = topic.partition(0).orElseThrow();
    assertThat(partition.leader()).isEqualTo(1);
    assertThat(partition.leaderEpoch()).isZero();
    assertThat(partition.partitionEpoch()).isZero();
    assertThat(partition.isr()).containsExactly(1);
    assertThat(partition.directories()).containsExactly(ControllerHarness.directory(1));
  }

  @Test
  void answerTellsWhatWasMade() {
    NewTopic topic = topic("orders").withPartitions(3).withConfigs(Map.of("retention.ms", "5"));
    assertThat(one.create(topic))
        .isEqualTo(
            new TopicCreation.Created(
                "orders", new UUID(0, 100), 3, 1, Map.of("retention.ms", "5")));
    assertThat(one.image().configs().of(ConfigResource.topic("orders")))
        .isEqualTo(Map.of("retention.ms", "5"));
  }

  @Test
  void defaultsAreTheNodes() {
    ControllerHarness harness = new ControllerHarness(new ControllerSettings(7, 1));
    harness.register(1, new UUID(1, 1));
    assertThat(harness.created(topic("a")).partitionCount()).isEqualTo(7);
  }

  @Test
  void validationWritesNothing() {
    List<TopicCreation> answers =
        one.await(one.controller.createTopics(List.of(topic("a")), Mode.VALIDATE_ONLY));
    assertThat(answers.getFirst()).isInstanceOf(TopicCreation.Created.class);
    assertThat(one.image().topics().size()).isZero();
  }

  @Test
  void illegalNameIsRefused() {
    assertRefused(one.create(topic("a b")), ErrorCode.INVALID_TOPIC_EXCEPTION);
  }

  @Test
  void metadataLogIsNoTopic() {
    assertRefused(one.create(topic("__cluster_metadata")), ErrorCode.TOPIC_AUTHORIZATION_FAILED);
  }

  @Test
  void internalTopicIsMadeByTheSameCommand() {
    assertThat(one.created(topic("__consumer_offsets").withPartitions(50)).isInternal()).isTrue();
  }

  @Test
  void existingNameIsRefused() {
    one.created(topic("a"));
    assertRefused(one.create(topic("a")), ErrorCode.TOPIC_ALREADY_EXISTS);
  }

  @Test
  void nameTwiceInOneCommandIsMadeOnce() {
    List<TopicCreation> answers =
        one.await(one.controller.createTopics(List.of(topic("a"), topic("a")), Mode.APPLY));
    assertThat(answers.getFirst()).isInstanceOf(TopicCreation.Created.class);
    assertRefused(answers.getLast(), ErrorCode.TOPIC_ALREADY_EXISTS);
  }

  @Test
  void namesThatDifferByDotAndUnderscoreCollide() {
    one.created(topic("a.b"));
    assertRefused(one.create(topic("a_b")), ErrorCode.INVALID_TOPIC_EXCEPTION);
  }

  @Test
  void partitionsBelowOneAreRefused() {
    assertRefused(one.create(topic("a").withPartitions(0)), ErrorCode.INVALID_PARTITIONS);
    assertRefused(one.create(topic("a").withPartitions(-2)), ErrorCode.INVALID_PARTITIONS);
  }

  @Test
  void morePartitionsThanOneBatchHoldsAreRefused() {
    assertRefused(one.create(topic("a").withPartitions(10_001)), ErrorCode.POLICY_VIOLATION);
  }

  @Test
  void factorAboveTheBrokersIsRefused() {
    assertRefused(
        one.create(topic("a").withReplicationFactor(2)), ErrorCode.INVALID_REPLICATION_FACTOR);
    assertRefused(
        one.create(topic("a").withReplicationFactor(0)), ErrorCode.INVALID_REPLICATION_FACTOR);
  }

  @Test
  void badConfigIsRefused() {
    assertRefused(
        one.create(topic("a").withConfigs(Map.of("retention.ms", "soon"))),
        ErrorCode.INVALID_CONFIG);
    assertRefused(
        one.create(topic("a").withConfigs(Map.of("no.such", "1"))), ErrorCode.INVALID_CONFIG);
  }

  /** The message echoes the value, perhaps twice, and has to fit into an answer. */
  @Test
  void refusalOfAVeryLongValueIsShort() {
    TopicCreation creation =
        one.create(topic("a").withConfigs(Map.of("cleanup.policy", "x".repeat(30_000))));
    assertRefused(creation, ErrorCode.INVALID_CONFIG);
    assertThat(((TopicCreation.Refused) creation).refusal().message()).hasSizeLessThan(1100);
  }

  @Test
  void refusedTopicLeavesTheOthersAlone() {
    List<TopicCreation> answers =
        one.await(
            one.controller.createTopics(
                List.of(topic("a"), topic("b").withPartitions(0), topic("c")), Mode.APPLY));
    assertRefused(answers.get(1), ErrorCode.INVALID_PARTITIONS);
    assertThat(one.topic("c").partitionCount()).isEqualTo(1);
  }

  @Test
  void replicasAreDifferentBrokersAndLeadersSpread() {
    TopicImage topic = three.created(topic("a").withPartitions(12).withReplicationFactor(2));
    Map<Integer, Integer> led = new HashMap<>();
    for (PartitionImage partition : topic.partitions()) {
      assertThat(partition.replicas()).doesNotHaveDuplicates().hasSize(2);
      assertThat(partition.isr()).isEqualTo(partition.replicas());
      led.merge(partition.leader(), 1, Integer::sum);
    }
    assertThat(led).isEqualTo(Map.of(1, 4, 2, 4, 3, 4));
  }

  @Test
  void manualAssignmentIsKept() {
    TopicImage topic =
        three.created(topic("a").withAssignments(Map.of(0, List.of(3, 1), 1, List.of(2, 3))));
    assertThat(topic.partition(0).orElseThrow().replicas()).containsExactly(3, 1);
    assertThat(topic.partition(1).orElseThrow().leader()).isEqualTo(2);
  }

  @Test
  void badManualAssignmentsAreRefused() {
    List<Map<Integer, List<Integer>>> bad =
        List.of(
            Map.of(1, List.of(1)),
            Map.of(0, List.of()),
            Map.of(0, List.of(1, 1)),
            Map.of(0, List.of(9)),
            Map.of(0, List.of(1), 1, List.of(1, 2)));
    for (Map<Integer, List<Integer>> assignment : bad) {
      assertRefused(
          three.create(topic("a").withAssignments(assignment)),
          ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    }
    assertRefused(
        three.create(topic("a").withAssignments(Map.of(0, List.of(1))).withPartitions(1)),
        ErrorCode.INVALID_REQUEST);
  }

  @Test
  void topicIsDeletedByNameAndById() {
    TopicImage a = one.created(topic("a"));
    TopicImage b = one.created(topic("b"));
    TopicRef byName = new TopicRef.ByName("a");
    TopicRef byId = new TopicRef.ById(b.id());
    assertThat(one.await(one.controller.deleteTopics(List.of(byName, byId))))
        .containsExactly(
            new TopicDeletion.Deleted(byName, "a", a.id()),
            new TopicDeletion.Deleted(byId, "b", b.id()));
    assertThat(one.image().topics().size()).isZero();
  }

  @Test
  void unknownTopicIsNotDeleted() {
    List<TopicDeletion> answers =
        one.await(
            one.controller.deleteTopics(
                List.of(new TopicRef.ByName("a"), new TopicRef.ById(new UUID(4, 4)))));
    assertThat(answers)
        .extracting(answer -> ((TopicDeletion.Refused) answer).refusal().error())
        .containsExactly(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID);
  }

  @Test
  void topicMadeAgainHasAnotherId() {
    UUID first = one.created(topic("a")).id();
    one.await(one.controller.deleteTopics(List.of(new TopicRef.ByName("a"))));
    assertThat(one.created(topic("a")).id()).isNotEqualTo(first);
  }

  private Outcome<String> grow(ControllerHarness harness, MorePartitions wish) {
    return harness.await(harness.controller.createPartitions(List.of(wish), Mode.APPLY)).getFirst();
  }

  @Test
  void partitionsAreAdded() {
    one.created(topic("a"));
    assertThat(grow(one, new MorePartitions("a", 3, List.of())).error()).isEqualTo(ErrorCode.NONE);
    assertThat(one.topic("a").partitions()).extracting(PartitionImage::id).containsExactly(0, 1, 2);
  }

  @Test
  void addedPartitionsTakeGivenReplicas() {
    three.created(topic("a").withReplicationFactor(2));
    assertThat(grow(three, new MorePartitions("a", 2, List.of(List.of(3, 2)))).error())
        .isEqualTo(ErrorCode.NONE);
    assertThat(three.topic("a").partition(1).orElseThrow().replicas()).containsExactly(3, 2);
  }

  @Test
  void badGrowthIsRefused() {
    three.created(topic("a").withPartitions(2).withReplicationFactor(2));
    assertRefused(grow(three, new MorePartitions("a", 2, List.of())), ErrorCode.INVALID_PARTITIONS);
    assertRefused(grow(three, new MorePartitions("a", 1, List.of())), ErrorCode.INVALID_PARTITIONS);
    assertRefused(
        grow(three, new MorePartitions("z", 2, List.of())), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    assertRefused(
        grow(three, new MorePartitions("a", 4, List.of(List.of(1, 2)))),
        ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    assertRefused(
        grow(three, new MorePartitions("a", 3, List.of(List.of(1)))),
        ErrorCode.INVALID_REPLICA_ASSIGNMENT);
  }

  @Test
  void topicNamedTwiceGrowsOnce() {
    one.created(topic("a"));
    List<MorePartitions> wishes =
        List.of(new MorePartitions("a", 3, List.of()), new MorePartitions("a", 5, List.of()));
    List<Outcome<String>> answers = one.await(one.controller.createPartitions(wishes, Mode.APPLY));
    assertThat(answers.getFirst().error()).isEqualTo(ErrorCode.NONE);
    assertRefused(answers.getLast(), ErrorCode.INVALID_REQUEST);
    assertThat(one.topic("a").partitionCount()).isEqualTo(3);
  }

  @Test
  void definitionsOfIndexesAreNotDeleted() {
    UUID id = one.created(topic("__weir_catalog")).id();
    assertThat(
            one.await(
                one.controller.deleteTopics(
                    List.of(new TopicRef.ByName("__weir_catalog"), new TopicRef.ById(id)))))
        .extracting(answer -> ((TopicDeletion.Refused) answer).refusal().error())
        .containsOnly(ErrorCode.INVALID_REQUEST);
    assertThat(one.topic("__weir_catalog").isInternal()).isTrue();
  }
}
