package dev.weir.controller;

import dev.weir.controller.ControllerMachine.Verdict;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ConfigResource;
import dev.weir.metadata.config.BrokerConfigs;
import dev.weir.metadata.config.ConfigDefinition;
import dev.weir.metadata.config.ConfigType;
import dev.weir.metadata.config.Constraint;
import dev.weir.metadata.config.TopicConfigs;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.metadata.ConfigRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Changing the configuration of topics and brokers. */
final class ConfigRules {
  /** Kafka's bound on a configuration's value. */
  static final int VALUE_BYTES_MAX = Short.MAX_VALUE;

  /** A change that can't be made. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    RefusedException(ErrorCode error, String message) {
      super(message, null, false, false);
      this.refusal = new Refusal(error, message);
    }
  }

  Verdict alter(ClusterImage image, ControllerCommand.AlterConfigs command) {
    List<MetadataRecord> records = new ArrayList<>();
    List<Outcome<ConfigResource>> answers = new ArrayList<>();
    for (ResourceChange change : command.resources()) {
      ConfigResource resource = change.resource();
      try {
        requireExisting(image, resource);
        Map<String, String> before = image.configs().of(resource);
        Map<String, String> after = changed(resource, before, change.changes());
        records.addAll(accepted(resource, before, after));
        answers.add(new Outcome.Done<>(resource));
      } catch (RefusedException e) {
        answers.add(new Outcome.Refused<>(resource, e.refusal));
      }
    }
    return new Verdict(records, new ControllerReply.ConfigsAltered(answers));
  }

  Verdict replace(ClusterImage image, ControllerCommand.ReplaceConfigs command) {
    List<MetadataRecord> records = new ArrayList<>();
    List<Outcome<ConfigResource>> answers = new ArrayList<>();
    command
        .resources()
        .forEach(
            (resource, configs) -> {
              try {
                requireExisting(image, resource);
                Map<String, String> before = image.configs().of(resource);
                Map<String, String> after = new TreeMap<>(configs);
                IndexTopics.keepMark(before, after);
                records.addAll(accepted(resource, before, after));
                answers.add(new Outcome.Done<>(resource));
              } catch (RefusedException e) {
                answers.add(new Outcome.Refused<>(resource, e.refusal));
              }
            });
    return new Verdict(records, new ControllerReply.ConfigsAltered(answers));
  }

  private static void requireExisting(ClusterImage image, ConfigResource resource)
      throws RefusedException {
    switch (resource.type()) {
      case TOPIC -> {
        if (image.topics().topic(resource.name()).isEmpty()) {
          Refusal unknown = TopicRules.unknownTopic(resource.name());
          throw new RefusedException(unknown.error(), unknown.message());
        }
      }
      case BROKER -> {
        if (!resource.name().isEmpty()) {
          requireBroker(image, resource.name());
        }
      }
      case UNKNOWN, BROKER_LOGGER, CLIENT_METRICS, GROUP ->
          throw new RefusedException(
              ErrorCode.INVALID_REQUEST,
              "Configurations of resources of type "
                  + resource.type()
                  + " are not kept by this controller");
    }
  }

  private static void requireBroker(ClusterImage image, String name) throws RefusedException {
    try {
      int id = Integer.parseInt(name);
      if (image.nodes().broker(id).isEmpty()) {
        throw new RefusedException(
            ErrorCode.BROKER_ID_NOT_REGISTERED, "No broker with id " + id + " is registered");
      }
    } catch (NumberFormatException e) {
      throw new RefusedException(
          ErrorCode.INVALID_REQUEST, "Broker name '" + name + "' is no broker id");
    }
  }

  private static Optional<ConfigDefinition> definition(ConfigResource resource, String name) {
    return resource.type() == ConfigResource.Type.TOPIC
        ? TopicConfigs.definition(name)
        : BrokerConfigs.definition(name);
  }

  private static Map<String, String> changed(
      ConfigResource resource, Map<String, String> before, List<ConfigChange> changes)
      throws RefusedException {
    Map<String, String> after = new TreeMap<>(before);
    Set<String> seen = new HashSet<>();
    for (ConfigChange change : changes) {
      if (!seen.add(change.name())) {
        throw new RefusedException(
            ErrorCode.INVALID_REQUEST, "Configuration " + change.name() + " is named twice");
      }
      String value = change.value();
      if (value == null && change.operation() != ConfigChange.Operation.DELETE) {
        throw new RefusedException(
            ErrorCode.INVALID_REQUEST,
            "Null value not supported for " + change.operation() + " of " + change.name());
      }
      switch (change.operation()) {
        case DELETE -> after.remove(change.name());
        case SET -> after.put(change.name(), Objects.requireNonNull(value));
        case APPEND, SUBTRACT -> {
          Set<String> entries = entries(resource, before, change);
          List<String> operands = Constraint.list(Objects.requireNonNull(value));
          if (change.operation() == ConfigChange.Operation.APPEND) {
            entries.addAll(operands);
          } else {
            operands.forEach(entries::remove);
          }
          after.put(change.name(), String.join(",", entries));
        }
      }
    }
    return after;
  }

  /** The list that an operation changes: what is set, or else the default. */
  private static Set<String> entries(
      ConfigResource resource, Map<String, String> before, ConfigChange change)
      throws RefusedException {
    Optional<ConfigDefinition> definition = definition(resource, change.name());
    if (definition.isEmpty() || definition.get().type() != ConfigType.LIST) {
      throw new RefusedException(
          ErrorCode.INVALID_CONFIG,
          "Can't " + change.operation() + " to " + change.name() + " because it is no list");
    }
    String current = before.get(change.name());
    String value = current == null ? definition.get().defaultValue() : current;
    return new LinkedHashSet<>(value == null ? List.of() : Constraint.list(value));
  }

  private static List<MetadataRecord> accepted(
      ConfigResource resource, Map<String, String> before, Map<String, String> after)
      throws RefusedException {
    Optional<String> refusal =
        resource.type() == ConfigResource.Type.TOPIC
            ? TopicConfigs.refusal(after)
            : BrokerConfigs.refusal(after);
    if (refusal.isPresent()) {
      throw new RefusedException(ErrorCode.INVALID_CONFIG, refusal.get());
    }
    if (resource.type() == ConfigResource.Type.TOPIC) {
      Optional<Refusal> ofIndex = IndexTopics.configRefusal(resource.name(), before, after);
      if (ofIndex.isPresent()) {
        throw new RefusedException(ofIndex.get().error(), ofIndex.get().message());
      }
    }
    List<MetadataRecord> records = new ArrayList<>();
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      String value = after.get(name);
      if (value != null && value.getBytes(StandardCharsets.UTF_8).length > VALUE_BYTES_MAX) {
        throw new RefusedException(
            ErrorCode.INVALID_CONFIG,
            "The value of " + name + " exceeds the maximum of " + VALUE_BYTES_MAX + " bytes");
      }
      if (!Objects.equals(before.get(name), value)) {
        records.add(
            ConfigRecord.DEFAULT
                .withResourceType(resource.type().code())
                .withResourceName(resource.name())
                .withName(name)
                .withValue(value));
      }
    }
    return records;
  }
}
