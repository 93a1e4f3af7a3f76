package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random operations on a log and on a list of records, which must agree after each. */
final class PartitionLogModelTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
  private static final UUID TOPIC_ID = new UUID(7, 9);
  private static final int OPERATIONS = 120;

  @TempDir(factory = MemoryDirectory.class)
  Path path;

  private record Entry(long offset, long timestampMs, String value, int epoch) {}

  /** The model: records in order, and where the log starts and ends. */
  private final List<Entry> entries = new ArrayList<>();

  private final List<Long> batchEnds = new ArrayList<>();
  private long start;
  private long end;
  private long highWatermark;
  private long lastBatchEnd;

  static Stream<Long> seeds() {
    return Stream.iterate(1L, seed -> seed + 1).limit(15);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void agreesWithAListOfRecords(long seed) throws IOException {
    Random random = new Random(seed);
    LogConfig config =
        LogConfig.of(
            Map.of(
                "segment.bytes", String.valueOf(400 + random.nextInt(4000)),
                "index.interval.bytes", String.valueOf(random.nextInt(600)),
                "retention.ms", "-1",
                "segment.index.bytes", String.valueOf(random.nextBoolean() ? 10_000 : 60)));
    LogDirectory directory = open(config);
    PartitionLog log = directory.create(PARTITION, TOPIC_ID, config);
    int epoch = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      switch (random.nextInt(20)) {
        case 0 -> {
          directory.close();
          Dumped.requireSound(path);
          directory = open(config);
          log = directory.log(PARTITION).orElseThrow();
          log.updateConfig(config);
        }
        case 1 -> {
          if (random.nextBoolean()) {
            directory.writeCheckpoints();
          }
          directory.abandon();
          tearTail(random);
          directory = open(config);
          log = directory.log(PARTITION).orElseThrow();
          log.updateConfig(config);
          log.advanceHighWatermark(highWatermark);
        }
        case 2 -> epoch++;
        case 3 -> truncate(log, start + random.nextLong(end - start + 1));
        case 4 -> {
          advanceStart(log, start + random.nextLong(end - start + 1));
          directory.writeCheckpoints();
        }
        case 5 -> log.deleteOldSegments(0);
        case 6 -> assertThat(log.flush()).isEqualTo(end);
        default -> append(log, random, epoch);
      }
      if (random.nextBoolean()) {
        // A high watermark is the end of a batch, since replicas fetch whole batches.
        List<Long> ends = batchEnds.stream().filter(e -> e <= end).toList();
        if (!ends.isEmpty()) {
          log.advanceHighWatermark(ends.get(random.nextInt(ends.size())));
        }
        highWatermark = Math.max(highWatermark, log.highWatermark());
      }
      check(log, random);
    }
    Dumped.requireSound(path); // while it is open, too
    directory.close();
    Dumped.requireSound(path);
  }

  private LogDirectory open(LogConfig config) {
    LogDirectory directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(5_000));
    directory.load(config);
    return directory;
  }

  /** What a killed process may leave behind the last batch. */
  private void tearTail(Random random) throws IOException {
    if (random.nextBoolean()) {
      return;
    }
    try (Stream<Path> files = Files.list(path.resolve("orders-0"))) {
      Path last =
          files.filter(file -> file.toString().endsWith(".log")).sorted().toList().getLast();
      byte[] torn = batch(random, new ArrayList<>(), 0).array();
      int size = 1 + random.nextInt(torn.length - 1);
      byte[] cut = java.util.Arrays.copyOf(torn, size);
      if (size > 30) {
        cut[size - 1] ^= 0x55;
      }
      Files.write(last, cut, StandardOpenOption.APPEND);
    }
  }

  private ByteBuffer batch(Random random, List<Entry> into, int epoch) {
    Compression[] codecs = Compression.values();
    RecordBatchBuilder builder = RecordBatchBuilder.data(codecs[random.nextInt(codecs.length)]);
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      long timestampMs = random.nextInt(1000);
      String value = "v" + random.nextInt() + "x".repeat(random.nextInt(60));
      builder.add(
          timestampMs,
          null,
          ByteBuffer.wrap(value.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
      into.add(new Entry(end + into.size(), timestampMs, value, epoch));
    }
    lastBatchEnd = end + into.size();
    ByteBuffer exact = builder.build();
    ByteBuffer copy = ByteBuffer.allocate(exact.remaining());
    return copy.put(exact).flip();
  }

  private void append(PartitionLog log, Random random, int epoch) {
    List<Entry> added = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.allocate(20_000);
    for (int i = 0; i <= random.nextInt(2); i++) {
      bytes.put(batch(random, added, epoch));
      ends.add(lastBatchEnd);
    }
    if (random.nextInt(4) == 0) {
      bytes.put(batch(random, new ArrayList<>(), epoch).limit(15)); // cut off: left out
    }
    bytes.flip();
    AppendOutcome outcome = log.append(bytes, epoch, AppendOrigin.CLIENT);
    if (outcome instanceof AppendOutcome.Refused(Refusal reason, _)) {
      assertThat(reason).isEqualTo(Refusal.BATCHES_TOO_LARGE);
      return;
    }
    assertThat(outcome)
        .isEqualTo(new AppendOutcome.Appended(end, end + added.size() - 1, -1, start));
    entries.addAll(added);
    batchEnds.addAll(ends);
    end += added.size();
  }

  private void truncate(PartitionLog log, long offset) {
    log.truncateTo(offset);
    long newEnd = log.logEndOffset();
    assertThat(newEnd).isLessThanOrEqualTo(offset);
    // Whole batches go, so the log may end some records below.
    assertThat(newEnd).isGreaterThan(offset - 7);
    entries.removeIf(entry -> entry.offset() >= newEnd);
    batchEnds.removeIf(batchEnd -> batchEnd > newEnd);
    end = newEnd;
    start = Math.min(start, end);
    highWatermark = Math.min(highWatermark, end);
    start = log.logStartOffset();
  }

  private void advanceStart(PartitionLog log, long offset) {
    boolean done = log.advanceLogStartOffset(offset);
    assertThat(done).isEqualTo(offset <= log.highWatermark());
    if (done) {
      start = Math.max(start, offset);
    }
  }

  private void check(PartitionLog log, Random random) {
    assertThat(log.logEndOffset()).as("end").isEqualTo(end);
    assertThat(log.logStartOffset()).as("start").isEqualTo(start);
    assertThat(log.highWatermark()).isBetween(start, end);
    long from = start + random.nextLong(end - start + 1);
    int maxBytes = random.nextInt(2000);
    ReadUpTo bound = random.nextBoolean() ? ReadUpTo.LOG_END : ReadUpTo.HIGH_WATERMARK;
    long limit = bound == ReadUpTo.LOG_END ? end : lastBatchEndUpTo(log.highWatermark());
    List<Entry> read = read(log, from, maxBytes, bound);
    List<Entry> expected =
        entries.stream().filter(e -> e.offset() >= from && e.offset() < limit).toList();
    assertThat(expected.subList(0, Math.min(read.size(), expected.size()))).isEqualTo(read);
    assertThat(read.isEmpty()).isEqualTo(expected.isEmpty());
    checkTime(log, random.nextInt(1100));
    checkEpochs(log);
    assertThat(log.read(end + 1, 10, bound)).isInstanceOf(ReadOutcome.OutOfRange.class);
    assertThat(log.read(start - 1, 10, bound)).isInstanceOf(ReadOutcome.OutOfRange.class);
  }

  /** A high watermark may lie inside a batch where the log starts there: the batch is not read. */
  private long lastBatchEndUpTo(long offset) {
    return batchEnds.stream().mapToLong(Long::longValue).filter(e -> e <= offset).max().orElse(0);
  }

  private List<Entry> read(PartitionLog log, long from, int maxBytes, ReadUpTo bound) {
    LogSlice slice = (LogSlice) log.read(from, maxBytes, bound);
    List<Entry> read = new ArrayList<>();
    int bytes = 0;
    for (RecordBatchView batch : slice.batches()) {
      assertThat(batch.checksumMatches()).isTrue();
      bytes += batch.sizeInBytes();
      batch.forEachRecord(
          record -> {
            if (record.offset() >= from && (bound == ReadUpTo.LOG_END || record.offset() < end)) {
              read.add(entry(record, batch.leaderEpoch()));
            }
          });
    }
    assertThat(bytes).as("whole batches only").isEqualTo(slice.sizeBytes());
    if (bytes > maxBytes) {
      assertThat(slice.batches()).hasSize(1);
    }
    assertThat(((LogSlice) log.readWithin(from, maxBytes, bound)).sizeBytes())
        .isLessThanOrEqualTo(maxBytes);
    if (bound == ReadUpTo.HIGH_WATERMARK) {
      read.removeIf(entry -> entry.offset() >= log.highWatermark());
    }
    return read;
  }

  private static Entry entry(LogRecord record, int epoch) {
    ByteBuffer value = java.util.Objects.requireNonNull(record.value());
    return new Entry(
        record.offset(),
        record.timestampMs(),
        java.nio.charset.StandardCharsets.UTF_8.decode(value).toString(),
        epoch);
  }

  private void checkTime(PartitionLog log, long timestampMs) {
    Optional<Entry> expected =
        entries.stream()
            .filter(e -> e.offset() >= start && e.timestampMs() >= timestampMs)
            .findFirst();
    assertThat(log.offsetForTimestamp(timestampMs).map(TimestampOffset::offset))
        .as("first not before " + timestampMs)
        .isEqualTo(expected.map(Entry::offset));
  }

  private void checkEpochs(PartitionLog log) {
    List<Entry> visible = entries.stream().filter(e -> e.offset() >= start).toList();
    if (visible.isEmpty()) {
      return;
    }
    assertThat(log.latestEpoch()).hasValue(visible.getLast().epoch());
    for (Entry entry : visible) {
      Optional<Entry> next = visible.stream().filter(e -> e.epoch() > entry.epoch()).findFirst();
      assertThat(log.endOffsetForEpoch(entry.epoch()))
          .isEqualTo(new EpochEnd(entry.epoch(), next.map(Entry::offset).orElse(end)));
    }
  }
}
