package dev.weir.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.metadata.AccessControlEntryRecord;
import dev.weir.protocol.metadata.BrokerRegistrationChangeRecord;
import dev.weir.protocol.metadata.ClientQuotaRecord;
import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.DelegationTokenRecord;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.PartitionRecord;
import dev.weir.protocol.metadata.ProducerIdsRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import dev.weir.protocol.metadata.RegisterControllerRecord;
import dev.weir.protocol.metadata.TopicRecord;
import dev.weir.protocol.metadata.UserScramCredentialRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ImageRecordsTest {
  private static final UUID TOPIC = new UUID(3, 4);

  private static ClusterImage fold(List<MetadataRecord> records) {
    ClusterImage image = ClusterImage.EMPTY;
    for (MetadataRecord record : records) {
      image = image.apply(record);
    }
    return image;
  }

  private static RegisterBrokerRecord broker(int id) {
    return RegisterBrokerRecord.DEFAULT
        .withBrokerId(id)
        .withBrokerEpoch(7)
        .withIncarnationId(new UUID(id, 9))
        .withRack("r" + id)
        .withFenced(false)
        .withLogDirs(List.of(new UUID(id, 1), new UUID(id, 2)))
        .withCordonedLogDirs(List.of(new UUID(id, 2)))
        .withFeatures(
            List.of(
                RegisterBrokerRecord.BrokerFeature.DEFAULT
                    .withName("metadata.version")
                    .withMinSupportedVersion((short) 7)
                    .withMaxSupportedVersion((short) 33)))
        .withEndPoints(
            List.of(
                RegisterBrokerRecord.BrokerEndpoint.DEFAULT
                    .withName("PLAINTEXT")
                    .withHost("h" + id)
                    .withPort(9092)
                    .withSecurityProtocol((short) 3)));
  }

  private static final List<MetadataRecord> NODES_AND_TOPICS =
      List.of(
          FeatureLevelRecord.DEFAULT.withName("group.version").withFeatureLevel((short) 1),
          FeatureLevelRecord.DEFAULT.withName("metadata.version").withFeatureLevel((short) 33),
          RegisterControllerRecord.DEFAULT.withControllerId(1).withIncarnationId(new UUID(1, 1)),
          broker(1),
          broker(2).withFenced(true).withRack(null).withCordonedLogDirs(null),
          broker(3),
          BrokerRegistrationChangeRecord.DEFAULT
              .withBrokerId(3)
              .withBrokerEpoch(7)
              .withInControlledShutdown((byte) 1),
          TopicRecord.DEFAULT.withName("t").withTopicId(TOPIC),
          PartitionRecord.DEFAULT
              .withTopicId(TOPIC)
              .withPartitionId(0)
              .withReplicas(List.of(1, 2, 3))
              .withDirectories(List.of(new UUID(1, 1), new UUID(2, 1), new UUID(3, 1)))
              .withIsr(List.of(1))
              .withRemovingReplicas(List.of(3))
              .withAddingReplicas(List.of(2))
              .withEligibleLeaderReplicas(List.of(2))
              .withLastKnownElr(List.of(3))
              .withLeader(1)
              .withLeaderRecoveryState((byte) 1)
              .withLeaderEpoch(5)
              .withPartitionEpoch(6),
          PartitionRecord.DEFAULT
              .withTopicId(TOPIC)
              .withPartitionId(1)
              .withReplicas(List.of(2))
              .withIsr(List.of(2))
              .withLeader(-1));

  private static final List<MetadataRecord> REST =
      List.of(
          ConfigRecord.DEFAULT
              .withResourceType((byte) 2)
              .withResourceName("t")
              .withName("retention.ms")
              .withValue("5"),
          ConfigRecord.DEFAULT
              .withResourceType((byte) 4)
              .withResourceName("")
              .withName("log.retention.ms")
              .withValue("6"),
          AccessControlEntryRecord.DEFAULT
              .withId(new UUID(8, 8))
              .withPrincipal("User:a")
              .withHost("*"),
          UserScramCredentialRecord.DEFAULT
              .withName("a")
              .withMechanism((byte) 1)
              .withIterations(4096),
          DelegationTokenRecord.DEFAULT.withTokenId("id").withOwner("User:a"),
          ClientQuotaRecord.DEFAULT
              .withEntity(
                  List.of(
                      ClientQuotaRecord.EntityData.DEFAULT
                          .withEntityType("user")
                          .withEntityName("a"),
                      ClientQuotaRecord.EntityData.DEFAULT
                          .withEntityType("client-id")
                          .withEntityName(null)))
              .withKey("producer_byte_rate")
              .withValue(1.5),
          ProducerIdsRecord.DEFAULT.withBrokerId(1).withNextProducerId(3000));

  @Test
  void recordsOfEveryKindComeToTheSameImage() {
    ClusterImage image = fold(Stream.of(NODES_AND_TOPICS, REST).flatMap(List::stream).toList());
    List<MetadataRecord> records = new ArrayList<>();
    ImageRecords.forEach(image, records::add);
    assertThat(fold(records)).isEqualTo(image);
    assertThat(records.getFirst().toString()).contains("metadata.version");
    assertThat(records).hasSize(16);
  }
}
