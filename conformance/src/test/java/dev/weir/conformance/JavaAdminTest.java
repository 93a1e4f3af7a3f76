package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Java client's admin. */
@ExtendWith(SharedNode.class)
final class JavaAdminTest {
  private final NodeProcess node;
  private final Admin admin;
  private final String topic;
  private final TopicPartition first;

  JavaAdminTest(NodeProcess node, TestInfo test) {
    this.node = node;
    this.admin = JavaClients.admin(node);
    this.topic = "admin-" + test.getTestMethod().orElseThrow().getName();
    this.first = new TopicPartition(topic, 0);
  }

  @AfterEach
  void closeAdmin() {
    admin.close();
  }

  @Test
  void clusterHasOneNodeThatControls() {
    assertThat(JavaClients.done(admin.describeCluster().nodes())).hasSize(1);
    assertThat(JavaClients.done(admin.describeCluster().controller()).idString()).isEqualTo("1");
    assertThat(JavaClients.done(admin.describeCluster().clusterId())).hasSize(22);
  }

  @Test
  void createdTopicIsDescribedAndListed() {
    create(new NewTopic(topic, 3, (short) 1).configs(Map.of("retention.ms", "60000")));
    TopicDescription described = describe();
    assertThat(described.partitions()).hasSize(3).allMatch(each -> each.leader() != null);
    assertThat(described.topicId()).isNotEqualTo(org.apache.kafka.common.Uuid.ZERO_UUID);
    assertThat(JavaClients.done(admin.listTopics().names())).contains(topic);
    assertThat(config().get("retention.ms").value()).isEqualTo("60000");
  }

  @Test
  void topicThatExistsIsNotCreatedAgain() {
    create(new NewTopic(topic, 1, (short) 1));
    assertRefused(() -> create(new NewTopic(topic, 1, (short) 1)), TopicExistsException.class);
  }

  @Test
  void impossibleTopicsAreRefused() {
    assertRefused(
        () -> create(new NewTopic("no/such name", 1, (short) 1)), InvalidTopicException.class);
    assertRefused(
        () -> create(new NewTopic(topic, 0, (short) 1)), InvalidPartitionsException.class);
    assertRefused(
        () -> create(new NewTopic(topic, 1, (short) 3)), InvalidReplicationFactorException.class);
    assertRefused(
        () -> create(new NewTopic(topic, 1, (short) 1).configs(Map.of("retention.ms", "soon"))),
        InvalidConfigurationException.class);
    assertRefused(this::describe, UnknownTopicOrPartitionException.class);
  }

  @Test
  void deletedTopicIsGoneAndItsNameIsFree() {
    create(new NewTopic(topic, 1, (short) 1));
    produce(2);
    org.apache.kafka.common.Uuid before = describe().topicId();
    Void _ = JavaClients.done(admin.deleteTopics(List.of(topic)).all());
    assertRefused(this::describe, UnknownTopicOrPartitionException.class);
    create(new NewTopic(topic, 1, (short) 1));
    assertThat(describe().topicId()).isNotEqualTo(before);
    assertThat(offset(OffsetSpec.latest()).offset()).isZero();
  }

