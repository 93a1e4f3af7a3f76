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

  private boolean put(KeyOffsets offsets, String key, long offset) {
    hashes.clear();
    hashes.add(key(key), offset);
    return offsets.put(hashes);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void itKeepsTheNewestOffsetOfEachKeyAsAHashMapDoes(long seed) {
    Random random = new Random(seed);
    long first = random.nextLong(1L << 50);
    KeyOffsets offsets = new KeyOffsets(Integer.MAX_VALUE);
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
      assertThat(offsets.put(hashes)).isTrue();
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
  void anOffsetFourBillionFromTheFirstIsTheLastThatFits() {
    KeyOffsets offsets = new KeyOffsets(10);
    long first = 1L << 40; // wherever the log begins
    assertThat(put(offsets, "a", first)).isTrue();
    long last = first + 0xFFFF_FFFEL;
    assertThat(put(offsets, "a", last)).isTrue();
    assertThat(newest(offsets, "a")).isEqualTo(last);
    assertThat(put(offsets, "a", last + 1)).isFalse();
    assertThat(newest(offsets, "a")).isEqualTo(last);
  }

  @Test
  void aBatchForWhichThereMightBeNoRoomIsLeftOutWhole() {
    KeyOffsets offsets = new KeyOffsets(3);
    put(offsets, "a", 0);
    put(offsets, "b", 1);
    hashes.clear();
    hashes.add(key("c"), 2);
    hashes.add(key("d"), 3);
    assertThat(offsets.put(hashes)).isFalse();
    assertThat(offsets.size()).isEqualTo(2);
    assertThat(newest(offsets, "c")).isEqualTo(KeyOffsets.NONE);
    assertThat(put(offsets, "c", 2)).isTrue();
    assertThat(put(offsets, "a", 3)).isFalse();
  }

  @Test
  void theFirstBatchAlwaysHasRoom() {
    KeyOffsets offsets = new KeyOffsets(1);
    hashes.add(key("a"), 5);
    hashes.add(key("b"), 6);
    assertThat(offsets.put(hashes)).isTrue();
    assertThat(offsets.size()).isEqualTo(2);
  }

  @Test
  void aBatchWithoutKeysNeedsNoRoom() {
    KeyOffsets offsets = new KeyOffsets(1);
    put(offsets, "a", 5);
    hashes.clear();
    assertThat(offsets.put(hashes)).isTrue();
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
