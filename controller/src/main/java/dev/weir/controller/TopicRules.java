package dev.weir.controller;

import dev.weir.controller.ControllerMachine.Verdict;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.TopicImage;
import dev.weir.metadata.TopicNames;
import dev.weir.metadata.config.TopicConfigs;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.RemoveTopicRecord;
import dev.weir.protocol.metadata.TopicRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Creating and deleting topics, and adding partitions to them. */
final class TopicRules {
  /** A command may ask for as many partitions in all: more records make no batch of the log. */
  static final int NEW_PARTITIONS_MAX = 10_000;

  private final ControllerSettings settings;

  TopicRules(ControllerSettings settings) {
    this.settings = settings;
  }

  /** Topics before this one in the command exist for it, so the image goes on with each. */
  Verdict create(ClusterImage image, ControllerCommand.CreateTopics command) {
    List<MetadataRecord> records = new ArrayList<>();
    List<TopicCreation> answers = new ArrayList<>();
    ClusterImage current = image;
    for (int i = 0; i < command.topics().size(); i++) {
      NewTopic topic = command.topics().get(i);
      UUID id = command.ids().get(i);
      List<List<Integer>> replicas = new ArrayList<>();
      Optional<Refusal> refusal = refusal(current, topic, id, replicas);
      if (refusal.isPresent()) {
        answers.add(new TopicCreation.Refused(topic.name(), refusal.get()));
        continue;
      }
      List<MetadataRecord> created = records(current, topic, id, replicas);
      if (records.size() + created.size() > NEW_PARTITIONS_MAX) {
        answers.add(new TopicCreation.Refused(topic.name(), tooManyPartitions()));
        continue;
      }
      records.addAll(created);
      for (MetadataRecord record : created) {
        current = current.apply(record);
      }
      answers.add(
          new TopicCreation.Created(
              topic.name(), id, replicas.size(), replicas.getFirst().size(), topic.configs()));
    }
    return new Verdict(records, new ControllerReply.TopicsCreated(answers));
  }

  /** Why a topic can't be created. Where it can, its partitions' replicas are put into the list. */
  private Optional<Refusal> refusal(
      ClusterImage image, NewTopic topic, UUID id, List<List<Integer>> replicas) {
    return nameRefusal(image, topic.name())
        .or(() -> placementRefusal(image, topic, id, replicas))
        .or(
            () ->
                TopicConfigs.refusal(topic.configs())
                    .map(message -> new Refusal(ErrorCode.INVALID_CONFIG, message)));
  }

  private static Optional<Refusal> nameRefusal(ClusterImage image, String name) {
    Optional<String> illegal = TopicNames.refusal(name);
    if (illegal.isPresent()) {
      return Optional.of(new Refusal(ErrorCode.INVALID_TOPIC_EXCEPTION, illegal.get()));
    }
    if (name.equals(TopicNames.CLUSTER_METADATA)) {
      return Optional.of(
          new Refusal(
              ErrorCode.TOPIC_AUTHORIZATION_FAILED,
              "Creation of internal topic " + name + " is prohibited"));
    }
    if (image.topics().topic(name).isPresent()) {
      return Optional.of(
          new Refusal(ErrorCode.TOPIC_ALREADY_EXISTS, "Topic '" + name + "' already exists"));
    }
    return image
        .topics()
        .colliding(name)
        .map(
            other ->
                new Refusal(
                    ErrorCode.INVALID_TOPIC_EXCEPTION,
                    "Topic '" + name + "' collides with existing topic: " + other));
  }

  private Optional<Refusal> placementRefusal(
      ClusterImage image, NewTopic topic, UUID id, List<List<Integer>> replicas) {
    return topic.assignments().isEmpty()
        ? automaticRefusal(image, topic, id, replicas)
        : manualRefusal(image, topic, replicas);
  }