  @Test
  void partitionsAreAddedAndNeverTaken() {
    create(new NewTopic(topic, 1, (short) 1));
    Void _ =
        JavaClients.done(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(4))).all());
    assertThat(describe().partitions()).hasSize(4);
    assertRefused(
        () ->
            JavaClients.done(
                admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2))).all()),
        InvalidPartitionsException.class);
  }

  @Test
  void configIsSetAppendedAndDeleted() {
    create(new NewTopic(topic, 1, (short) 1));
    alter("cleanup.policy", "compact", AlterConfigOp.OpType.SET);
    alter("cleanup.policy", "delete", AlterConfigOp.OpType.APPEND);
    assertThat(config().get("cleanup.policy").value()).isEqualTo("compact,delete");
    assertThat(config().get("cleanup.policy").source())
        .isEqualTo(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
    alter("cleanup.policy", "compact", AlterConfigOp.OpType.SUBTRACT);
    assertThat(config().get("cleanup.policy").value()).isEqualTo("delete");
    alter("cleanup.policy", "", AlterConfigOp.OpType.DELETE);
    assertThat(config().get("cleanup.policy").isDefault()).isTrue();
    assertRefused(
        () -> alter("max.message.bytes", "-5", AlterConfigOp.OpType.SET),
        InvalidConfigurationException.class);
  }

  @Test
  void configOfTheNodeIsDescribed() {
    ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
    Config config =
        JavaClients.value(JavaClients.done(admin.describeConfigs(List.of(broker)).all()), broker);
    assertThat(config.get("num.partitions").value()).isEqualTo("1");
  }

  @Test
  void offsetsAreListed() {
    create(new NewTopic(topic, 1, (short) 1));
    produce(3);
    assertThat(offset(OffsetSpec.earliest()).offset()).isZero();
    assertThat(offset(OffsetSpec.latest()).offset()).isEqualTo(3);
    assertThat(offset(OffsetSpec.maxTimestamp()).offset()).isEqualTo(2);
    assertThat(offset(OffsetSpec.forTimestamp(Batches.TIMESTAMP_MS + 1)).offset()).isEqualTo(1);
  }

  @Test
  void deletedRecordsAreBelowTheLogStart() {
    create(new NewTopic(topic, 1, (short) 1));
    produce(3);
    Void _ =
        JavaClients.done(admin.deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(2))).all());
    assertThat(offset(OffsetSpec.earliest()).offset()).isEqualTo(2);
    try (Consumer<String, String> consumer = JavaClients.consumer(node, Map.of())) {
      consumer.assign(List.of(first));
      assertThat(JavaClients.poll(consumer, 1).getFirst().value()).isEqualTo("value 2");
    }
  }

  @Test
  void groupIsListedDescribedAndDeletedWhenEmpty() {
    create(new NewTopic(topic, 1, (short) 1));
    produce(1);
    String group = topic;
    try (Consumer<String, String> member = JavaClients.consumer(node, Map.of("group.id", group))) {
      member.subscribe(List.of(topic));
      assertThat(JavaClients.poll(member, 1)).hasSize(1);
      member.commitSync();
      ConsumerGroupDescription described = describeGroup(group);
      assertThat(described.groupState()).isEqualTo(GroupState.STABLE);
      assertThat(described.members()).hasSize(1);
      assertThat(described.members().iterator().next().assignment().topicPartitions())
          .containsExactly(first);
      assertRefused(
          () -> JavaClients.done(admin.deleteConsumerGroups(List.of(group)).all()),
          GroupNotEmptyException.class);
    }
    assertThat(describeGroup(group).groupState()).isEqualTo(GroupState.EMPTY);
    Collection<GroupListing> groups = JavaClients.done(admin.listGroups().all());
    assertThat(groups).extracting(GroupListing::groupId).contains(group);
    Map<TopicPartition, OffsetAndMetadata> committed =
        JavaClients.done(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    assertThat(JavaClients.value(committed, first).offset()).isEqualTo(1);
    Void _ = JavaClients.done(admin.deleteConsumerGroups(List.of(group)).all());
    assertThat(JavaClients.done(admin.listGroups().all()))
        .extracting(GroupListing::groupId)
        .doesNotContain(group);
  }

  private void create(NewTopic wanted) {
    Void _ = JavaClients.done(admin.createTopics(List.of(wanted)).all());
  }

  private TopicDescription describe() {
    return JavaClients.value(
        JavaClients.done(admin.describeTopics(List.of(topic)).allTopicNames()), topic);
  }

  private ConsumerGroupDescription describeGroup(String group) {
    return JavaClients.value(
        JavaClients.done(admin.describeConsumerGroups(List.of(group)).all()), group);
  }

  private Config config() {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return JavaClients.value(
        JavaClients.done(admin.describeConfigs(List.of(resource)).all()), resource);
  }

  private void alter(String name, String value, AlterConfigOp.OpType type) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp change = new AlterConfigOp(new ConfigEntry(name, value), type);
    Void _ =
        JavaClients.done(admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all());
  }

  private ListOffsetsResultInfo offset(OffsetSpec wanted) {
    return JavaClients.value(
        JavaClients.done(admin.listOffsets(Map.of(first, wanted)).all()), first);
  }

  private void produce(int recordCount) {
    try (Producer<String, String> producer = JavaClients.producer(node, Map.of())) {
      for (int i = 0; i < recordCount; i++) {
        RecordMetadata _ =
            JavaClients.done(
                producer.send(
                    new ProducerRecord<>(topic, 0, Batches.TIMESTAMP_MS + i, "key", "value " + i)));
      }
    }
  }

  private static void assertRefused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable act,
      Class<? extends Exception> reason) {
    assertThatThrownBy(act).cause().isInstanceOf(reason);
  }
}
