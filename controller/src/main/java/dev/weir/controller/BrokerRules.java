package dev.weir.controller;

import dev.weir.controller.BrokerRegistration.LastStop;
import dev.weir.controller.ControllerMachine.Verdict;
import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.BrokerImage.Fencing;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.PartitionImage;
import dev.weir.metadata.TopicImage;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.metadata.BrokerRegistrationChangeRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.PartitionChangeRecord;
import dev.weir.protocol.metadata.ProducerIdsRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Brokers that come and go, and the blocks of producer ids that they are given. */
final class BrokerRules {
  private static final byte FENCE = 1;

  /**
   * Registers a broker as active. Every partition that waits for it to lead starts a new leader
   * epoch, and after an unclean stop every one that it leads: what the process before it had
   * appended may be lost, and readers find the point of divergence by the epoch. After a clean stop
   * nothing is, and no record is written for what has not changed.
   */
  Verdict register(ClusterImage image, BrokerRegistration registration) {
    int id = registration.brokerId();
    if (registration.directories().isEmpty()) {
      return Verdict.refused(
          new Refusal(
              ErrorCode.INVALID_REGISTRATION, "Broker " + id + " has no directory it can use"));
    }
    Optional<BrokerImage> before = image.nodes().broker(id);
    if (before.isPresent()
        && before.get().incarnationId().equals(registration.incarnationId())
        && before.get().isActive()) {
      // The answer to the first try was lost.
      return new Verdict(List.of(), new ControllerReply.BrokerRegistered(before.get().epoch()));
    }
    long epoch = nextEpoch(image);
    List<MetadataRecord> records = new ArrayList<>();
    records.add(record(registration, epoch));
    for (TopicImage topic : image.topics().all()) {
      for (PartitionImage partition : topic.partitions()) {
        boolean wasLed = partition.leader() == id && registration.lastStop() == LastStop.UNCLEAN;
        if (wasLed || (!partition.hasLeader() && holdsAllCommitted(partition, id))) {
          records.add(newLeader(topic, partition, id));
        }
      }
    }
    return new Verdict(records, new ControllerReply.BrokerRegistered(epoch));
  }

  /**
   * Whether a replica lacks nothing that was committed. Controllers of Apache Kafka take the last
   * replica out of the ISR when its broker stops, and keep it among the eligible ones (KIP-966);
   * after an unclean stop it is the last known one of those, and where it is the only replica no
   * other could hold more.
   */
  private static boolean holdsAllCommitted(PartitionImage partition, int broker) {
    return partition.isr().contains(broker)
        || partition.elr().contains(broker)
        || (partition.isr().isEmpty()
            && partition.elr().isEmpty()
            && partition.replicas().equals(List.of(broker))
            && partition.lastKnownElr().contains(broker));
  }

  private static long nextEpoch(ClusterImage image) {
    return 1
        + image.nodes().brokers().stream()
            .map(BrokerImage::epoch)
            .max(Comparator.naturalOrder())
            .orElse(-1L);
  }

  private static RegisterBrokerRecord record(BrokerRegistration registration, long epoch) {
    return RegisterBrokerRecord.DEFAULT
        .withBrokerId(registration.brokerId())
        .withIncarnationId(registration.incarnationId())
        .withBrokerEpoch(epoch)
        .withEndPoints(
            registration.listeners().stream()
                .map(
                    listener ->
                        RegisterBrokerRecord.BrokerEndpoint.DEFAULT
                            .withName(listener.name())
                            .withHost(listener.host())
                            .withPort(listener.port())
                            .withSecurityProtocol(listener.securityProtocol()))
                .toList())
        .withFeatures(
            registration.features().stream()
                .map(
                    feature ->
                        RegisterBrokerRecord.BrokerFeature.DEFAULT
                            .withName(feature.name())
                            .withMinSupportedVersion(feature.least())
                            .withMaxSupportedVersion(feature.greatest()))
                .toList())
        .withRack(registration.rack().orElse(null))
        .withFenced(false)
        .withLogDirs(registration.directories());
  }

