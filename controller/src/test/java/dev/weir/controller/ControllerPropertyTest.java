package dev.weir.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.ImageRecords;
import dev.weir.metadata.PartitionImage;
import dev.weir.metadata.TopicImage;
import dev.weir.protocol.metadata.MetadataRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Whatever commands come, a replay gives the same image, and the image keeps its promises. */
class ControllerPropertyTest {
  private static final int STEPS = 60;

  @Test
  void imageIsTheReplayOfTheLog() {
    qt().withExamples(200).forAll(longs().all()).checkAssert(ControllerPropertyTest::history);
  }

  private static void history(long seed) {
    Random random = new Random(seed);
    ControllerHarness harness = ControllerHarness.withBrokers(1, 2, 3);
    ClusterImage before = harness.image();
    for (int step = 0; step < STEPS; step++) {
      act(harness, random);
      ClusterImage after = harness.image();
      checkEpochs(before, after);
      checkPartitions(after);
      before = after;
    }
    assertThat(harness.replayed()).isEqualTo(harness.image());
    ImageFold fold = new ImageFold();
    ImageRecords.forEach(harness.image(), fold::add);
    List<MetadataRecord> again = new ArrayList<>();
    fold.forEachRecord(again::add);
    assertThat(again.stream().reduce(ClusterImage.EMPTY, ClusterImage::apply, (a, _) -> a))
        .isEqualTo(harness.image());
  }

  private static void act(ControllerHarness harness, Random random) {
    String name = "t" + random.nextInt(5);
    int broker = 1 + random.nextInt(3);
    switch (random.nextInt(6)) {
      case 0, 1 ->
          harness.create(
              NewTopic.named(name)
                  .withPartitions(random.nextInt(5))
                  .withReplicationFactor(random.nextInt(5)));
      case 2 -> harness.await(harness.controller.deleteTopics(List.of(new TopicRef.ByName(name))));
      case 3 ->
          harness.await(
              harness.controller.createPartitions(
                  List.of(new MorePartitions(name, random.nextInt(8), List.of())), Mode.APPLY));
      case 4 -> {
        if (random.nextBoolean()) {
          harness.register(broker, new UUID(random.nextLong(), random.nextLong()));
        } else {
          long epoch = harness.image().nodes().broker(broker).orElseThrow().epoch();
          harness.await(harness.controller.fenceBroker(broker, epoch));
        }
      }
      default ->
          harness.await(
              harness.controller.replaceConfigs(
                  Map.of(
                      ConfigResource.topic(name),
                      Map.of("retention.ms", Integer.toString(random.nextInt(4) - 2))),
                  Mode.APPLY));
    }
  }

  private static void checkEpochs(ClusterImage before, ClusterImage after) {
    for (TopicImage topic : before.topics().all()) {
      for (PartitionImage old : topic.partitions()) {
        after
            .topics()
            .topic(topic.id())
            .flatMap(t -> t.partition(old.id()))
            .ifPresent(
                now -> {
                  assertThat(now.leaderEpoch()).isGreaterThanOrEqualTo(old.leaderEpoch());
                  assertThat(now.partitionEpoch()).isGreaterThanOrEqualTo(old.partitionEpoch());
                  if (now.leader() != old.leader()) {
                    assertThat(now.leaderEpoch()).isGreaterThan(old.leaderEpoch());
                  }
                });
      }
    }
  }

  private static void checkPartitions(ClusterImage image) {
    for (TopicImage topic : image.topics().all()) {
      for (PartitionImage partition : topic.partitions()) {
        assertThat(partition.isr()).isNotEmpty();
        assertThat(partition.replicas()).containsAll(partition.isr()).doesNotHaveDuplicates();
        assertThat(partition.directories()).hasSameSizeAs(partition.replicas());
        if (partition.hasLeader()) {
          assertThat(partition.isr()).contains(partition.leader());
          assertThat(image.nodes().broker(partition.leader()).orElseThrow().isActive()).isTrue();
        }
      }
    }
  }
}
