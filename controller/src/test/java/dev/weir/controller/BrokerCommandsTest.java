package dev.weir.controller;

import static dev.weir.controller.ControllerHarness.registration;
import static dev.weir.controller.ControllerHarness.withBrokers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.metadata.PartitionImage;
import dev.weir.protocol.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BrokerCommandsTest {

  private static void assertRefused(ThrowingCallable call, ErrorCode error) {
    assertThatThrownBy(call)
        .cause()
        .isInstanceOfSatisfying(
            ControllerException.class, refused -> assertThat(refused.error()).isEqualTo(error));
  }

  private static PartitionImage partition(ControllerHarness harness, String topic) {
    return harness.topic(topic).partition(0).orElseThrow();
  }

  @Test
  void registeredBrokerIsActiveAtOnce() {
    assertThat(withBrokers(1).image().nodes().broker(1).orElseThrow().isActive()).isTrue();
  }

  @Test
  void nextProcessTakesOverWithAHigherEpochs() {
    ControllerHarness harness = withBrokers(1);
    harness.created(NewTopic.named("a"));
    long before = harness.image().nodes().broker(1).orElseThrow().epoch();
    long after = harness.register(1, new UUID(1, 2));
    assertThat(after).isGreaterThan(before);
    assertThat(partition(harness, "a").leader()).isEqualTo(1);
    assertThat(partition(harness, "a").leaderEpoch()).isEqualTo(1);
  }

  @Test
  void repeatedRegistrationOfOneProcessChangesNothing() {
    ControllerHarness harness = withBrokers(1);
    harness.created(NewTopic.named("a"));
    long before = harness.log.endOffset();
    assertThat(harness.register(1, new UUID(1, 1)))
        .isEqualTo(harness.image().nodes().broker(1).orElseThrow().epoch());
    assertThat(harness.log.endOffset()).isEqualTo(before);
  }

  @Test
  void registrationAfterACleanStopWritesOneRecord() {
    ControllerHarness harness = withBrokers(1);
    harness.created(NewTopic.named("a").withPartitions(50));
    PartitionImage led = partition(harness, "a");
    long before = harness.log.endOffset();
    harness.await(
        harness.controller.registerBroker(
            registration(1, new UUID(1, 2), BrokerRegistration.LastStop.CLEAN)));
    assertThat(harness.log.endOffset()).isEqualTo(before + 1);
    assertThat(partition(harness, "a")).isEqualTo(led);
    harness.register(1, new UUID(1, 3));
    assertThat(harness.log.endOffset()).isEqualTo(before + 1 + 1 + 50);
  }

  @Test
  void brokerWithoutADirectoryIsRefused() {
    ControllerHarness harness = withBrokers();
    BrokerRegistration whole = registration(1, new UUID(1, 1));
    BrokerRegistration without =
        new BrokerRegistration(
            1,
            whole.incarnationId(),
            whole.listeners(),
            whole.features(),
            whole.rack(),
            List.of(),
            whole.lastStop());
    assertRefused(
        () -> harness.await(harness.controller.registerBroker(without)),
        ErrorCode.INVALID_REGISTRATION);
  }

  @Test
  void lastInSyncReplicaThatLeavesLeavesNoLeader() {
    ControllerHarness harness = withBrokers(1);
    harness.created(NewTopic.named("a"));
    long epoch = harness.image().nodes().broker(1).orElseThrow().epoch();
    harness.await(harness.controller.fenceBroker(1, epoch));
    assertThat(partition(harness, "a").leader()).isEqualTo(PartitionImage.NO_LEADER);
    assertThat(partition(harness, "a").isr()).containsExactly(1);
    harness.register(1, new UUID(1, 2));
    assertThat(partition(harness, "a").leader()).isEqualTo(1);
    assertThat(partition(harness, "a").leaderEpoch()).isEqualTo(2);
  }

  @Test
  void anotherInSyncReplicaLeadsWhenTheLeaderLeaves() {
    ControllerHarness harness = withBrokers(1, 2);
    harness.created(NewTopic.named("a").withAssignments(Map.of(0, List.of(1, 2))));
    long epoch = harness.image().nodes().broker(1).orElseThrow().epoch();
    harness.await(harness.controller.fenceBroker(1, epoch));
    assertThat(partition(harness, "a").leader()).isEqualTo(2);
    assertThat(partition(harness, "a").isr()).containsExactly(2);
  }

  @Test
  void producerIdBlocksDoNotOverlap() {
    ControllerHarness harness = withBrokers(1);
    long epoch = harness.image().nodes().broker(1).orElseThrow().epoch();
    assertThat(harness.await(harness.controller.allocateProducerIds(1, epoch)))
        .isEqualTo(new ProducerIdBlock(0, 1_000));
    assertThat(harness.await(harness.controller.allocateProducerIds(1, epoch)))
        .isEqualTo(new ProducerIdBlock(1_000, 1_000));
  }

  @Test
  void processThatWasReplacedGetsNothing() {
    ControllerHarness harness = withBrokers(1);
    long old = harness.image().nodes().broker(1).orElseThrow().epoch();
    harness.register(1, new UUID(1, 2));
    assertRefused(
        () -> harness.await(harness.controller.allocateProducerIds(1, old)),
        ErrorCode.STALE_BROKER_EPOCH);
    assertRefused(
        () -> harness.await(harness.controller.fenceBroker(1, old)), ErrorCode.STALE_BROKER_EPOCH);
    assertRefused(
        () -> harness.await(harness.controller.allocateProducerIds(7, 0)),
        ErrorCode.BROKER_ID_NOT_REGISTERED);
  }
}
