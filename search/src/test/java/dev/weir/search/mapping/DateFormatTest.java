package dev.weir.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.mapping.DateFormat.Rounding;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DateFormatTest {

  @ParameterizedTest
  @CsvSource({
    "2024,2024-01-01T00:00:00Z",
    "2024-05,2024-05-01T00:00:00Z",
    "2024-05-06,2024-05-06T00:00:00Z",
    "2024-05-06T07,2024-05-06T07:00:00Z",
    "2024-05-06T07:08,2024-05-06T07:08:00Z",
    "2024-05-06T07:08:09,2024-05-06T07:08:09Z",
    "2024-05-06T07:08:09.123456789Z,2024-05-06T07:08:09.123Z",
    "2024-05-06T07:08:09+02:00,2024-05-06T05:08:09Z",
    "2024-05-06T07:08:09+0200,2024-05-06T05:08:09Z",
    "-1500,1969-12-31T23:59:58.500Z",
    "1714979289123,2024-05-06T07:08:09.123Z"
  })
  void theDefaultReadsIsoDatesInPartsAndMilliseconds(String text, String instant) {
    assertThat(Instant.ofEpochMilli(DateFormat.DEFAULT.parse(text))).hasToString(instant);
  }

  @ParameterizedTest
  @CsvSource({
    "2024,2024-12-31T23:59:59.999Z",
    "2024-02,2024-02-29T23:59:59.999Z",
    "2024-05-06T07,2024-05-06T07:59:59.999Z",
    "2024-05-06T07:08:09,2024-05-06T07:08:09.999Z"
  })
  void missingPartsCanMeanTheLastInstant(String text, String instant) {
    long ms = DateFormat.DEFAULT.parse(text, ZoneId.of("UTC"), Rounding.UP);
    assertThat(Instant.ofEpochMilli(ms)).hasToString(instant);
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy/MM/dd HH:mm:ss,2024/05/06 07:08:09,2024-05-06T07:08:09Z",
    "basic_date,20240506,2024-05-06T00:00:00Z",
    "epoch_second,1714979289,2024-05-06T07:08:09Z",
    "date_optional_time,2024-5-6,2024-05-06T00:00:00Z",
    "dd.MM.yyyy||strict_date,06.05.2024,2024-05-06T00:00:00Z",
    "dd.MM.yyyy||strict_date,2024-05-06,2024-05-06T00:00:00Z"
  })
  void formatsAreNamesOrPatterns(String format, String text, String instant) {
    assertThat(Instant.ofEpochMilli(DateFormat.of(format).parse(text))).hasToString(instant);
  }

  @ParameterizedTest
  @CsvSource({"2024-13-01", "2024-02-30", "x", "24-05-06", "''", "2024-05-06T25", "9e99"})
  void whatFitsNoPartIsRefused(String text) {
    assertThatThrownBy(() -> DateFormat.DEFAULT.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "failed to parse date field ["
                + text
                + "] with format [strict_date_optional_time||epoch_millis]");
  }

  @ParameterizedTest
  @CsvSource({
    "strict_date_optional_time,2024-05-06T07:08:09.123Z",
    "epoch_millis,1714979289123",
    "epoch_second,1714979289",
    "yyyy/MM/dd,2024/05/06"
  })
  void anInstantIsPrintedInTheFirstFormat(String format, String printed) {
    assertThat(DateFormat.of(format).print(1714979289123L)).isEqualTo(printed);
  }

  /** Format, text, what it is rounded down and up to. */
  @ParameterizedTest
  @CsvSource({
    "default,12345,1970-01-01T00:00:12.345Z,1970-01-01T00:00:12.345Z",
    "default,123456,1970-01-01T00:02:03.456Z,1970-01-01T00:02:03.456Z",
    "default,123456789,1970-01-02T10:17:36.789Z,1970-01-02T10:17:36.789Z",
    "strict_date_optional_time||epoch_millis,99999999,1970-01-02T03:46:39.999Z,1970-01-02T03:46:39.999Z",
    "default,123,1970-01-01T00:00:00.123Z,1970-01-01T00:00:00.123Z",
    "default,2024-01-15T10,2024-01-15T10:00:00Z,2024-01-15T10:59:59.999Z",
    "default,2024-01-15T10:20,2024-01-15T10:20:00Z,2024-01-15T10:20:59.999Z",
    "default,2024-01-15T10Z,2024-01-15T10:00:00Z,2024-01-15T10:59:59.999Z",
    "default,2024-01-15T10+02:00,2024-01-15T08:00:00Z,2024-01-15T08:59:59.999Z",
    "default,2024-01-15T,2024-01-15T00:00:00Z,2024-01-15T23:59:59.999Z",
    "default,2024-01-15T10:20:30.5,2024-01-15T10:20:30.500Z,2024-01-15T10:20:30.500Z",
    "date_hour,2024-01-15T10,2024-01-15T10:00:00Z,2024-01-15T10:59:59.999Z",
    "yyyy-MM-dd HH,2024-01-15 10,2024-01-15T10:00:00Z,2024-01-15T10:59:59.999Z",
    "yyyy-MM-dd"
        + " HH:mm||yyyy-MM-dd||epoch_millis,2024-01-15,2024-01-15T00:00:00Z,2024-01-15T23:59:59.999Z",
    "yyyy-MM-dd"
        + " HH:mm||yyyy-MM-dd||epoch_millis,1705312800000,2024-01-15T10:00:00Z,2024-01-15T10:00:00Z",
    "epoch_second,1705312800,2024-01-15T10:00:00Z,2024-01-15T10:00:00.999Z",
    "epoch_second,1705312800.25,2024-01-15T10:00:00.250Z,2024-01-15T10:00:00.250Z",
    "yyyy,2024,2024-01-01T00:00:00Z,2024-12-31T23:59:59.999Z",
    "yyyy-MM,2024-02,2024-02-01T00:00:00Z,2024-02-29T23:59:59.999Z"
  })
  void aTextCoversWhatItLeavesOpen(String format, String text, String first, String last) {
    DateFormat dates = format.equals("default") ? DateFormat.DEFAULT : DateFormat.of(format);
    assertThat(instant(dates.parse(text, ZoneId.of("UTC"), Rounding.DOWN))).hasToString(first);
    assertThat(instant(dates.parse(text, ZoneId.of("UTC"), Rounding.UP))).hasToString(last);
  }

  @ParameterizedTest
  @CsvSource({
    "default,2024,1970-01-01T00:00:02.024Z",
    "default,12,1970-01-01T00:00:00.012Z",
    "date_optional_time||epoch_second,2024,1970-01-01T00:33:44Z",
    "epoch_millis,1705312800000,2024-01-15T10:00:00Z",
    "yyyy,2024,2024-01-01T00:00:00Z",
    "basic_date||epoch_millis,20240115,2024-01-15T00:00:00Z",
    "strict_date_optional_time,2024,2024-01-01T00:00:00Z"
  })
  void aNumberCountsFrom1970WhereTheFormatCountsAtAll(String format, String text, String first) {
    DateFormat dates = format.equals("default") ? DateFormat.DEFAULT : DateFormat.of(format);
    assertThat(instant(dates.parseNumber(text))).hasToString(first);
  }

  private static Instant instant(long ms) {
    return Instant.ofEpochMilli(ms);
  }
}
