package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogConfigTest {
  @ParameterizedTest
  @ValueSource(strings = {"4", "11", "12"})
  void theSmallestIndexThatKafkaTakesHoldsOneEntry(String bytes) {
    assertThat(LogConfig.of(Map.of("segment.index.bytes", bytes)).segmentIndexBytes())
        .isEqualTo(12);
  }

  @Test
  void aDelayForEverEndsInTheFuture() {
    String most = Long.toString(Long.MAX_VALUE);
    LogConfig config = LogConfig.of(Map.of("file.delete.delay.ms", most));
    long nowMs = 1_800_000_000_000L;
    assertThat(nowMs + config.fileDeleteDelayMs()).isGreaterThan(nowMs);
  }
}
