package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PlacementTest {

  /** Values that Apache Kafka's own tests of its client state for its hash. */
  @Test
  void hashIsTheOneOfTheJavaClient() {
    assertThat(hash("21")).isEqualTo(-973932308);
    assertThat(hash("foobar")).isEqualTo(-790332482);
    assertThat(hash("a-little-bit-long-string")).isEqualTo(-985981536);
    assertThat(hash("a-little-bit-longer-string")).isEqualTo(-1486304829);
    assertThat(hash("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8")).isEqualTo(-58897971);
    assertThat(hash("abc")).isEqualTo(479470107);
  }

  private static int hash(String text) {
    return Placement.murmur2(text.getBytes(StandardCharsets.UTF_8));
  }
}
