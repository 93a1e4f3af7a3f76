package dev.weir.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorsTest {
  private static Descriptors of(long limit) {
    return new Descriptors(OptionalLong.of(limit));
  }

  @ParameterizedTest(name = "of {0} descriptors logs keep {1} for readers")
  @CsvSource({
    "20, 16",
    "256, 64",
    "1024, 256",
    "4096, 1024",
    "65535, 1024",
    "9223372036854775807, 1024"
  })
  void logsKeepAQuarterOfWhatTheProcessMayHaveOpen(long limit, int logFilesMax) {
    assertThat(of(limit).logFilesMax()).isEqualTo(logFilesMax);
  }

  @Test
  void aLimitThatIsNotKnownLimitsNothing() {
    Descriptors unknown = new Descriptors(OptionalLong.empty());
    assertThat(unknown.logFilesMax()).isEqualTo(1024);
    assertThat(unknown.warning()).isEmpty();
  }

  @Test
  void aLowLimitIsToldWithWhatIsRecommended() {
    assertThat(of(65_535).warning()).isEmpty();
    assertThat(of(4_096).warning()).isEmpty();
    assertThat(of(1024).warning().orElseThrow())
        .contains("limit=1024")
        .contains("recommended=65535")
        .contains("ulimit -n");
  }

  @Test
  void aUnixTellsTheLimitOfTheProcess() {
    assertThat(Descriptors.ofProcess().limit().orElseThrow()).isPositive();
  }
}
