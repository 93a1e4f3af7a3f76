package dev.weir.node.cli;

import dev.weir.log.batch.LogRecord;
import dev.weir.protocol.message.MetadataResponse.MetadataResponseTopic;
import dev.weir.search.catalog.IndexName;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir consume}: prints the records of a topic, committed transactions only. */
@Command(
    name = "consume",
    description = "Print the records of a topic.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
public final class ConsumeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private KafkaOptions kafka;

  @Parameters(paramLabel = "TOPIC")
  private String topicName;

  @Option(
      names = {"-o", "--from"},
      paramLabel = "beginning|end|OFFSET",
      defaultValue = "beginning",
      description = "where to begin (default: ${DEFAULT-VALUE})")
  private String from;

  @Option(
      names = {"-p", "--partition"},
      paramLabel = "N",
      description = "read this partition only")
  private Optional<Integer> partition = Optional.empty();

  @Option(
      names = {"-c", "--count"},
      paramLabel = "N",
      defaultValue = "" + Long.MAX_VALUE,
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = "stop after this many records")
  private long countMax;

  @Option(
      names = {"-e", "--exit"},
      description = "stop at the end of the log instead of waiting for more")
  private boolean exitAtEnd;

  @Option(
      names = {"-K", "--key-separator"},
      paramLabel = "TEXT",
      description = "print the key before the value, parted by this text")
  private Optional<String> separator = Optional.empty();

  @Option(
      names = {"-H", "--headers"},
      description =
          "print headers before key and value; those of dead letters (TOPIC.dlq) always are")
  private boolean withHeaders;

  @Override
  public Integer call() {
    try (KafkaClient client = kafka.connect()) {
      MetadataResponseTopic topic = client.topic(topicName);
      SortedMap<Integer, Long> nextByPartition = new TreeMap<>();
      topic
          .partitions()
          .forEach(
              candidate -> {
                int number = candidate.partitionIndex();
                if (partition.map(only -> only == number).orElse(true)) {
                  nextByPartition.put(number, firstOffset(client, topic, number));
                }
              });
      if (nextByPartition.isEmpty()) {
        throw new CommandFailure(
            "topic '" + topicName + "' has no partition " + partition.orElse(0));
      }
      long printed = 0;
      while (printed < countMax) {
        long before = printed;
        boolean allAtEnd = true;
        for (var entry : nextByPartition.entrySet()) {
          KafkaClient.Fetched fetched = client.fetch(topic, entry.getKey(), entry.getValue());
          allAtEnd &= fetched.nextOffset() == entry.getValue();
          entry.setValue(fetched.nextOffset());
          for (LogRecord candidate : fetched.records()) {
            if (printed < countMax) {
              print(candidate);
              printed++;
            }
          }
        }
        spec.commandLine().getOut().flush();
        if (exitAtEnd && allAtEnd && printed == before) {
          break;
        }
      }
    }
    return 0;
  }

  private long firstOffset(KafkaClient client, MetadataResponseTopic topic, int number) {
    return switch (from) {
      case "beginning" -> client.offset(topic, number, Offsets.BEGINNING);
      case "end" -> client.offset(topic, number, Offsets.END);
      default -> {
        try {
          yield Long.parseLong(from);
        } catch (NumberFormatException e) {
          throw new CommandFailure(
              "--from takes 'beginning', 'end' or an offset, not '" + from + "'", e);
        }
      }
    };
  }

  private void print(LogRecord printed) {
    PrintWriter out = spec.commandLine().getOut();
    // What a dead letter is there for is said in its headers only.
    if (withHeaders || topicName.endsWith(IndexName.DEAD_LETTERS)) {
      out.println(
          printed.headers().stream()
              .map(header -> header.key() + "=" + text(header.value()))
              .collect(Collectors.joining(", ", "[", "]")));
    }
    separator.ifPresent(text -> out.print(text(printed.key()) + text));
    out.println(text(printed.value()));
  }

  private static String text(@Nullable ByteBuffer bytes) {
    return bytes == null ? "" : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
