package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scores that functions make, against numbers worked out by hand. */
final class FunctionScoreTest {

  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(
              Map.of(
                  "n",
                  FieldType.Numeric.of(NumericKind.INTEGER),
                  "d",
                  FieldType.Numeric.of(NumericKind.DOUBLE),
                  "f",
                  FieldType.Numeric.of(NumericKind.FLOAT),
                  "tag",
                  FieldType.Keyword.DEFAULT)),
          1);
  private TestSearches searches = new TestSearches();

  @BeforeEach
  void write() {
    index.put(0, "a", Map.of("n", 1, "d", 1.0, "f", 0.5f, "tag", "x"), "{}");
    index.cut(0);
    index.put(0, "b", Map.of("n", 4, "d", 2.5, "f", 1.5f, "tag", "y"), "{}");
    index.put(0, "c", Map.of("tag", "y"), "{}");
    searches = new TestSearches(index.open());
  }

  @AfterEach
  void close() {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'weight':3                                                   | {a=3.0, b=3.0, c=3.0}
          'weight':3,'boost':2                                         | {a=6.0, b=6.0, c=6.0}
          'weight':3,'max_boost':2                                     | {a=2.0, b=2.0, c=2.0}
          'functions':[]                                               | {a=1.0, b=1.0, c=1.0}
          'functions':[{'filter':{'term':{'tag':'y'}},'weight':5}]     | {a=1.0, b=5.0, c=5.0}
          'functions':[{'filter':{'term':{'tag':'y'}},'weight':5}],'min_score':2 | {b=5.0, c=5.0}
          'functions':[{'filter':{'term':{'tag':'y'}},'weight':5}],'min_score':2,'boost':0.5 | {b=2.5, c=2.5}
          'functions':[{'weight':2},{'weight':3}]                      | {a=6.0, b=6.0, c=6.0}
          'functions':[{'weight':2},{'weight':3}],'score_mode':'sum'   | {a=5.0, b=5.0, c=5.0}
          'functions':[{'weight':2},{'weight':3}],'score_mode':'avg'   | {a=1.0, b=1.0, c=1.0}
          'functions':[{'weight':2},{'weight':3}],'score_mode':'max'   | {a=3.0, b=3.0, c=3.0}
          'functions':[{'weight':2},{'weight':3}],'score_mode':'min'   | {a=2.0, b=2.0, c=2.0}
          'functions':[{'filter':{'term':{'tag':'x'}},'weight':2},{'weight':3}],'score_mode':'first' | {a=2.0, b=3.0, c=3.0}
          'weight':3,'boost_mode':'sum'                                | {a=4.0, b=4.0, c=4.0}
          'weight':3,'boost_mode':'avg'                                | {a=2.0, b=2.0, c=2.0}
          'weight':3,'boost_mode':'min'                                | {a=1.0, b=1.0, c=1.0}
          'weight':3,'boost_mode':'max'                                | {a=3.0, b=3.0, c=3.0}
          'query':{'constant_score':{'filter':{'match_all':{}},'boost':7}},'weight':3,'boost_mode':'replace' | {a=3.0, b=3.0, c=3.0}
          'field_value_factor':{'field':'n','missing':9}               | {a=1.0, b=4.0, c=9.0}
          'field_value_factor':{'field':'n','missing':9,'factor':2,'modifier':'square'} | {a=4.0, b=64.0, c=324.0}
          'field_value_factor':{'field':'n','missing':9,'modifier':'sqrt'} | {a=1.0, b=2.0, c=3.0}
          'field_value_factor':{'field':'n','missing':2,'modifier':'reciprocal'} | {a=1.0, b=0.25, c=0.5}
          'field_value_factor':{'field':'d','missing':0,'modifier':'log1p'} | {a=0.30103, b=0.544068, c=0.0}
          'field_value_factor':{'field':'f','missing':0,'modifier':'ln2p'} | {a=0.916291, b=1.252763, c=0.693147}
          'linear':{'n':{'origin':1,'scale':2}}                        | {a=1.0, b=0.25, c=1.0}
          'linear':{'n':{'origin':1,'scale':1}}                        | {a=1.0, b=0.0, c=1.0}
          'exp':{'n':{'origin':1,'scale':3}}                           | {a=1.0, b=0.5, c=1.0}
          'exp':{'n':{'origin':1,'scale':1,'offset':2,'decay':0.3}}    | {a=1.0, b=0.3, c=1.0}
          'gauss':{'n':{'origin':1,'scale':1.5}}                       | {a=1.0, b=0.0625, c=1.0}
          'gauss':{'d':{'origin':1,'scale':1.5,'decay':0.2}}           | {a=1.0, b=0.2, c=1.0}
          'script_score':{'script':'4'}                                | {a=4.0, b=4.0, c=4.0}
          """)
  void scores(String body, String expected) {
    Map<String, Float> found = scoreById("{'function_score':{" + body + "}}");
    Map<String, Double> wanted = parsed(expected);
    assertThat(found.keySet()).isEqualTo(wanted.keySet());
    wanted.forEach(
        (id, score) ->
            assertThat((double) found.getOrDefault(id, Float.NaN)).isCloseTo(score, within(1e-5)));
  }

  private static Map<String, Double> parsed(String scores) {
    Map<String, Double> wanted = new TreeMap<>();
    for (String entry : scores.substring(1, scores.length() - 1).split(", ", -1)) {
      wanted.put(entry.substring(0, 1), Double.valueOf(entry.substring(2)));
    }
    return wanted;
  }

  @Test
  void aLeastScoreDoesNotDependOnTheBoostOfWhatIsAround() {
    String scored = "{'function_score':{'weight':3,'min_score':%s}}";
    String around = "{'bool':{'boost':0.1,'must':[" + scored + "]}}";
    assertThat(scoreById(around.formatted("3"))).hasSize(3).containsEntry("a", 0.3f);
    assertThat(scoreById(around.formatted("4"))).isEmpty();
  }

  @Test
  void randomScoresAreSteadyBySeedAndWithinBounds() {
    String seeded = "{'function_score':{'random_score':{'seed':%s}}}";
    Map<String, Float> once = scoreById(seeded.formatted("7"));
    assertThat(scoreById(seeded.formatted("7"))).isEqualTo(once);
    assertThat(scoreById(seeded.formatted("8"))).isNotEqualTo(once);
    assertThat(once.values()).doesNotHaveDuplicates().allMatch(score -> score >= 0 && score < 1);
    Map<String, Float> byField =
        scoreById("{'function_score':{'random_score':{'seed':7,'field':'n'}}}");
    assertThat(byField.values()).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'field_value_factor':{'field':'n'}               | Missing value for field [n]; say a [missing]
          'field_value_factor':{'field':'zzz'}             | [zzz] is not mapped
          'field_value_factor':{'field':'tag'}             | [tag] is of type [keyword]
          'field_value_factor':{'field':'d','factor':-1,'missing':1} | must not produce negative scores, but got: [-1.0]
          'linear':{'n':{'scale':2}}                       | [origin] must be given
          'linear':{'n':{'origin':1,'scale':0}}            | needs a [scale] above 0
          'linear':{'n':{'origin':'x','scale':1}}          | [origin] must be a number, got [x]
          """)
  void refusesWhatDoesNotFit(String body, String reason) {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> scoreById("{'function_score':{" + body + "}}"));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.rootCauses().toString()).contains(reason);
  }

  private Map<String, Float> scoreById(String query) {
    String body = ("{'query':" + query + "}").replace('\'', '"');
    return searches.search("i", body).hits().stream()
        .collect(
            Collectors.toMap(
                Hit::id,
                hit -> hit.score() == null ? Float.NaN : hit.score(),
                (one, _) -> one,
                TreeMap::new));
  }
}
