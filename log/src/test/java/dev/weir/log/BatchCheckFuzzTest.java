package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordBatches;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever bytes arrive, the checks answer; they never throw, and never allocate by a claim. */
final class BatchCheckFuzzTest {
  private static final int ROUNDS = 3000;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 5);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void damagedBatchesAreRefusedOrSound(long seed) {
    Random random = new Random(seed);
    LogConfig config =
        LogConfig.of(
            Map.of(
                "cleanup.policy",
                "compact",
                "compression.type",
                random.nextBoolean() ? "producer" : "zstd",
                "message.timestamp.after.max.ms",
                String.valueOf(Long.MAX_VALUE)));
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = random.nextInt(8) == 0 ? noise(random) : damaged(random);
      ByteBuffer given = ByteBuffer.wrap(bytes);
      switch (BatchCheck.of(given, config, AppendOrigin.CLIENT, 1000)) {
        case BatchCheck.Unsound(AppendOutcome.Refused refused) ->
            assertThat(refused.message()).isNotEmpty();
        case BatchCheck.Sound sound -> assertThat(sound.batches()).isNotEmpty();
      }
      assertThat(given.position()).isZero();
      assertThat(given.limit()).isEqualTo(bytes.length);
      decode(given);
    }
  }

  /** What is in a file may be decoded by a consumer in the process: it must answer likewise. */
  private static void decode(ByteBuffer bytes) {
    try {
      for (RecordBatchView batch : RecordBatches.of(bytes)) {
        batch.forEachRecord(record -> assertThat(record.headers()).isNotNull());
      }
    } catch (CorruptBatchException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }

  private static byte[] noise(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] damaged(Random random) {
    Compression[] codecs = Compression.values();
    RecordBatchBuilder builder = RecordBatchBuilder.data(codecs[random.nextInt(codecs.length)]);
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      ByteBuffer text = ByteBuffer.wrap(("text " + random.nextInt(9)).repeat(5).getBytes(UTF));
      builder.add(900, random.nextInt(9) == 0 ? null : text, text);
    }
    ByteBuffer built = builder.build();
    byte[] bytes = new byte[built.remaining() + random.nextInt(2) * random.nextInt(30)];
    built.get(bytes, 0, built.remaining());
    int flips = random.nextInt(4);
    for (int i = 0; i < flips; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    if (random.nextInt(6) == 0) {
      ByteBuffer.wrap(bytes).putInt(8, random.nextInt());
    }
    if (random.nextInt(6) == 0) {
      ByteBuffer.wrap(bytes).putInt(57, random.nextInt());
    }
    if (random.nextBoolean()) {
      reseal(bytes);
    }
    return bytes;
  }

  private static final java.nio.charset.Charset UTF = java.nio.charset.StandardCharsets.UTF_8;

  /** Makes the checksum match the damage, as a client that lies would. */
  private static void reseal(byte[] bytes) {
    int size = 12 + ByteBuffer.wrap(bytes).getInt(8);
    if (size >= 61 && size <= bytes.length) {
      CRC32C crc = new CRC32C();
      crc.update(bytes, 21, size - 21);
      ByteBuffer.wrap(bytes).putInt(17, (int) crc.getValue());
    }
  }
}