  private Optional<Refusal> automaticRefusal(
      ClusterImage image, NewTopic topic, UUID id, List<List<Integer>> replicas) {
    int partitions =
        topic.partitions() == NewTopic.DEFAULT ? settings.defaultPartitions() : topic.partitions();
    int factor =
        topic.replicationFactor() == NewTopic.DEFAULT
            ? settings.defaultReplicationFactor()
            : topic.replicationFactor();
    if (partitions < 1) {
      return Optional.of(
          new Refusal(
              ErrorCode.INVALID_PARTITIONS,
              "Number of partitions must be larger than 0, or -1 to use the default value; it is "
                  + partitions));
    }
    if (factor < 1) {
      return Optional.of(
          new Refusal(
              ErrorCode.INVALID_REPLICATION_FACTOR,
              "Replication factor must be larger than 0, or -1 to use the default value; it is "
                  + factor));
    }
    if (partitions > NEW_PARTITIONS_MAX) {
      return Optional.of(tooManyPartitions());
    }
    Placement placement = new Placement(image, id);
    Optional<String> unplaceable = placement.refusal(factor);
    if (unplaceable.isPresent()) {
      return Optional.of(new Refusal(ErrorCode.INVALID_REPLICATION_FACTOR, unplaceable.get()));
    }
    for (int partition = 0; partition < partitions; partition++) {
      replicas.add(placement.replicas(partition, factor));
    }
    return Optional.empty();
  }

  private static Optional<Refusal> manualRefusal(
      ClusterImage image, NewTopic topic, List<List<Integer>> replicas) {
    if (topic.partitions() != NewTopic.DEFAULT || topic.replicationFactor() != NewTopic.DEFAULT) {
      return Optional.of(
          new Refusal(
              ErrorCode.INVALID_REQUEST,
              "A manual partition assignment was specified, so the number of partitions and the "
                  + "replication factor must be -1"));
    }
    int expected = 0;
    for (Map.Entry<Integer, List<Integer>> assignment : topic.assignments().entrySet()) {
      if (assignment.getKey() != expected) {
        return Optional.of(
            invalidAssignment("partitions should be a consecutive 0-based integer sequence"));
      }
      expected++;
      Optional<String> refusal = Assignments.refusal(image, assignment.getValue());
      if (refusal.isPresent()) {
        return refusal.map(TopicRules::invalidAssignment);
      }
      replicas.add(assignment.getValue());
    }
    return sameCount(replicas, replicas.getFirst().size());
  }

  private static List<MetadataRecord> records(
      ClusterImage image, NewTopic topic, UUID id, List<List<Integer>> replicas) {
    List<MetadataRecord> records = new ArrayList<>();
    records.add(TopicRecord.DEFAULT.withName(topic.name()).withTopicId(id));
    new TreeMap<>(topic.configs())
        .forEach(
            (name, value) ->
                records.add(
                    ConfigRecord.DEFAULT
                        .withResourceType(ConfigResource.Type.TOPIC.code())
                        .withResourceName(topic.name())
                        .withName(name)
                        .withValue(value)));
    for (int partition = 0; partition < replicas.size(); partition++) {
      records.add(Assignments.partition(image, id, partition, replicas.get(partition)));
    }
    return records;
  }

  Verdict delete(ClusterImage image, ControllerCommand.DeleteTopics command) {
    List<MetadataRecord> records = new ArrayList<>();
    List<TopicDeletion> answers = new ArrayList<>();
    ClusterImage current = image;
    for (TopicRef ref : command.topics()) {
      Optional<TopicImage> topic = find(current, ref);
      if (topic.isEmpty()) {
        answers.add(new TopicDeletion.Refused(ref, unknown(ref)));
        continue;
      }
      if (topic.get().name().equals(TopicNames.WEIR_CATALOG)) {
        answers.add(
            new TopicDeletion.Refused(
                ref,
                new Refusal(
                    ErrorCode.INVALID_REQUEST,
                    "Topic " + TopicNames.WEIR_CATALOG + " holds the definitions of all indexes")));
        continue;
      }
      MetadataRecord removal = RemoveTopicRecord.DEFAULT.withTopicId(topic.get().id());
      records.add(removal);
      current = current.apply(removal);
      answers.add(new TopicDeletion.Deleted(ref, topic.get().name(), topic.get().id()));
    }
    return new Verdict(records, new ControllerReply.TopicsDeleted(answers));
  }

  private static Optional<TopicImage> find(ClusterImage image, TopicRef ref) {
    return switch (ref) {
      case TopicRef.ByName(String name) -> image.topics().topic(name);
      case TopicRef.ById(UUID id) -> image.topics().topic(id);
    };
  }

