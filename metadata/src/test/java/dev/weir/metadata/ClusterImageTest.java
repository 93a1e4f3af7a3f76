package dev.weir.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.metadata.BrokerImage.Fencing;
import dev.weir.protocol.metadata.AccessControlEntryRecord;
import dev.weir.protocol.metadata.BeginTransactionRecord;
import dev.weir.protocol.metadata.BrokerRegistrationChangeRecord;
import dev.weir.protocol.metadata.ClearElrRecord;
import dev.weir.protocol.metadata.ClientQuotaRecord;
import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.DelegationTokenRecord;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.FenceBrokerRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.NoOpRecord;
import dev.weir.protocol.metadata.PartitionChangeRecord;
import dev.weir.protocol.metadata.PartitionRecord;
import dev.weir.protocol.metadata.ProducerIdsRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import dev.weir.protocol.metadata.RegisterControllerRecord;
import dev.weir.protocol.metadata.RemoveAccessControlEntryRecord;
import dev.weir.protocol.metadata.RemoveTopicRecord;
import dev.weir.protocol.metadata.RemoveUserScramCredentialRecord;
import dev.weir.protocol.metadata.TopicRecord;
import dev.weir.protocol.metadata.UnfenceBrokerRecord;
import dev.weir.protocol.metadata.UnregisterBrokerRecord;
import dev.weir.protocol.metadata.UserScramCredentialRecord;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClusterImageTest {
  private static final UUID ORDERS = new UUID(7, 1);
  private static final UUID DIRECTORY = new UUID(9, 9);

  private static ClusterImage image(MetadataRecord... records) {
    ClusterImage image = ClusterImage.EMPTY;
    for (MetadataRecord record : records) {
      image = image.apply(record);
    }
    return image;
  }

  private static MetadataRecord topic() {
    return TopicRecord.DEFAULT.withName("orders").withTopicId(ORDERS);
  }

  private static PartitionRecord partition(int id) {
    return PartitionRecord.DEFAULT
        .withTopicId(ORDERS)
        .withPartitionId(id)
        .withReplicas(List.of(1, 2))
        .withDirectories(List.of(DIRECTORY, PartitionImage.UNASSIGNED_DIRECTORY))
        .withIsr(List.of(1, 2))
        .withLeader(1)
        .withLeaderEpoch(3)
        .withPartitionEpoch(5);
  }

  private static PartitionChangeRecord change() {
    return PartitionChangeRecord.DEFAULT.withTopicId(ORDERS).withPartitionId(0);
  }

  private static PartitionImage partition0(ClusterImage image) {
    return image.topics().topic("orders").orElseThrow().partition(0).orElseThrow();
  }

  private static MetadataRecord broker(int id) {
    return RegisterBrokerRecord.DEFAULT
        .withBrokerId(id)
        .withBrokerEpoch(10)
        .withLogDirs(List.of(DIRECTORY))
        .withEndPoints(
            List.of(
                RegisterBrokerRecord.BrokerEndpoint.DEFAULT
                    .withName("PLAINTEXT")
                    .withHost("h")
                    .withPort(9092)));
  }

  private static MetadataRecord config(String name, String value) {
    return ConfigRecord.DEFAULT
        .withResourceType((byte) 2)
        .withResourceName("orders")
        .withName(name)
        .withValue(value);
  }

  @Test
  void topicIsFoundByNameAndById() {
    ClusterImage image = image(topic(), partition(0), partition(1));
    assertThat(image.topics().topic(ORDERS)).isEqualTo(image.topics().topic("orders"));
    assertThat(image.topics().topic("orders").orElseThrow().partitionCount()).isEqualTo(2);
  }

  @Test
  void removedTopicTakesItsConfigurationAlong() {
    ClusterImage image =
        image(topic(), config("retention.ms", "5"), RemoveTopicRecord.DEFAULT.withTopicId(ORDERS));
    assertThat(image).isEqualTo(ClusterImage.EMPTY);
  }

  @Test
  void changeOfTheLeaderRaisesBothEpochs() {
    PartitionImage changed = partition0(image(topic(), partition(0), change().withLeader(2)));
    assertThat(changed.leader()).isEqualTo(2);
    assertThat(changed.leaderEpoch()).isEqualTo(4);
    assertThat(changed.partitionEpoch()).isEqualTo(6);
  }

  @Test
  void changeToTheSameLeaderRaisesTheLeaderEpochToo() {
    PartitionImage changed = partition0(image(topic(), partition(0), change().withLeader(1)));
    assertThat(changed.leaderEpoch()).isEqualTo(4);
  }

  @Test
  void changeOfTheIsrLeavesTheLeaderEpoch() {
    PartitionImage changed = partition0(image(topic(), partition(0), change().withIsr(List.of(1))));
    assertThat(changed.isr()).containsExactly(1);
    assertThat(changed.leaderEpoch()).isEqualTo(3);
    assertThat(changed.partitionEpoch()).isEqualTo(6);
  }

  @Test
  void directoriesFollowTheirReplicas() {
    PartitionImage changed =
        partition0(image(topic(), partition(0), change().withReplicas(List.of(3, 1))));
    assertThat(changed.directories())
        .containsExactly(PartitionImage.UNASSIGNED_DIRECTORY, DIRECTORY);
  }

  @Test
  void changeOfADeletedTopicChangesNothing() {
    assertThat(image(change().withLeader(2), partition(0))).isEqualTo(ClusterImage.EMPTY);
  }

  @Test
  void clearedElrIsEmpty() {
    ClusterImage image =
        image(
            topic(),
            partition(0).withEligibleLeaderReplicas(List.of(2)).withLastKnownElr(List.of(2)),
            ClearElrRecord.DEFAULT.withTopicName("orders"));
    assertThat(partition0(image).elr()).isEmpty();
    assertThat(partition0(image).lastKnownElr()).isEmpty();
  }

  @Test
  void configWithoutAValueIsRemoved() {
    ClusterImage set = image(config("retention.ms", "5"), config("cleanup.policy", "compact"));
    assertThat(set.configs().of(ConfigResource.topic("orders")))
        .isEqualTo(Map.of("retention.ms", "5", "cleanup.policy", "compact"));
    ClusterImage removed = set.apply(((ConfigRecord) config("retention.ms", "")).withValue(null));
    assertThat(removed.configs().of(ConfigResource.topic("orders")))
        .isEqualTo(Map.of("cleanup.policy", "compact"));
  }

  @Test
  void brokerIsFencedUntilUnfenced() {
    ClusterImage registered = image(broker(1));
    assertThat(registered.nodes().broker(1).orElseThrow().isActive()).isFalse();
    ClusterImage active = registered.apply(UnfenceBrokerRecord.DEFAULT.withId(1));
    assertThat(active.nodes().broker(1).orElseThrow().isActive()).isTrue();
    ClusterImage fenced = active.apply(FenceBrokerRecord.DEFAULT.withId(1));
    assertThat(fenced.nodes().broker(1).orElseThrow().fenced()).isEqualTo(Fencing.FENCED);
  }

  @Test
  void registrationChangesApply() {
    BrokerRegistrationChangeRecord change = BrokerRegistrationChangeRecord.DEFAULT.withBrokerId(1);
    ClusterImage image =
        image(broker(1), change.withFenced((byte) -1), change.withInControlledShutdown((byte) 1));
    BrokerImage broker = image.nodes().broker(1).orElseThrow();
    assertThat(broker.fenced()).isEqualTo(Fencing.SHUTTING_DOWN);
    assertThat(broker.directories()).containsExactly(DIRECTORY);
    assertThat(broker.listener("PLAINTEXT").orElseThrow().port()).isEqualTo(9092);
    assertThat(image.apply(change.withFenced((byte) 1)).nodes().broker(1).orElseThrow().fenced())
        .isEqualTo(Fencing.FENCED);
  }

  @Test
  void unregisteredBrokerIsGone() {
    assertThat(image(broker(1), UnregisterBrokerRecord.DEFAULT.withBrokerId(1)))
        .isEqualTo(ClusterImage.EMPTY);
  }

  @Test
  void featureAtLevelZeroIsAbsent() {
    FeatureLevelRecord feature = FeatureLevelRecord.DEFAULT.withName("group.version");
    ClusterImage on = image(feature.withFeatureLevel((short) 1));
    assertThat(on.featureLevels()).isEqualTo(Map.of("group.version", (short) 1));
    assertThat(on.apply(feature.withFeatureLevel((short) 0))).isEqualTo(ClusterImage.EMPTY);
  }

  @Test
  void producerIdsGoOnFromTheNext() {
    assertThat(image(ProducerIdsRecord.DEFAULT.withNextProducerId(1_000)).nextProducerId())
        .isEqualTo(1_000);
  }

  @Test
  void controllersAreKept() {
    assertThat(image(RegisterControllerRecord.DEFAULT.withControllerId(3)).nodes().controllerById())
        .containsOnlyKeys(3);
  }

  @Test
  void accessRecordsAreKeptAndRemoved() {
    UUID acl = new UUID(1, 1);
    ClusterImage image =
        image(
            AccessControlEntryRecord.DEFAULT.withId(acl),
            UserScramCredentialRecord.DEFAULT.withName("ann").withMechanism((byte) 1),
            DelegationTokenRecord.DEFAULT.withTokenId("t"));
    assertThat(image.access().aclById()).containsOnlyKeys(acl);
    assertThat(image.access().scramByKey()).hasSize(1);
    assertThat(image.access().tokenById()).containsOnlyKeys("t");
    ClusterImage without =
        image
            .apply(RemoveAccessControlEntryRecord.DEFAULT.withId(acl))
            .apply(RemoveUserScramCredentialRecord.DEFAULT.withName("ann").withMechanism((byte) 1));
    assertThat(without.access().aclById()).isEmpty();
    assertThat(without.access().scramByKey()).isEmpty();
  }

  @Test
  void quotasAreSetAndRemovedByEntity() {
    ClientQuotaRecord quota =
        ClientQuotaRecord.DEFAULT
            .withEntity(
                List.of(
                    ClientQuotaRecord.EntityData.DEFAULT
                        .withEntityType("user")
                        .withEntityName("ann")))
            .withKey("producer_byte_rate")
            .withValue(1024.0);
    ClusterImage limited = image(quota);
    assertThat(limited.access().quotasByEntity().values().iterator().next())
        .isEqualTo(Map.of("producer_byte_rate", 1024.0));
    assertThat(limited.apply(quota.withRemove(true))).isEqualTo(ClusterImage.EMPTY);
  }

  @Test
  void marksOfTheLogChangeNothing() {
    assertThat(image(NoOpRecord.DEFAULT, BeginTransactionRecord.DEFAULT))
        .isEqualTo(ClusterImage.EMPTY);
  }

  @Test
  void collidingNameIsFoundUntilItsTopicIsGone() {
    ClusterImage image = image(TopicRecord.DEFAULT.withName("a.b").withTopicId(ORDERS));
    assertThat(image.topics().colliding("a_b")).contains("a.b");
    assertThat(image.apply(RemoveTopicRecord.DEFAULT.withTopicId(ORDERS)).topics().colliding("a_b"))
        .isEmpty();
  }
}
