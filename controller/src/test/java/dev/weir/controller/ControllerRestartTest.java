package dev.weir.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.MetaProperties;
import dev.weir.machine.MachineHost;
import dev.weir.machine.simulated.SimulatedTime;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.raft.MetadataFormat;
import dev.weir.raft.MetadataLog;
import dev.weir.raft.SnapshotPolicy;
import dev.weir.raft.Voter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller over the real metadata log, from one life of the node to the next. */
class ControllerRestartTest {
  private static final MetaProperties IDENTITY =
      new MetaProperties("MkU3OEVBNTcwNTJENDM2Qg", 1, new UUID(1, 2));

  private static final long SNAPSHOT_BYTES = 200_000;

  @TempDir private Path path;
  private final SimulatedTime time = new SimulatedTime(1_000);
  private long nextTopicId = 100;

  private void format() {
    try (LogDirectory directory = LogDirectory.open(path, time)) {
      Formatter.format(
          directory, IDENTITY, new Voter.Endpoint("CONTROLLER", "127.0.0.1", 9093), 1_000);
    }
  }

  private void running(Consumer<Controller> action) {
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        LogDirectory directory = LogDirectory.open(path, time)) {
      directory.load(LogConfig.DEFAULT);
      try (MetadataLog log = MetadataLog.open(directory, time, _ -> {})) {
        log.lead();
        log.takeSnapshots(new SnapshotPolicy(SNAPSHOT_BYTES, ImageFold::new, Runnable::run));
        Controller controller =
            new Controller(
                ControllerSettings.DEFAULT,
                new ControllerLog(log),
                new MachineHost(executor, time, time),
                () -> new UUID(0, nextTopicId++));
        controller.load().join();
        action.accept(controller);
        controller.resign("the node stops").join();
      }
    }
  }

  @Test
  void formattedDirectoryHasTheServedFeatures() {
    format();
    running(
        controller ->
            assertThat(controller.image().featureLevels())
                .isEqualTo(Map.of("metadata.version", (short) 33)));
  }

  @Test
  void formattedDirectoryIsNotFormattedAgain() {
    format();
    assertThatThrownBy(this::format).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void everythingAnsweredIsThereAfterARestart() {
    format();
    ClusterImage[] before = {ClusterImage.EMPTY};
    running(
        controller -> {
          long epoch = register(controller, new UUID(1, 1));
          controller
              .createTopics(
                  List.of(
                      NewTopic.named("a")
                          .withPartitions(20)
                          .withConfigs(Map.of("cleanup.policy", "compact"))),
                  Mode.APPLY)
              .join();
          controller.createTopics(List.of(NewTopic.named("b")), Mode.APPLY).join();
          controller.deleteTopics(List.of(new TopicRef.ByName("b"))).join();
          controller.allocateProducerIds(1, epoch).join();
          before[0] = controller.image();
        });
    running(
        controller -> {
          assertThat(controller.image()).isEqualTo(before[0]);
          assertThat(controller.image().configs().of(ConfigResource.topic("a")))
              .isEqualTo(Map.of("cleanup.policy", "compact"));
        });
  }

  @Test
  void leaderEpochsRiseWithEveryStart() {
    format();
    running(
        controller -> {
          register(controller, new UUID(1, 1));
          controller.createTopics(List.of(NewTopic.named("a")), Mode.APPLY).join();
          assertThat(leaderEpoch(controller)).isZero();
        });
    for (int life = 1; life < 4; life++) {
      int expected = life;
      running(
          controller -> {
            register(controller, new UUID(1, 1 + expected));
            assertThat(leaderEpoch(controller)).isEqualTo(expected);
          });
    }
  }

  @Test
  void metadataOfThousandsOfTopicsStaysBoundedOverManyStarts() throws IOException {
    format();
    ClusterImage[] last = {ClusterImage.EMPTY};
    running(
        controller -> {
          register(controller, new UUID(1, 1));
          for (int i = 0; i < 30; i++) {
            List<NewTopic> topics = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
              topics.add(NewTopic.named("topic-" + i + "-" + j));
            }
            controller.createTopics(topics, Mode.APPLY).join();
          }
          last[0] = controller.image();
        });
    long imageBytes = metadataBytes();
    for (int life = 0; life < 12; life++) {
      int incarnation = life + 2;
      running(
          controller -> {
            assertThat(controller.image()).isEqualTo(last[0]);
            register(controller, new UUID(1, incarnation)); // unclean: an epoch for each partition
            last[0] = controller.image();
          });
      assertThat(metadataBytes()).isLessThan(imageBytes + 3 * SNAPSHOT_BYTES);
    }
    assertThat(last[0].topics().size()).isEqualTo(3000);
    long before = metadataBytes();
    for (int life = 0; life < 12; life++) {
      int incarnation = life + 100;
      running(
          controller ->
              controller
                  .registerBroker(
                      ControllerHarness.registration(
                          1, new UUID(1, incarnation), BrokerRegistration.LastStop.CLEAN))
                  .join());
    }
    assertThat(metadataBytes()).isLessThan(before + 12 * 1_000);
  }

  private long metadataBytes() throws IOException {
    try (Stream<Path> files = Files.list(path.resolve("__cluster_metadata-0"))) {
      return files
          .filter(file -> file.toString().matches(".*\\.(log|checkpoint)"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  @Test
  void logOfALaterMetadataVersionIsRefused() {
    MetadataRecord later =
        FeatureLevelRecord.DEFAULT.withName("metadata.version").withFeatureLevel((short) 34);
    try (LogDirectory directory = LogDirectory.open(path, time)) {
      Voter voter = new Voter(1, new UUID(1, 2), List.of());
      MetadataFormat.write(directory, List.of(voter), List.of(later), 1_000);
      directory.format(IDENTITY);
    }
    assertThatThrownBy(() -> running(_ -> {}))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("metadata.version is 34");
  }

  @Test
  void answerComesAfterTheListeners() {
    format();
    running(
        controller -> {
          register(controller, new UUID(1, 1));
          boolean[] told = {false};
          controller.addListener((_, after) -> told[0] = after.topics().topic("a").isPresent());
          controller.createTopics(List.of(NewTopic.named("a")), Mode.APPLY).join();
          assertThat(told[0]).isTrue();
        });
  }

  private static long register(Controller controller, UUID incarnation) {
    return controller.registerBroker(ControllerHarness.registration(1, incarnation)).join();
  }

  private static int leaderEpoch(Controller controller) {
    return controller
        .image()
        .topics()
        .topic("a")
        .flatMap(topic -> topic.partition(0))
        .orElseThrow()
        .leaderEpoch();
  }
}
