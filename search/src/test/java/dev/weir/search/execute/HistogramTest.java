package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.aggregation.result.ResultWriter;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histograms at the ends of what numbers can say: each is answered or refused, none runs on. */
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HistogramTest {
  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(
              Map.of(
                  "count",
                  FieldType.Numeric.of(NumericKind.LONG),
                  "price",
                  FieldType.Numeric.of(NumericKind.DOUBLE),
                  "day",
                  FieldType.DateTime.DEFAULT)),
          1);

  @AfterEach
  void close() {
    index.close();
  }

  private void put(String field, Object... values) {
    for (int i = 0; i < values.length; i++) {
      index.put(0, field + i, Map.of(field, values[i]));
    }
  }

  private String answer(String histogram) {
    String body = "{'size':0,'aggs':{'a':" + histogram + "}}";
    SearchResponse.Form form =
        new SearchResponse.Form(SearchResponse.TotalForm.OBJECT, ResultWriter.Names.PLAIN);
    TestSearches search = new TestSearches(index.open());
    return TestSearches.json(out -> search.search("i", body.replace('\'', '"')).write(out, form))
        .replace('"', '\'');
  }

  private String refusal(String histogram) {
    SearchException refusal = catchThrowableOfType(SearchException.class, () -> answer(histogram));
    assertThat(refusal.status()).isEqualTo(400);
    return TestSearches.json(refusal::write);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "100", "1000", "1e-100"})
  void aValueBeyondTheWholeNumbersOfADoubleHasItsBucket(String interval) {
    put("count", 1_764_500_000_000_000_000L);
    assertThat(answer("{'histogram':{'field':'count','interval':" + interval + "}}"))
        .contains("'buckets':[{'key':1.7645E18,'doc_count':1}]");
  }

  @Test
  void intervalsThatCannotBeToldApartAreRefused() {
    put("count", 1_764_500_000_000_000_000L, 1_764_500_000_000_100_000L);
    assertThat(refusal("{'histogram':{'field':'count','interval':10}}"))
        .contains("intervals of [10.0] of a [histogram] cannot be told apart", "min_doc_count");
    assertThat(answer("{'histogram':{'field':'count','interval':10,'min_doc_count':1}}"))
        .contains("'key':1.7645E18,'doc_count':1}", "'key':1.7645000000001E18,'doc_count':1}");
  }

  @Test
  void anOffsetThatSwallowsTheValuesLeavesOneBucket() {
    put("count", 0, 1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(answer("{'histogram':{'field':'count','interval':1,'offset':1e20}}"))
        .contains("'buckets':[{'key':0.0,'doc_count':9}]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-290", "1e-17", "0.00001"})
  void moreIntervalsThanAnAnswerHasBucketsAreRefused(String interval) {
    put("price", 2.0, 3.0);
    assertThat(refusal("{'histogram':{'field':'price','interval':" + interval + "}}"))
        .contains("too many buckets");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'min_doc_count':0", "'min_doc_count':1"})
  void intervalsBeyondAllNumbersAreRefused(String gaps) {
    put("price", 2.0, 3.0);
    assertThat(refusal("{'histogram':{'field':'price','interval':1e-320," + gaps + "}}"))
        .contains("no number counts the intervals");
  }

  @Test
  void boundsBeyondAllNumbersAreRefused() {
    put("price", 2.0, 3.0);
    assertThat(
            refusal(
                "{'histogram':{'field':'price','interval':1e-10,"
                    + "'extended_bounds':{'min':-1e300,'max':1e300}}}"))
        .contains("no number counts the intervals");
  }

  @Test
  void bothZerosAreOneBucket() {
    put("price", -0.0, 0.0);
    assertThat(answer("{'histogram':{'field':'price','interval':1,'offset':-0.0}}"))
        .contains("'buckets':[{'key':0.0,'doc_count':2}]");
  }

  @Test
  void anIntervalOfTimeAsLongAsTimeItselfHasOneBucket() {
    put("day", "2024-01-31T23:30:00Z", "2024-02-10T00:00:00Z");
    assertThat(answer("{'date_histogram':{'field':'day','fixed_interval':'106751991167d'}}"))
        .contains("'doc_count':2}]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'fixed_interval':'1ms'",
        "'fixed_interval':'106751991167d'",
        "'calendar_interval':'year'",
        "'calendar_interval':'minute'",
        "'fixed_interval':'1d','offset':'-106751991167d'"
      })
  void instantsAtTheEndsOfTimeAreAnsweredOrRefused(String step) {
    put("day", Long.MIN_VALUE, Long.MAX_VALUE);
    for (String gaps : new String[] {"0", "1"}) {
      String histogram = "{'date_histogram':{'field':'day'," + step + ",'min_doc_count':" + gaps;
      SearchException refusal =
          catchThrowableOfType(SearchException.class, () -> answer(histogram + "}}"));
      assertThat(refusal == null ? 400 : refusal.status())
          .as("min_doc_count %s", gaps)
          .isEqualTo(400);
    }
  }
}
