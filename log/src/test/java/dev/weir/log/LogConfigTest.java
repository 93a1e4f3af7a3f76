package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.Compression;
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

  /** As the tables of the metadata take them: what stands around a value is not part of it. */
  @Test
  void whatStandsAroundAValueIsNoPartOfIt() {
    LogConfig config =
        LogConfig.of(
            Map.of(
                "compression.type", " zstd ",
                "message.timestamp.type", "\tLogAppendTime",
                "weir.flush.single.replica", "os\n",
                "cleanup.policy", "\u0001compact, \u0001delete",
                "segment.bytes", "\u00012000000",
                "min.cleanable.dirty.ratio", " 0.25\u0001"));
    assertThat(config.compression()).contains(Compression.ZSTD);
    assertThat(config.timestampSource()).isEqualTo(LogConfig.TimestampSource.LOG_APPEND_TIME);
    assertThat(config.singleReplicaFlush()).isEqualTo(LogConfig.SingleReplicaFlush.OS);
    assertThat(config.cleanupPolicies()).hasSize(2);
    assertThat(config.segmentBytes()).isEqualTo(2_000_000);
    assertThat(config.minCleanableDirtyRatio()).isEqualTo(0.25);
  }

  @Test
  void aNumberBeyondItsTypeIsRefusedByName() {
    assertThatThrownBy(() -> LogConfig.of(Map.of("segment.bytes", "2147483648")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("segment.bytes=2147483648, expected a whole number of 32 bits");
  }
}
