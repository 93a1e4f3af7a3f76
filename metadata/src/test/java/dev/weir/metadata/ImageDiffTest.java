package dev.weir.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.PartitionChangeRecord;
import dev.weir.protocol.metadata.PartitionRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import dev.weir.protocol.metadata.RemoveTopicRecord;
import dev.weir.protocol.metadata.TopicRecord;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ImageDiffTest {
  private static final UUID A = new UUID(0, 10);
  private static final UUID B = new UUID(0, 11);

  private final ClusterImage before =
      apply(ClusterImage.EMPTY, topic("a", A), partition(A, 0), topic("b", B), partition(B, 0));

  private static ClusterImage apply(ClusterImage image, MetadataRecord... records) {
    ClusterImage result = image;
    for (MetadataRecord record : records) {
      result = result.apply(record);
    }
    return result;
  }

  private static MetadataRecord topic(String name, UUID id) {
    return TopicRecord.DEFAULT.withName(name).withTopicId(id);
  }

  private static MetadataRecord partition(UUID topic, int id) {
    return PartitionRecord.DEFAULT
        .withTopicId(topic)
        .withPartitionId(id)
        .withReplicas(List.of(1))
        .withIsr(List.of(1))
        .withLeader(1);
  }

  private static List<String> names(List<TopicImage> topics) {
    return topics.stream().map(TopicImage::name).toList();
  }

  @Test
  void sameImageHasNoDifference() {
    assertThat(ImageDiff.between(before, before).isEmpty()).isTrue();
  }

  @Test
  void createdTopicIsToldWhole() {
    UUID id = new UUID(0, 12);
    ClusterImage after = apply(before, topic("c", id), partition(id, 0));
    ImageDiff diff = ImageDiff.between(before, after);
    assertThat(names(diff.createdTopics())).containsExactly("c");
    assertThat(diff.deletedTopics()).isEmpty();
    assertThat(diff.changedPartitions()).isEmpty();
  }

  @Test
  void deletedTopicIsToldAsItWas() {
    ClusterImage after = apply(before, RemoveTopicRecord.DEFAULT.withTopicId(A));
    ImageDiff diff = ImageDiff.between(before, after);
    assertThat(diff.deletedTopics()).containsExactly(before.topics().topic(A).orElseThrow());
    assertThat(diff.createdTopics()).isEmpty();
  }

  @Test
  void topicMadeAgainUnderItsNameIsDeletedAndCreated() {
    UUID id = new UUID(0, 13);
    ClusterImage after =
        apply(before, RemoveTopicRecord.DEFAULT.withTopicId(A), topic("a", id), partition(id, 0));
    ImageDiff diff = ImageDiff.between(before, after);
    assertThat(diff.deletedTopics()).extracting(TopicImage::id).containsExactly(A);
    assertThat(diff.createdTopics()).extracting(TopicImage::id).containsExactly(id);
    assertThat(diff.changedPartitions()).isEmpty();
  }

  @Test
  void onlyChangedPartitionsAreTold() {
    ClusterImage two = apply(before, partition(A, 1));
    ClusterImage after =
        apply(two, PartitionChangeRecord.DEFAULT.withTopicId(A).withPartitionId(1).withLeader(1));
    ImageDiff diff = ImageDiff.between(two, after);
    assertThat(diff.changedPartitions())
        .singleElement()
        .satisfies(
            changed -> {
              assertThat(changed.topic().name()).isEqualTo("a");
              assertThat(changed.before().orElseThrow().leaderEpoch()).isEqualTo(-1);
              assertThat(changed.after().leaderEpoch()).isZero();
            });
  }

  @Test
  void newPartitionHasNothingBefore() {
    ImageDiff diff = ImageDiff.between(before, apply(before, partition(B, 1)));
    assertThat(diff.changedPartitions())
        .singleElement()
        .satisfies(changed -> assertThat(changed.before()).isEmpty());
  }

  @Test
  void changedConfigsAndBrokersAreTold() {
    ClusterImage after =
        apply(
            before,
            ConfigRecord.DEFAULT
                .withResourceType((byte) 2)
                .withResourceName("a")
                .withName("retention.ms")
                .withValue("1"),
            RegisterBrokerRecord.DEFAULT.withBrokerId(4));
    ImageDiff diff = ImageDiff.between(before, after);
    assertThat(diff.changedConfigs()).containsExactly(ConfigResource.topic("a"));
    assertThat(diff.changedBrokers()).containsExactly(4);
  }
}
