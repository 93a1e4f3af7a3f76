package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MinimumShouldMatchTest {

  @ParameterizedTest
  @CsvSource({
    "3, 5, 3",
    "3, 2, 3",
    "-1, 5, 4",
    "-7, 5, 0",
    "75%, 4, 3",
    "75%, 3, 2",
    "30%, 1, 0",
    "-25%, 4, 3",
    "-25%, 3, 3",
    "-100%, 3, 0",
    "100%, 3, 3",
    "3<90%, 3, 3",
    "3<90%, 10, 9",
    "2<-25% 9<-3, 2, 2",
    "2<-25% 9<-3, 8, 6",
    "2<-25% 9<-3, 12, 9",
    "2 < 50%, 4, 2",
    "999999999%, 1000, 2147483647",
  })
  void countsClauses(String text, int clauses, int required) {
    assertThat(new MinimumShouldMatch(text).of(clauses)).isEqualTo(required);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "%", "1.5", "3<", "<3", "3<2 4", "99999999999"})
  void refusesWhatIsNone(String text) {
    assertThatThrownBy(() -> new MinimumShouldMatch(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("minimum_should_match");
  }

  @Test
  void ignoresBlanksAroundIt() {
    assertThat(new MinimumShouldMatch(" 2 ")).isEqualTo(MinimumShouldMatch.exactly(2));
  }
}
