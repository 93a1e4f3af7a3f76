package dev.weir.node.cli;

import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.MetadataResponse.MetadataResponseTopic;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir topic}: creates, lists, describes and deletes topics. */
@Command(
    name = "topic",
    description = "Create, list, describe or delete topics.",
    mixinStandardHelpOptions = true,
    subcommandsRepeatable = false)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
public final class TopicCommand {
  @Spec private CommandSpec spec;

  @Command(name = "create", description = "Create a topic.", mixinStandardHelpOptions = true)
  int create(
      @Mixin KafkaOptions kafka,
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = {"-p", "--partitions"},
              defaultValue = "-1",
              description = "how many partitions (default: the node's num.partitions)")
          int partitions,
      @Option(
              names = {"-c", "--config"},
              paramLabel = "KEY=VALUE",
              description = "a topic property; may be repeated")
          Map<String, String> configs) {
    try (KafkaClient client = kafka.connect()) {
      client.createTopic(
          name, partitions, configs == null ? Map.of() : new LinkedHashMap<>(configs));
      int created = client.topic(name).partitions().size();
      out().println("created topic " + name + " with " + created + " partition(s)");
    }
    return 0;
  }

  @Command(name = "list", description = "List all topics.", mixinStandardHelpOptions = true)
  int list(@Mixin KafkaOptions kafka) {
    try (KafkaClient client = kafka.connect()) {
      client.topics().stream()
          .sorted(Comparator.comparing(topic -> String.valueOf(topic.name())))
          .forEach(
              topic ->
                  out().println(topic.name() + "\t" + topic.partitions().size() + " partition(s)"));
    }
    return 0;
  }

  @Command(
      name = "describe",
      description = "Show a topic's id, partitions and offsets.",
      mixinStandardHelpOptions = true)
  int describe(@Mixin KafkaOptions kafka, @Parameters(paramLabel = "NAME") String name) {
    try (KafkaClient client = kafka.connect()) {
      MetadataResponseTopic topic = client.topic(name);
      out().println("topic " + name + " id " + Uuids.toText(topic.topicId()));
      topic.partitions().stream()
          .sorted(Comparator.comparingInt(partition -> partition.partitionIndex()))
          .forEach(
              partition ->
                  out()
                      .println(
                          "  partition "
                              + partition.partitionIndex()
                              + " leader "
                              + partition.leaderId()
                              + " epoch "
                              + partition.leaderEpoch()
                              + " replicas "
                              + partition.replicaNodes()
                              + " in sync "
                              + partition.isrNodes()
                              + " offsets "
                              + client.offset(topic, partition.partitionIndex(), Offsets.BEGINNING)
                              + ".."
                              + client.offset(topic, partition.partitionIndex(), Offsets.END)));
    }
    return 0;
  }

  @Command(name = "delete", description = "Delete a topic.", mixinStandardHelpOptions = true)
  int delete(@Mixin KafkaOptions kafka, @Parameters(paramLabel = "NAME") String name) {
    try (KafkaClient client = kafka.connect()) {
      client.deleteTopic(name);
      out().println("deleted topic " + name);
    }
    return 0;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
