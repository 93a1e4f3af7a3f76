package dev.weir.controller;

import static dev.weir.controller.ControllerHarness.registration;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.PartitionImage;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.PartitionChangeRecord;
import dev.weir.protocol.metadata.PartitionRecord;
import dev.weir.protocol.metadata.TopicRecord;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who leads what controllers of Apache Kafka have left without a leader (KIP-966). */
final class BrokerRulesTest {
  private static final UUID TOPIC = new UUID(7, 7);
  private static final PartitionChangeRecord STOPPED =
      PartitionChangeRecord.DEFAULT
          .withTopicId(TOPIC)
          .withPartitionId(0)
          .withLeader(PartitionImage.NO_LEADER)
          .withIsr(List.of());

  /** The partition after broker 1 has registered. */
  private static PartitionImage registered(List<Integer> replicas, PartitionChangeRecord change) {
    ClusterImage image =
        applied(
            ClusterImage.EMPTY,
            List.of(
                TopicRecord.DEFAULT.withName("a").withTopicId(TOPIC),
                PartitionRecord.DEFAULT
                    .withTopicId(TOPIC)
                    .withPartitionId(0)
                    .withLeaderEpoch(0)
                    .withReplicas(replicas)
                    .withIsr(replicas)
                    .withLeader(replicas.getFirst()),
                change));
    List<MetadataRecord> records =
        new BrokerRules().register(image, registration(1, new UUID(1, 1))).records();
    return applied(image, records).topics().topic("a").orElseThrow().partition(0).orElseThrow();
  }

  private static ClusterImage applied(ClusterImage image, List<MetadataRecord> records) {
    for (MetadataRecord record : records) {
      image = image.apply(record);
    }
    return image;
  }

  @Test
  void eligibleReplicaLeadsAndIsInSync() {
    PartitionImage partition =
        registered(
            List.of(1),
            STOPPED.withEligibleLeaderReplicas(List.of(1)).withLastKnownElr(List.of(1)));
    assertThat(partition.leader()).isEqualTo(1);
    assertThat(partition.isr()).containsExactly(1);
    assertThat(partition.elr()).isEmpty();
    assertThat(partition.lastKnownElr()).isEmpty();
    assertThat(partition.leaderEpoch()).isEqualTo(2);
  }

  @Test
  void otherEligibleReplicasStayEligible() {
    PartitionImage partition =
        registered(List.of(1, 2), STOPPED.withEligibleLeaderReplicas(List.of(2, 1)));
    assertThat(partition.leader()).isEqualTo(1);
    assertThat(partition.isr()).containsExactly(1);
    assertThat(partition.elr()).containsExactly(2);
  }

  @Test
  void lastKnownReplicaLeadsWhereItIsTheOnlyOne() {
    PartitionImage partition = registered(List.of(1), STOPPED.withLastKnownElr(List.of(1)));
    assertThat(partition.leader()).isEqualTo(1);
    assertThat(partition.isr()).containsExactly(1);
  }

  @Test
  void replicaThatMayLackRecordsDoesNotLead() {
    assertThat(registered(List.of(1, 2), STOPPED.withLastKnownElr(List.of(1))).hasLeader())
        .isFalse();
    assertThat(
            registered(List.of(1, 2), STOPPED.withEligibleLeaderReplicas(List.of(2))).hasLeader())
        .isFalse();
  }
}
