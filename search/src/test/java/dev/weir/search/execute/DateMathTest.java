package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.mapping.DateFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DateMathTest {
  private static final long NOW = Instant.parse("2024-02-29T13:45:50.123Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource({
    "now, 2024-02-29T13:45:50.123Z, 2024-02-29T13:45:50.123Z",
    "now-1d, 2024-02-28T13:45:50.123Z, 2024-02-28T13:45:50.123Z",
    "now-1d/d, 2024-02-28T00:00:00Z, 2024-02-28T23:59:59.999Z",
    "now/d, 2024-02-29T00:00:00Z, 2024-02-29T23:59:59.999Z",
    "now/M, 2024-02-01T00:00:00Z, 2024-02-29T23:59:59.999Z",
    "now/y, 2024-01-01T00:00:00Z, 2024-12-31T23:59:59.999Z",
    "now/w, 2024-02-26T00:00:00Z, 2024-03-03T23:59:59.999Z",
    "now/h, 2024-02-29T13:00:00Z, 2024-02-29T13:59:59.999Z",
    "now/m, 2024-02-29T13:45:00Z, 2024-02-29T13:45:59.999Z",
    "now/s, 2024-02-29T13:45:50Z, 2024-02-29T13:45:50.999Z",
    "now+1y, 2025-02-28T13:45:50.123Z, 2025-02-28T13:45:50.123Z",
    "now+M-2h+30s, 2024-03-29T11:46:20.123Z, 2024-03-29T11:46:20.123Z",
    "now/d+1h, 2024-02-29T01:00:00Z, 2024-03-01T00:59:59.999Z",
    "2024-01-31||+1M, 2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z",
    "2024-01-15||/M, 2024-01-01T00:00:00Z, 2024-01-31T23:59:59.999Z",
    "2024||, 2024-01-01T00:00:00Z, 2024-01-01T00:00:00Z",
    "2024-01, 2024-01-01T00:00:00Z, 2024-01-31T23:59:59.999Z",
    "1706659200000, 2024-01-31T00:00:00Z, 2024-01-31T00:00:00Z",
  })
  void expression(String text, String first, String last) {
    DateMath dates = new DateMath(DateFormat.DEFAULT, ZoneOffset.UTC, new Moment(NOW));
    assertThat(Instant.ofEpochMilli(dates.millis(text, DateFormat.Rounding.DOWN)))
        .isEqualTo(Instant.parse(first));
    assertThat(Instant.ofEpochMilli(dates.millis(text, DateFormat.Rounding.UP)))
        .isEqualTo(Instant.parse(last));
  }

  @ParameterizedTest
  @CsvSource({
    "now/d, 2024-02-28T23:00:00Z",
    "2024-01-15, 2024-01-14T23:00:00Z",
    "2024-01-15T00:00:00Z, 2024-01-15T00:00:00Z",
  })
  void daysBeginInTheZone(String text, String first) {
    DateMath dates = new DateMath(DateFormat.DEFAULT, ZoneId.of("Europe/Berlin"), new Moment(NOW));
    assertThat(Instant.ofEpochMilli(dates.millis(text, DateFormat.Rounding.DOWN)))
        .isEqualTo(Instant.parse(first));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "now-",
        "now-1",
        "now-1x",
        "now*1d",
        "now/2d",
        "now-9999999999d",
        "tomorrow",
        "2024-13-01",
        "now 1d",
        ""
      })
  void whatIsNoDateIsRefused(String text) {
    DateMath dates = new DateMath(DateFormat.DEFAULT, ZoneOffset.UTC, new Moment(NOW));
    assertThatThrownBy(() -> dates.millis(text, DateFormat.Rounding.DOWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("date");
  }
}
