package dev.weir.search.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a name that is not known. */
final class KnownNamesTest {
  private static final KnownNames NAMES =
      KnownNames.of(
              "gt", "gte", "lt", "lte", "text", "query", "space_type", "sample_factor", "index.knn")
          .instead("fuzzy", "use [match]");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          qeury  | ' did you mean [query]?'
          txt    | ' did you mean [text]?'
          gr     | ' did you mean [gt]?'
          gtt    | ' did you mean any of [gt, gte]?'
          space  | ' did you mean [space_type]?'
          factor | ' did you mean [sample_factor]?'
          knn    | ' did you mean [index.knn]?'
          fact   | ''
          x      | ''
          other  | ''
          fuzzy  | '; use [match]'
          query  | ''
          """)
  void isTheNearestNameOrWhatToDoInstead(String unknown, String hint) {
    assertThat(NAMES.hint(unknown)).isEqualTo(hint);
  }

  @Test
  void aWordOfManyNamesSuggestsNone() {
    KnownNames many = KnownNames.of("index.first", "index.second", "index.third", "index.fourth");

    assertThat(many.hint("index")).isEmpty();
    assertThat(KnownNames.of("index.first", "index.second").hint("index"))
        .isEqualTo(" did you mean any of [index.first, index.second]?");
  }

  @Test
  void namesAndRemediesAreJoined() {
    KnownNames joined = NAMES.and(KnownNames.of("slop").instead("regexp", "use [wildcard]"));

    assertThat(joined.hint("slopp")).isEqualTo(" did you mean [slop]?");
    assertThat(joined.hint("regexp")).isEqualTo("; use [wildcard]");
    assertThat(joined.hint("fuzzy")).isEqualTo("; use [match]");
  }
}
