package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Small batches for tests. */
public final class Batches {
  private Batches() {}

  public static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  public static String string(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  public static ByteBuffer of(String... values) {
    RecordBatchBuilder builder = RecordBatchBuilder.data(Compression.NONE);
    for (String value : values) {
      builder.add(1000, null, text(value));
    }
    return builder.build();
  }

  /** A batch of an idempotent producer with {@code count} records. */
  public static ByteBuffer sequenced(long producer, int epoch, int sequence, int count) {
    RecordBatchBuilder builder =
        RecordBatchBuilder.data(Compression.NONE).producer(producer, (short) epoch, sequence);
    for (int i = 0; i < count; i++) {
      builder.add(1000, null, text("s" + (sequence + i)));
    }
    return builder.build();
  }

  public static ByteBuffer transactional(long producer, int epoch, int sequence) {
    return RecordBatchBuilder.data(Compression.NONE)
        .producer(producer, (short) epoch, sequence)
        .transactional()
        .add(1000, null, text("t" + sequence))
        .build();
  }

  public static ByteBuffer marker(
      long producer, int epoch, ControlType type, int coordinatorEpoch) {
    return RecordBatchBuilder.control()
        .producer(producer, (short) epoch, RecordBatchView.NO_SEQUENCE)
        .transactional()
        .addControl(
            1000, type, ByteBuffer.allocate(6).putShort((short) 0).putInt(coordinatorEpoch).flip())
        .build();
  }

  public static List<LogRecord> read(PartitionLog log, long offset, ReadUpTo bound) {
    ReadOutcome outcome = log.read(offset, Integer.MAX_VALUE, bound);
    assertThat(outcome).isInstanceOf(LogSlice.class);
    List<LogRecord> records = new ArrayList<>();
    for (RecordBatchView batch : ((LogSlice) outcome).batches()) {
      batch.forEachRecord(records::add);
    }
    return records;
  }

  public static List<String> values(PartitionLog log) {
    return read(log, log.logStartOffset(), ReadUpTo.LOG_END).stream()
        .map(
            record -> {
              ByteBuffer value = record.value();
              return value == null ? "null" : StandardCharsets.UTF_8.decode(value).toString();
            })
        .toList();
  }
}
