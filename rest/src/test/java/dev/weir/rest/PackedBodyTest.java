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
    assertThat(text("gzip", packed, MAX)).isEqualTo("{\"a\":1}");
    assertThat(text("X-GZIP", packed, MAX)).isEqualTo("{\"a\":1}");
  }

  @Test
  void noBodyIsShorterThanItWas() throws IOException {
    byte[] packed = joined(gzip("{\"a\":1}"), gzip("{\"b\":2}"));
    int first = gzip("{\"a\":1}").length;
    for (int length = 1; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      if (length == first) {
        assertThat(text("gzip", cut, MAX)).isEqualTo("{\"a\":1}"); // a whole member
      } else {
        assertThat(PackedBody.measure("gzip", cut, MAX))
            .as("length=%d", length)
            .isInstanceOf(Outcome.Corrupt.class);
      }
    }
  }

  @Test
  void whatFollowsTheLastMemberIsNoPartOfTheFormat() throws IOException {
    for (String garbage : new String[] {"\0", "\0\0\0\0\0\0\0\0\0\0\0\0", "{}", "0123456789"}) {
      byte[] packed = joined(gzip("{}"), garbage.getBytes(StandardCharsets.UTF_8));
      assertThat(PackedBody.measure("gzip", packed, MAX)).isInstanceOf(Outcome.Corrupt.class);
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
      Outcome outcome = PackedBody.measure("gzip", flipped, MAX);
      if (outcome instanceof Outcome.Corrupt) {
        corrupt++;
      } else { // the time, the system, or what fills up the last byte of the data
        assertThat(text("gzip", flipped, MAX)).as("bit=%d", bit).isEqualTo(text);
      }
    }
    assertThat(corrupt).isGreaterThan(packed.length * 8 - 64);
  }

  @Test
  void theLimitIsOnWhatThePackedBodyHolds() throws IOException {
    byte[] packed = joined(gzip("x".repeat(600)), gzip("x".repeat(400)));
    assertThat(text("gzip", packed, 1000)).hasSize(1000);
    assertThat(PackedBody.measure("gzip", packed, 999)).isEqualTo(new Outcome.TooLarge());
  }

  @Test
  void theHeadersOptionalPartsAreSkipped() throws IOException {
    byte[] plain = gzip("{}");
    byte[] head = Arrays.copyOf(plain, 10);
    head[3] = 2 + 4 + 8 + 16;
    byte[] parts = {3, 0, 9, 9, 9, 'n', 0, 'c', 'c', 0, 1, 2};
    byte[] packed = joined(head, parts, Arrays.copyOfRange(plain, 10, plain.length));
    assertThat(text("gzip", packed, MAX)).isEqualTo("{}");
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
      assertThat(text("gzip", gzip(text), MAX)).isEqualTo(text);
    }
  }

  @Test
  void deflateIsZlib() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new DeflaterOutputStream(packed)) {
      out.write("{}".getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = packed.toByteArray();
    assertThat(text("deflate", bytes, MAX)).isEqualTo("{}");
    assertThat(PackedBody.measure("deflate", joined(bytes, bytes), MAX))
        .isInstanceOf(Outcome.Corrupt.class);
  }

  @Test
  void anUnknownEncodingIsRefusedByItsName() {
    assertThat(PackedBody.measure("br", new byte[3], MAX))
        .isEqualTo(
            new Outcome.Corrupt("Content-Encoding [br] is not understood; use gzip or deflate"));
  }

  private static String text(String encoding, byte[] packed, int bytesMax) {
    Outcome.Holds holds = (Outcome.Holds) PackedBody.measure(encoding, packed, bytesMax);
    byte[] body = PackedBody.unpack(encoding, packed, holds);
    assertThat(body).hasSize(holds.bytes());
    return new String(body, StandardCharsets.ISO_8859_1);
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
