package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.PackedBody.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedBodyTest {
  private static final int MAX = 1 << 20;

  @Test
  void membersOneAfterTheOtherAreOneBody() throws IOException {
    byte[] packed = joined(gzip("{\"a\":"), gzip(""), gzip("1}"));
    assertThat(text(PackedBody.unpack("gzip", packed, MAX))).isEqualTo("{\"a\":1}");
    assertThat(text(PackedBody.unpack("X-GZIP", packed, MAX))).isEqualTo("{\"a\":1}");
  }

  @Test
  void noBodyIsShorterThanItWas() throws IOException {
    byte[] packed = joined(gzip("{\"a\":1}"), gzip("{\"b\":2}"));
    int first = gzip("{\"a\":1}").length;
    for (int length = 1; length < packed.length; length++) {
      Outcome outcome = PackedBody.unpack("gzip", Arrays.copyOf(packed, length), MAX);
      if (length == first) {
        assertThat(text(outcome)).isEqualTo("{\"a\":1}"); // a whole member
      } else {
        assertThat(outcome).as("length=%d", length).isInstanceOf(Outcome.Corrupt.class);
      }
    }
  }

  @Test
  void whatFollowsTheLastMemberIsNoPartOfTheFormat() throws IOException {
    for (String garbage : new String[] {"\0", "\0\0\0\0\0\0\0\0\0\0\0\0", "{}", "0123456789"}) {
      byte[] packed = joined(gzip("{}"), garbage.getBytes(StandardCharsets.UTF_8));
      assertThat(PackedBody.unpack("gzip", packed, MAX)).isInstanceOf(Outcome.Corrupt.class);
    }
  }

  @Test
  void aFlippedBitIsSeenOrSaysNothing() throws IOException {
    String text = "{\"text\":\"some words, some words, some words\"}";
    byte[] packed = gzip(text);
    int corrupt = 0;
    for (int bit = 0; bit < packed.length * 8; bit++) {
      byte[] flipped = packed.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Outcome outcome = PackedBody.unpack("gzip", flipped, MAX);
      if (outcome instanceof Outcome.Corrupt) {
        corrupt++;
      } else { // the time, the system, or what fills up the last byte of the data
        assertThat(text(outcome)).as("bit=%d", bit).isEqualTo(text);
      }
    }
    assertThat(corrupt).isGreaterThan(packed.length * 8 - 64);
  }

  @Test
  void theLimitIsOnWhatThePackedBodyHolds() throws IOException {
    byte[] packed = joined(gzip("x".repeat(600)), gzip("x".repeat(400)));
    assertThat(text(PackedBody.unpack("gzip", packed, 1000))).hasSize(1000);
    assertThat(PackedBody.unpack("gzip", packed, 999)).isEqualTo(new Outcome.TooLarge());
  }

  @Test
  void theHeadersOptionalPartsAreSkipped() throws IOException {
    byte[] plain = gzip("{}");
    byte[] head = Arrays.copyOf(plain, 10);
    head[3] = 2 + 4 + 8 + 16;
    byte[] parts = {3, 0, 9, 9, 9, 'n', 0, 'c', 'c', 0, 1, 2};
    byte[] packed = joined(head, parts, Arrays.copyOfRange(plain, 10, plain.length));
    assertThat(text(PackedBody.unpack("gzip", packed, MAX))).isEqualTo("{}");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void bodiesOfAnySizeComeBack(long seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < 50; i++) {
      byte[] body = new byte[random.nextInt(50_000)];
      random.nextBytes(body);
      Arrays.fill(body, 0, body.length / 2, (byte) 'a');
      String text = new String(body, StandardCharsets.ISO_8859_1);
      assertThat(text(PackedBody.unpack("gzip", gzip(text), MAX))).isEqualTo(text);
    }
  }

  @Test
  void deflateIsZlib() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new DeflaterOutputStream(packed)) {
      out.write("{}".getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = packed.toByteArray();
    assertThat(text(PackedBody.unpack("deflate", bytes, MAX))).isEqualTo("{}");
    assertThat(PackedBody.unpack("deflate", joined(bytes, bytes), MAX))
        .isInstanceOf(Outcome.Corrupt.class);
  }

  @Test
  void anUnknownEncodingIsRefusedByItsName() {
    assertThat(PackedBody.unpack("br", new byte[3], MAX))
        .isEqualTo(
            new Outcome.Corrupt("Content-Encoding [br] is not understood; use gzip or deflate"));
  }

  private static String text(Outcome outcome) {
    return new String(((Outcome.Unpacked) outcome).body(), StandardCharsets.ISO_8859_1);
  }

  private static byte[] gzip(String text) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return packed.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