  private static PartitionChangeRecord newLeader(
      TopicImage topic, PartitionImage partition, int leader) {
    PartitionChangeRecord change =
        PartitionChangeRecord.DEFAULT
            .withTopicId(topic.id())
            .withPartitionId(partition.id())
            .withLeader(leader);
    if (partition.isr().contains(leader)) {
      return change;
    }
    return change
        .withIsr(List.of(leader))
        .withEligibleLeaderReplicas(
            partition.elr().stream().filter(replica -> replica != leader).toList())
        .withLastKnownElr(List.of());
  }

  /** Takes a broker out: others lead what it led, or nobody where nobody else is in sync. */
  Verdict fence(ClusterImage image, ControllerCommand.FenceBroker command) {
    Optional<Refusal> refusal = refusal(image, command.brokerId(), command.brokerEpoch());
    if (refusal.isPresent()) {
      return Verdict.refused(refusal.get());
    }
    int id = command.brokerId();
    List<MetadataRecord> records = new ArrayList<>();
    if (image.nodes().broker(id).map(BrokerImage::fenced).orElse(Fencing.FENCED)
        != Fencing.FENCED) {
      records.add(
          BrokerRegistrationChangeRecord.DEFAULT
              .withBrokerId(id)
              .withBrokerEpoch(command.brokerEpoch())
              .withFenced(FENCE));
      for (TopicImage topic : image.topics().all()) {
        for (PartitionImage partition : topic.partitions()) {
          if (partition.isr().contains(id)) {
            records.add(without(image, topic, partition, id));
          }
        }
      }
    }
    return new Verdict(records, new ControllerReply.Done());
  }

  /** The last in-sync replica stays one: only it is known to hold every committed record. */
  private static PartitionChangeRecord without(
      ClusterImage image, TopicImage topic, PartitionImage partition, int broker) {
    List<Integer> isr = partition.isr().stream().filter(id -> id != broker).toList();
    PartitionChangeRecord change =
        PartitionChangeRecord.DEFAULT.withTopicId(topic.id()).withPartitionId(partition.id());
    if (!isr.isEmpty()) {
      change = change.withIsr(isr);
    }
    if (partition.leader() != broker) {
      return change;
    }
    return change.withLeader(
        partition.replicas().stream()
            .filter(isr::contains)
            .filter(id -> image.nodes().broker(id).map(BrokerImage::isActive).orElse(false))
            .findFirst()
            .orElse(PartitionImage.NO_LEADER));
  }

  Verdict allocateProducerIds(ClusterImage image, ControllerCommand.AllocateProducerIds command) {
    Optional<Refusal> refusal = refusal(image, command.brokerId(), command.brokerEpoch());
    if (refusal.isPresent()) {
      return Verdict.refused(refusal.get());
    }
    long first = image.nextProducerId();
    if (first > Long.MAX_VALUE - ProducerIdBlock.COUNT) {
      return Verdict.refused(
          new Refusal(ErrorCode.UNKNOWN_SERVER_ERROR, "All producer ids have been given out"));
    }
    return new Verdict(
        List.of(
            ProducerIdsRecord.DEFAULT
                .withBrokerId(command.brokerId())
                .withBrokerEpoch(command.brokerEpoch())
                .withNextProducerId(first + ProducerIdBlock.COUNT)),
        new ControllerReply.ProducerIdsAllocated(
            new ProducerIdBlock(first, ProducerIdBlock.COUNT)));
  }

  private static Optional<Refusal> refusal(ClusterImage image, int brokerId, long brokerEpoch) {
    Optional<BrokerImage> broker = image.nodes().broker(brokerId);
    if (broker.isEmpty()) {
      return Optional.of(
          new Refusal(
              ErrorCode.BROKER_ID_NOT_REGISTERED, "Broker " + brokerId + " is not registered"));
    }
    if (broker.get().epoch() != brokerEpoch) {
      return Optional.of(
          new Refusal(
              ErrorCode.STALE_BROKER_EPOCH,
              "Broker "
                  + brokerId
                  + " has epoch "
                  + broker.get().epoch()
                  + ", the request has "
                  + brokerEpoch));
    }
    return Optional.empty();
  }
}
