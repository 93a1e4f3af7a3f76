package dev.weir.log.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyOffsetsTest {
  private final KeyHashes hashes = new KeyHashes();

  private static ByteBuffer key(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private long newest(KeyOffsets offsets, String key) {
    hashes.clear();
    hashes.add(key(key), 0);
    long[] found = new long[1];
    offsets.newest(hashes, found);
    return found[0];
  }

  private void put(KeyOffsets offsets, String key, long offset) {
    hashes.clear();
    hashes.add(key(key), offset);
    offsets.put(hashes);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void itKeepsTheNewestOffsetOfEachKeyAsAHashMapDoes(long seed) {
    Random random = new Random(seed);
    long first = random.nextLong(1L << 50);
    KeyOffsets offsets = new KeyOffsets(first, Integer.MAX_VALUE);
    Map<String, Long> model = new HashMap<>();
    long offset = first;
    for (int batch = 0; batch < 2_000; batch++) {
      hashes.clear();
      for (int i = random.nextInt(20); i >= 0; i--) {
        String key = "k" + random.nextInt(8_000);
        hashes.add(key(key), offset);
        model.put(key, offset);
        offset += 1 + random.nextInt(3);
      }
      offsets.put(hashes);
    }
    assertThat(offsets.size()).as("seed=%d", seed).isEqualTo(model.size());
    List<String> asked = new ArrayList<>();
    hashes.clear();
    for (int i = 0; i < 8_100; i++) {
      asked.add("k" + i);
      hashes.add(key("k" + i), 0);
    }
    long[] found = new long[asked.size()];
    offsets.newest(hashes, found);
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i])
          .as("seed=%d key=%s", seed, asked.get(i))
          .isEqualTo(model.getOrDefault(asked.get(i), KeyOffsets.NONE));
    }
  }

  @Test
  void offsetsBelowTheFirstArePassedOver() {
    KeyOffsets offsets = new KeyOffsets(100, 10);
    put(offsets, "a", 99);
    assertThat(newest(offsets, "a")).isEqualTo(KeyOffsets.NONE);
    put(offsets, "a", 100);
    assertThat(newest(offsets, "a")).isEqualTo(100);
  }

  @Test
  void anOffsetFourBillionAwayIsTheLastThatFits() {
    KeyOffsets offsets = new KeyOffsets(7, 10);
    long last = 7 + 0xFFFF_FFFEL;
    put(offsets, "b", 7);
    assertThat(offsets.reaches(last - 9, last)).isTrue();
    put(offsets, "a", last);
    assertThat(newest(offsets, "a")).isEqualTo(last);
    assertThat(offsets.isFull()).isFalse();
    assertThat(offsets.reaches(last - 9, last + 1)).isFalse();
    assertThat(offsets.isFull()).isTrue();
  }

  @Test
  void theFirstBatchMayLieAnywhereBehindTheFirstOffset() {
    KeyOffsets offsets = new KeyOffsets(0, 10);
    long far = 1L << 40;
    assertThat(offsets.reaches(far, far + 9)).isTrue();
    put(offsets, "a", far + 3);
    assertThat(newest(offsets, "a")).isEqualTo(far + 3);
    assertThat(offsets.reaches(2 * far, 2 * far)).isFalse();
  }

  @Test
  void aBatchThatBeginsBeforeTheFirstOffsetDoesNotMoveIt() {
    KeyOffsets offsets = new KeyOffsets(100, 10);
    assertThat(offsets.reaches(90, 110)).isTrue();
    put(offsets, "a", 99);
    put(offsets, "b", 105);
    assertThat(newest(offsets, "a")).isEqualTo(KeyOffsets.NONE);
    assertThat(newest(offsets, "b")).isEqualTo(105);
  }

  @Test
  void itIsFullAtItsBoundOfKeys() {
    KeyOffsets offsets = new KeyOffsets(0, 2);
    put(offsets, "a", 0);
    put(offsets, "a", 1);
    assertThat(offsets.isFull()).isFalse();
    put(offsets, "b", 2);
    assertThat(offsets.isFull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1023, 1024, 1025, 5000})
  void aKeyIsHashedToItsEndWhereverItLies(int length) {
    byte[] bytes = new byte[length + 2];
    new Random(length).nextBytes(bytes);
    ByteBuffer inside = ByteBuffer.wrap(bytes).position(1).limit(1 + length);
    hashes.add(inside, 0);
    hashes.add(inside.slice().asReadOnlyBuffer(), 0);
    bytes[length] ^= 1; // its last byte, or the one before it
    hashes.add(inside, 0);
    assertThat(hashes.high(1)).isEqualTo(hashes.high(0));
    assertThat(hashes.low(1)).isEqualTo(hashes.low(0));
    assertThat(hashes.high(2) == hashes.high(0)).isEqualTo(length == 0);
  }

  @Test
  void theKeysBufferIsNotConsumed() {
    ByteBuffer key = key("abc");
    hashes.add(key, 1);
    assertThat(key.remaining()).isEqualTo(3);
  }
}
