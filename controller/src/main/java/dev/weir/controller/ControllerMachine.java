package dev.weir.controller;

import dev.weir.machine.Decision;
import dev.weir.machine.StateMachine;
import dev.weir.machine.Timer;
import dev.weir.metadata.ClusterImage;
import dev.weir.protocol.metadata.MetadataRecord;
import java.util.List;

/**
 * The controller as a machine: which records a command becomes, given the cluster as it is. Pure;
 * the rules themselves are in one class a kind of command.
 */
final class ControllerMachine
    implements StateMachine<ClusterImage, ControllerCommand, MetadataRecord, ControllerReply> {

  /** What the rules of one command come to. */
  record Verdict(List<MetadataRecord> records, ControllerReply reply) {
    Verdict {
      records = List.copyOf(records);
    }

    static Verdict refused(Refusal refusal) {
      return new Verdict(List.of(), new ControllerReply.Refused(refusal));
    }

    Verdict in(Mode mode) {
      return mode == Mode.APPLY ? this : new Verdict(List.of(), reply);
    }
  }

  private final TopicRules topics;
  private final ConfigRules configs = new ConfigRules();
  private final BrokerRules brokers = new BrokerRules();
  private final FeatureRules features = new FeatureRules();

  ControllerMachine(ControllerSettings settings) {
    this.topics = new TopicRules(settings);
  }

  @Override
  public ClusterImage empty() {
    return ClusterImage.EMPTY;
  }

  @Override
  public Decision<MetadataRecord, ControllerCommand, ControllerReply> decide(
      ClusterImage image, ControllerCommand command, long replyTo) {
    Verdict verdict =
        switch (command) {
          case ControllerCommand.CreateTopics create ->
              topics.create(image, create).in(create.mode());
          case ControllerCommand.DeleteTopics delete -> topics.delete(image, delete);
          case ControllerCommand.CreatePartitions create ->
              topics.createPartitions(image, create).in(create.mode());
          case ControllerCommand.AlterConfigs alter -> configs.alter(image, alter).in(alter.mode());
          case ControllerCommand.ReplaceConfigs replace ->
              configs.replace(image, replace).in(replace.mode());
          case ControllerCommand.RegisterBroker register ->
              brokers.register(image, register.registration());
          case ControllerCommand.FenceBroker fence -> brokers.fence(image, fence);
          case ControllerCommand.AllocateProducerIds allocate ->
              brokers.allocateProducerIds(image, allocate);
          case ControllerCommand.UpdateFeatures update ->
              features.update(image, update).in(update.mode());
        };
    return Decision.write(verdict.records(), replyTo, verdict.reply());
  }

  @Override
  public ClusterImage apply(ClusterImage image, MetadataRecord record) {
    return image.apply(record);
  }

  @Override
  public List<Timer<ControllerCommand>> timersAfterReplay(ClusterImage image, long nowMs) {
    return List.of();
  }
}
