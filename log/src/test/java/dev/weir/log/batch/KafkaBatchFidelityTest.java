package dev.weir.log.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our batches read by the client library's classes, and theirs by ours. */
final class KafkaBatchFidelityTest {
  record Given(Compression compression, long seed) {}

  static Stream<Given> given() {
    return Stream.of(Compression.values())
        .flatMap(codec -> Stream.of(1L, 2L, 3L, 4L).map(seed -> new Given(codec, seed)));
  }

  /** A record in neutral form: empty arrays differ from null. */
  private record Neutral(
      long offset,
      long timestampMs,
      @Nullable String key,
      @Nullable String value,
      String headers) {}

  @ParameterizedTest
  @MethodSource("given")
  void kafkaReadsOurs(Given given) {
    Random random = new Random(given.seed);
    List<SimpleRecord> records = records(random);
    RecordBatchBuilder builder =
        RecordBatchBuilder.data(given.compression)
            .baseOffset(1000)
            .leaderEpoch(7)
            .producer(55, (short) 3, Integer.MAX_VALUE - 1);
    if (random.nextBoolean()) {
      builder.transactional();
    }
    for (SimpleRecord record : records) {
      List<dev.weir.log.batch.RecordHeader> headers = new ArrayList<>();
      for (Header header : record.headers()) {
        headers.add(
            new dev.weir.log.batch.RecordHeader(
                header.key(), header.value() == null ? null : ByteBuffer.wrap(header.value())));
      }
      builder.add(record.timestamp(), record.key(), record.value(), headers);
    }
    ByteBuffer built = builder.build();

    MemoryRecords read = MemoryRecords.readableRecords(built);
    List<Neutral> theirs = new ArrayList<>();
    for (MutableRecordBatch batch : read.batches()) {
      batch.ensureValid();
      assertThat(batch.sizeInBytes()).isEqualTo(built.remaining());
      for (Record record : batch) {
        theirs.add(neutral(record));
      }
      assertSameHeader(RecordBatchView.at(built, 0), batch);
    }
    List<Neutral> expected = new ArrayList<>();
    long offset = 1000;
    for (SimpleRecord record : records) {
      expected.add(
          new Neutral(
              offset++,
              record.timestamp(),
              text(record.key()),
              text(record.value()),
              headers(record.headers())));
    }
    assertThat(theirs).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("given")
  void weReadTheirs(Given given) {
    Random random = new Random(given.seed);
    TimestampType type =
        random.nextInt(3) == 0 ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
    boolean transactional = random.nextBoolean();
    MemoryRecords written =
        MemoryRecords.withRecords(
            (byte) 2,
            77,
            org.apache.kafka.common.compress.Compression.of(
                    CompressionType.forName(given.compression.text()))
                .build(),
            type,
            9,
            (short) 1,
            5,
            12,
            transactional,
            records(random).toArray(SimpleRecord[]::new));

    List<Neutral> theirs = new ArrayList<>();
    List<Neutral> ours = new ArrayList<>();
    for (MutableRecordBatch batch : written.batches()) {
      batch.forEach(record -> theirs.add(neutral(record)));
    }
    for (RecordBatchView batch : RecordBatches.of(written.buffer())) {
      assertThat(batch.checksumMatches()).isTrue();
      assertThat(batch.compression()).isEqualTo(given.compression);
      assertSameHeader(batch, written.batches().iterator().next());
      batch.forEachRecord(record -> ours.add(neutral(record)));
    }
    assertThat(ours).isNotEmpty().isEqualTo(theirs);
  }

  @Test
  void stampedBatchStaysValidForKafka() {
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.LZ4)
            .add(10, null, ByteBuffer.wrap(new byte[] {1}))
            .add(20, null, null)
            .build();
    RecordBatchView view = RecordBatchView.at(batch, 0);

    view.stamp(500, 6);
    view.stampLogAppendTime(99);

    MutableRecordBatch read = MemoryRecords.readableRecords(batch).batches().iterator().next();
    read.ensureValid();
    assertThat(read.baseOffset()).isEqualTo(500);
    assertThat(read.lastOffset()).isEqualTo(501);
    assertThat(read.partitionLeaderEpoch()).isEqualTo(6);
    assertThat(read.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
    read.forEach(record -> assertThat(record.timestamp()).isEqualTo(99));
  }

  @Test
  void transactionMarkersAreTheSameOnBothSides() {
    MemoryRecords theirs =
        MemoryRecords.withEndTransactionMarker(
            40, 1234, 2, 9, (short) 1, new EndTransactionMarker(ControlRecordType.ABORT, 3));
    ByteBuffer value = ByteBuffer.allocate(6).putShort((short) 0).putInt(3).flip();

    ByteBuffer ours =
        RecordBatchBuilder.control()
            .baseOffset(40)
            .leaderEpoch(2)
            .producer(9, (short) 1, RecordBatchView.NO_SEQUENCE)
            .transactional()
            .addControl(1234, ControlType.ABORT, value)
            .build();

    // The marker record may be of a newer version on their side; the parts that count are equal.
    RecordBatchView theirView = RecordBatchView.at(theirs.buffer(), 0);
    MutableRecordBatch ourBatch = MemoryRecords.readableRecords(ours).batches().iterator().next();
    assertThat(ourBatch.isControlBatch()).isTrue();
    assertThat(EndTransactionMarker.deserialize(ourBatch.iterator().next()).coordinatorEpoch())
        .isEqualTo(3);
    assertThat(theirView.isControl()).isTrue();
    assertThat(theirView.attributes()).isEqualTo(RecordBatchView.at(ours, 0).attributes());
    theirView.forEachRecord(
        record ->
            assertThat(ControlType.ofKey(Objects.requireNonNull(record.key())))
                .hasValue(ControlType.ABORT));
  }

  private static void assertSameHeader(RecordBatchView ours, MutableRecordBatch theirs) {
    assertThat(ours.baseOffset()).isEqualTo(theirs.baseOffset());
    assertThat(ours.lastOffset()).isEqualTo(theirs.lastOffset());
    assertThat(ours.leaderEpoch()).isEqualTo(theirs.partitionLeaderEpoch());
    assertThat(ours.producerId()).isEqualTo(theirs.producerId());
    assertThat(ours.producerEpoch()).isEqualTo(theirs.producerEpoch());
    assertThat(ours.baseSequence()).isEqualTo(theirs.baseSequence());
    assertThat(ours.maxTimestamp()).isEqualTo(theirs.maxTimestamp());
    assertThat(ours.recordCount()).isEqualTo(theirs.countOrNull());
    assertThat(ours.checksum()).isEqualTo(theirs.checksum());
    assertThat(ours.isTransactional()).isEqualTo(theirs.isTransactional());
    assertThat(ours.isControl()).isEqualTo(theirs.isControlBatch());
    assertThat(ours.compression().text()).isEqualTo(theirs.compressionType().name);
  }

  private static List<SimpleRecord> records(Random random) {
    List<SimpleRecord> records = new ArrayList<>();
    int count = 1 + random.nextInt(300);
    for (int i = 0; i < count; i++) {
      Header[] headers = new Header[random.nextInt(3)];
      for (int h = 0; h < headers.length; h++) {
        headers[h] = new RecordHeader("h" + random.nextInt(9) + "é", bytes(random));
      }
      records.add(
          new SimpleRecord(
              1_600_000_000_000L + (random.nextInt(200_000) - 100_000),
              bytes(random),
              random.nextInt(40) == 0 ? new byte[90_000] : bytes(random),
              headers));
    }
    return records;
  }

  private static byte @Nullable [] bytes(Random random) {
    int size = random.nextInt(120) - 10;
    if (size < -5) {
      return null;
    }
    byte[] bytes = new byte[Math.max(size, 0)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(6));
    }
    return bytes;
  }

  private static Neutral neutral(Record record) {
    return new Neutral(
        record.offset(),
        record.timestamp(),
        text(record.key()),
        text(record.value()),
        headers(record.headers()));
  }

  private static String headers(Header[] headers) {
    StringBuilder text = new StringBuilder();
    for (Header header : headers) {
      byte[] value = header.value();
      text.append(header.key()).append('=');
      text.append(value == null ? "null" : new String(value, StandardCharsets.UTF_8)).append(';');
    }
    return text.toString();
  }

  private static Neutral neutral(LogRecord record) {
    StringBuilder headers = new StringBuilder();
    for (dev.weir.log.batch.RecordHeader header : record.headers()) {
      headers.append(header.key()).append('=').append(text(header.value())).append(';');
    }
    return new Neutral(
        record.offset(),
        record.timestampMs(),
        text(record.key()),
        text(record.value()),
        headers.toString());
  }

  private static @Nullable String text(@Nullable ByteBuffer bytes) {
    return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
