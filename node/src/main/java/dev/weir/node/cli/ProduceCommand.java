package dev.weir.node.cli;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.protocol.message.MetadataResponse.MetadataResponseTopic;
import dev.weir.search.shard.Placement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code weir produce}: writes the lines of standard input as records. Lines that are there already
 * travel together; a line that comes alone is sent at once.
 */
@Command(
    name = "produce",
    description = "Write the lines of standard input to a topic, a record a line.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
public final class ProduceCommand implements Callable<Integer> {
  private static final int BATCH_BYTES = 256 * 1024;
  private static final int SHOWN_CHARS_MAX = 80;

  private final InstantSource clock;
  private final InputStream input;

  @Spec private CommandSpec spec;
  @Mixin private KafkaOptions kafka;

  @Parameters(paramLabel = "TOPIC")
  private String topicName;

  @Option(
      names = {"-K", "--key-separator"},
      paramLabel = "TEXT",
      description = "what parts key and value in a line; without it records have no key")
  private Optional<String> separator = Optional.empty();

  @Option(
      names = {"-t", "--tombstones"},
      description = "an empty value after the key is a tombstone")
  private boolean emptyIsTombstone;

  @Option(
      names = {"-p", "--partition"},
      paramLabel = "N",
      description = "write to this partition; without it the key decides, as in Java clients")
  private Optional<Integer> partition = Optional.empty();

  /**
   * A command that reads lines from {@code input}.
   *
   * @param clock stamps the records
   */
  public ProduceCommand(InstantSource clock, InputStream input) {
    this.clock = clock;
    this.input = input;
  }

  @Override
  public Integer call() throws IOException {
    try (KafkaClient client = kafka.connect();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
      MetadataResponseTopic topic = client.topic(topicName);
      Batches batches = new Batches(client, topic);
      long count = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (separator.isPresent() && !line.contains(separator.get())) {
          batches.flush(); // so that it can be said where to go on
          throw withoutKey(line, count);
        }
        batches.add(line);
        count++;
        if (!lines.ready()) {
          batches.flush();
        }
      }
      batches.flush();
      spec.commandLine().getErr().println("produced " + count + " record(s) to " + topicName);
    }
    return 0;
  }

  private CommandFailure withoutKey(String line, long before) {
    String shown =
        line.length() > SHOWN_CHARS_MAX ? line.substring(0, SHOWN_CHARS_MAX) + "..." : line;
    return new CommandFailure(
        "line "
            + (before + 1)
            + " has no key separator '"
            + separator.orElse("")
            + "': "
            + shown
            + " ("
            + before
            + " record(s) before it were produced to "
            + topicName
            + ")");
  }

  /** The batches under way, one for each partition. */
  private final class Batches {
    private final KafkaClient client;
    private final MetadataResponseTopic topic;
    private final Map<Integer, RecordBatchBuilder> batchByPartition = new HashMap<>();
    private int roundRobin;

    Batches(KafkaClient client, MetadataResponseTopic topic) {
      this.client = client;
      this.topic = topic;
    }

    void add(String line) {
      String key = null;
      String value = line;
      if (separator.isPresent()) {
        int at = line.indexOf(separator.get());
        key = line.substring(0, at);
        value = line.substring(at + separator.get().length());
      }
      ByteBuffer keyBytes = key == null ? null : utf8(key);
      ByteBuffer valueBytes = value.isEmpty() && emptyIsTombstone ? null : utf8(value);
      int target = partitionFor(key);
      RecordBatchBuilder batch =
          batchByPartition.computeIfAbsent(target, _ -> RecordBatchBuilder.data(Compression.NONE));
      batch.add(clock.millis(), keyBytes, valueBytes);
      if (batch.sizeInBytes() >= BATCH_BYTES) {
        send(target);
      }
    }

    private int partitionFor(@Nullable String key) {
      int partitions = topic.partitions().size();
      if (partition.isPresent()) {
        return partition.get();
      }
      return key == null ? roundRobin % partitions : new Placement(partitions).home(key);
    }

    private void send(int target) {
      RecordBatchBuilder batch = batchByPartition.remove(target);
      if (batch != null) {
        client.produce(topic, target, batch.build());
        roundRobin++;
      }
    }

    void flush() {
      for (Integer target : batchByPartition.keySet().toArray(Integer[]::new)) {
        send(target);
      }
    }
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
