package dev.weir.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names are those of a partition's files. */
final class SegmentFilesTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 9, 4000, Long.MAX_VALUE})
  void nameHasTheOffsetInTwentyDigits(long offset) {
    Path file = SegmentFiles.file(Path.of("t-0"), offset, ".log");
    String name = file.getFileName().toString();
    assertThat(name).hasSize(24).matches("[0-9]{20}\\.log");
    assertThat(SegmentFiles.offset(name, ".log")).hasValue(offset);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000000000000001.index",
        "00000000000000000001.log.swap",
        "0000000000000000001.log",
        "000000000000000000001.log",
        "0000000000000000000x.log",
        "-0000000000000000001.log",
        "/0000000000000000001.log",
        ":0000000000000000001.log",
        "09223372036854775808.log", // one more than the largest offset
        "99999999999999999999.log",
        ".log",
        ""
      })
  void otherNamesHaveNoOffset(String name) {
    assertThat(SegmentFiles.offset(name, ".log")).isEmpty();
  }

  @Test
  void digitsAreTakenFromTheFirstToTheLast() {
    assertThat(SegmentFiles.offset("09999999999999999999.log", ".log")).isEmpty();
    assertThat(SegmentFiles.offset("01234567890123456789.log", ".log"))
        .hasValue(1234567890123456789L);
  }

  @Test
  void offsetsOfASuffixAreSorted() {
    List<String> names =
        List.of(
            "00000000000000000300.log",
            "00000000000000000007.log",
            "00000000000000000007.index",
            "partition.metadata");
    assertThat(SegmentFiles.offsets(names, ".log")).containsExactly(7L, 300L);
  }
}