  private static Refusal unknown(TopicRef ref) {
    return switch (ref) {
      case TopicRef.ByName(String name) -> unknownTopic(name);
      case TopicRef.ById _ ->
          new Refusal(ErrorCode.UNKNOWN_TOPIC_ID, "This server does not host this topic id");
    };
  }

  Verdict createPartitions(ClusterImage image, ControllerCommand.CreatePartitions command) {
    List<MetadataRecord> records = new ArrayList<>();
    List<Outcome<String>> answers = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (MorePartitions wish : command.topics()) {
      List<List<Integer>> replicas = new ArrayList<>();
      Optional<TopicImage> topic = image.topics().topic(wish.topic());
      Optional<Refusal> refusal;
      if (!named.add(wish.topic())) {
        refusal =
            Optional.of(
                new Refusal(ErrorCode.INVALID_REQUEST, "The topic is named twice in the request"));
      } else if (topic.isEmpty()) {
        refusal = Optional.of(unknownTopic(wish.topic()));
      } else {
        refusal =
            IndexTopics.partitionsRefusal(image, wish.topic())
                .or(() -> partitionsRefusal(image, topic.get(), wish, replicas));
      }
      if (refusal.isEmpty() && records.size() + replicas.size() > NEW_PARTITIONS_MAX) {
        refusal = Optional.of(tooManyPartitions());
      }
      if (refusal.isPresent()) {
        answers.add(new Outcome.Refused<>(wish.topic(), refusal.get()));
        continue;
      }
      int first = topic.get().partitionCount();
      for (int i = 0; i < replicas.size(); i++) {
        records.add(Assignments.partition(image, topic.get().id(), first + i, replicas.get(i)));
      }
      answers.add(new Outcome.Done<>(wish.topic()));
    }
    return new Verdict(records, new ControllerReply.PartitionsCreated(answers));
  }

  private static Optional<Refusal> partitionsRefusal(
      ClusterImage image, TopicImage topic, MorePartitions wish, List<List<Integer>> replicas) {
    int current = topic.partitionCount();
    int added = wish.count() - current;
    if (added <= 0) {
      return Optional.of(
          new Refusal(
              ErrorCode.INVALID_PARTITIONS,
              "The topic "
                  + topic.name()
                  + " currently has "
                  + current
                  + " partition(s); "
                  + wish.count()
                  + " would not be an increase"));
    }
    if (added > NEW_PARTITIONS_MAX) {
      return Optional.of(tooManyPartitions());
    }
    int factor = topic.replicationFactor();
    if (wish.assignments().isEmpty()) {
      Placement placement = new Placement(image, topic.id());
      Optional<String> unplaceable = placement.refusal(factor);
      for (int i = 0; i < added && unplaceable.isEmpty(); i++) {
        replicas.add(placement.replicas(current + i, factor));
      }
      return unplaceable.map(why -> new Refusal(ErrorCode.INVALID_REPLICATION_FACTOR, why));
    }
    if (wish.assignments().size() != added) {
      return Optional.of(
          invalidAssignment(
              added
                  + " partition(s) would be added, but there are "
                  + wish.assignments().size()
                  + " assignment(s)"));
    }
    for (List<Integer> assignment : wish.assignments()) {
      Optional<String> refusal = Assignments.refusal(image, assignment);
      if (refusal.isPresent()) {
        return refusal.map(TopicRules::invalidAssignment);
      }
      replicas.add(assignment);
    }
    return sameCount(replicas, factor);
  }

  private static Optional<Refusal> sameCount(Collection<List<Integer>> replicas, int factor) {
    return replicas.stream()
        .filter(list -> list.size() != factor)
        .findFirst()
        .map(
            list ->
                invalidAssignment(
                    "The manual partition assignment has "
                        + list.size()
                        + " replica(s) where "
                        + factor
                        + " are expected: "
                        + list));
  }

  static Refusal unknownTopic(String name) {
    return new Refusal(
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "The topic '" + name + "' does not exist");
  }

  private static Refusal invalidAssignment(String message) {
    return new Refusal(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message);
  }

  private static Refusal tooManyPartitions() {
    return new Refusal(
        ErrorCode.POLICY_VIOLATION,
        "One request may create at most "
            + NEW_PARTITIONS_MAX
            + " records of topics and partitions; send several requests");
  }
}
