package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Apache Kafka's {@code DumpLogSegments} finds nothing wrong with what a node has written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DumpLogSegmentsTest {
  private static final String CODECS = "codecs";
  private static final String COMPACTED = "compacted";
  private static final String DEEP = "--deep-iteration";
  private static final String CHECK_INDEXES = "--index-sanity-check";
  private static final String VERIFY_INDEXES = "--verify-index-only";

  private Path folder;

  private Path data;
  private LogDump whileRunning;
  private long compactedCount;

  @BeforeAll
  void writeAndStop(@TempDir Path folder) throws IOException {
    this.folder = folder;
    data = folder.resolve("data");
    Path config = folder.resolve("node.properties");
    Files.writeString(
        config, "log.retention.check.interval.ms=100\noffsets.topic.num.partitions=1\n");
    try (NodeProcess node = NodeProcess.start(data, "--config", config.toString())) {
      JavaClients.createTopic(node, CODECS, 1, LogSamples.SMALL_SEGMENTS);
      LogSamples.everyCodec(node, CODECS);
      JavaClients.createTopic(node, COMPACTED, 1, LogSamples.COMPACTED);
      LogSamples.overwriteUntilCompacted(node, COMPACTED);
      compactedCount = PartitionContents.of(node, COMPACTED).all().size();
      commitAnOffset(node);
      whileRunning = LogDump.of(files(CODECS, "log", "index", "timeindex", "snapshot"), DEEP);
      assertThat(node.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
    }
  }

  private static void commitAnOffset(NodeProcess node) {
    Map<TopicPartition, OffsetAndMetadata> offset =
        Map.of(new TopicPartition(CODECS, 0), new OffsetAndMetadata(17, "note"));
    try (Admin admin = JavaClients.admin(node)) {
      Void _ = JavaClients.done(admin.alterConsumerGroupOffsets("group", offset).all());
    }
  }

  private List<Path> files(String topic, String... extensions) {
    return LogDump.files(data.resolve(topic + "-0"), extensions);
  }

  @Test
  void recordsOfEveryCodecAreSeenInSeveralSegments() {
    List<Path> segments = files(CODECS, "log");
    assertThat(segments).hasSizeGreaterThan(2);
    LogDump dump = LogDump.of(segments, DEEP);
    assertThat(dump.wrong()).isEmpty();
    assertThat(dump.gaps()).isEmpty();
    assertThat(dump.recordsSeen()).isEqualTo(LogSamples.everyCodecCount());
    assertThat(dump.recordCount()).isEqualTo(LogSamples.everyCodecCount());
    for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
      assertThat(dump.batches()).anyMatch(line -> line.contains("compresscodec: " + codec + " "));
    }
  }

  @Test
  void filesOfARunningNodeAreSound() {
    assertThat(whileRunning.wrong()).isEmpty();
    assertThat(whileRunning.recordsSeen()).isEqualTo(LogSamples.everyCodecCount());
  }

  @Test
  void compactedLogHasTheRecordsThatConsumersGet() {
    LogDump dump = LogDump.of(files(COMPACTED, "log"), DEEP);
    assertThat(dump.wrong()).isEmpty();
    assertThat(dump.recordsSeen()).isEqualTo(compactedCount);
    assertThat(dump.batches()).anyMatch(line -> line.contains("deleteHorizonMs: OptionalLong["));
  }

  /** Every index that has entries points at the batches that it names. */
  @ParameterizedTest
  @ValueSource(strings = {CODECS, COMPACTED, "__weir_catalog", "__cluster_metadata"})
  void indexesAreVerified(String topic) {
    List<Path> indexes = files(topic, "index", "timeindex");
    assertThat(LogDump.of(indexes, VERIFY_INDEXES).wrong()).isEmpty();
    LogDump checked = LogDump.of(indexes, CHECK_INDEXES);
    assertThat(checked.wrong()).isEmpty();
    assertThat(checked.lines())
        .filteredOn(line -> !line.startsWith("Dumping"))
        .hasSameSizeAs(indexes);
  }

  @Test
  void fullSegmentsHaveIndexesWithEntries() throws IOException {
    for (Path segment : files(CODECS, "log").reversed().subList(1, 3)) {
      String name = segment.toString().replaceFirst("log$", "");
      assertThat(Files.size(Path.of(name + "index"))).isPositive();
      assertThat(Files.size(Path.of(name + "timeindex"))).isPositive();
    }
  }

  @Test
  void snapshotsNameTheIdempotentProducers() {
    LogDump dump = LogDump.of(files(CODECS, "snapshot"));
    assertThat(dump.wrong()).isEmpty();
    assertThat(dump.lines()).filteredOn(line -> line.startsWith("producerId: ")).isNotEmpty();
  }

  @Test
  void metadataLogAndItsCheckpointAreDecoded() {
    LogDump dump =
        LogDump.of(
            files("__cluster_metadata", "log", "checkpoint"), DEEP, "--cluster-metadata-decoder");
    assertThat(dump.wrong()).isEmpty();
    assertThat(dump.gaps()).isEmpty();
    assertThat(dump.lines())
        .anyMatch(line -> line.contains("TOPIC_RECORD") && line.contains(CODECS))
        .anyMatch(line -> line.contains("REGISTER_BROKER_RECORD"))
        .anyMatch(line -> line.contains("KRaftVoters"));
  }

  @Test
  void committedOffsetIsDecoded() {
    List<Path> partitions;
    try (Stream<Path> folders = Files.list(data)) {
      partitions =
          folders
              .filter(path -> path.getFileName().toString().startsWith("__consumer_offsets-"))
              .flatMap(path -> LogDump.files(path, "log").stream())
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    LogDump dump = LogDump.of(partitions, DEEP, "--offsets-decoder");
    assertThat(dump.wrong()).isEmpty();
    assertThat(dump.lines()).anyMatch(line -> line.contains("\"offset\":17"));
  }

  /** Else the other tests would say nothing. */
  @Test
  void damageIsTold() throws IOException {
    Path intact = files(CODECS, "log").getFirst();
    String name = intact.getFileName().toString();
    Path damaged = Files.createDirectory(folder.resolve("damaged-0"));
    byte[] bytes = Files.readAllBytes(intact);
    ByteBuffer batch = ByteBuffer.wrap(bytes);
    bytes[batch.getInt(8)] ^= 1; // in the records of the first batch
    Path log = Files.write(damaged.resolve(name), bytes);
    assertThat(LogDump.of(List.of(log)).wrong())
        .singleElement()
        .asString()
        .contains("isvalid: false");
    String indexName = name.replace("log", "index");
    byte[] entries = Files.readAllBytes(intact.resolveSibling(indexName));
    entries[3] ^= 1; // the offset of the first entry
    Path index = Files.write(damaged.resolve(indexName), entries);
    assertThat(LogDump.of(List.of(index), VERIFY_INDEXES).wrong()).isNotEmpty();
  }
}
