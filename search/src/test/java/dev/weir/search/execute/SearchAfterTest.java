package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paging by the sort values of the last hit gives the same hits as one large page. */
class SearchAfterTest {
  private static final String HYBRID =
      "{\"hybrid\":{\"queries\":[{\"range\":{\"n\":{\"lt\":40}}},{\"match_all\":{}}]}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"n\":\"asc\"},{\"u\":\"asc\"}]",
        "[{\"n\":\"desc\"},{\"u\":\"desc\"}]",
        "[{\"k\":\"asc\"},{\"u\":\"asc\"}]",
        "[{\"k\":\"desc\"},{\"u\":\"asc\"}]",
        "[{\"k\":{\"order\":\"desc\",\"missing\":\"_first\"}},{\"u\":\"asc\"}]",
        "[{\"t\":{\"order\":\"asc\",\"format\":\"yyyy-MM-dd\"}},{\"u\":\"asc\"}]",
        "[{\"d\":\"desc\"},{\"u\":\"asc\"}]",
        "[{\"b\":\"asc\"},{\"u\":\"desc\"}]",
      })
  void pagesJoinToTheWhole(String sort) {
    Random random = new Random(sort.hashCode());
    try (TestIndex index = corpus(random)) {
      TestSearches search = new TestSearches(index.open());
      for (String query : List.of("{\"match_all\":{}}", HYBRID)) {
        String open = "{\"query\":" + query + ",\"sort\":" + sort;
        List<String> whole = search.ids("i", open + ",\"size\":1000}");
        for (int size : new int[] {1, 3, 7, 50}) {
          List<String> paged = new ArrayList<>();
          String after = "";
          while (true) {
            List<Hit> hits = search.search("i", open + after + ",\"size\":" + size + "}").hits();
            if (hits.isEmpty()) {
              break;
            }
            hits.forEach(hit -> paged.add(hit.id()));
            Hit last = hits.getLast();
            after =
                ",\"search_after\":"
                    + TestSearches.json(
                        out -> {
                          out.writeStartArray();
                          last.sort().forEach(value -> value.write(out));
                          out.writeEndArray();
                        });
          }
          assertThat(paged).as(query + " by " + size).isEqualTo(whole);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "'sort':'n','search_after':[1,2] ~ has 2 value(s) but sort has 1",
        "'sort':'n','search_after':['x'] ~ search_after",
        "'sort':'n','search_after':[null] ~ search_after",
        "'sort':'n','from':1,'search_after':[1] ~ must be set to 0",
        "'search_after':[1] ~ needs a [sort]",
        "'sort':'_score','search_after':[1] ~ needs a [sort]",
        "'sort':'n','search_after':[] ~ at least one",
        "'sort':'n','search_after':3 ~ must be an array",
        "'sort':'n','track_scores':true ~ track_scores",
      })
  void whatMeansNothingIsRefused(String options, String reason) {
    try (TestIndex index = corpus(new Random(1))) {
      TestSearches search = new TestSearches(index.open());
      SearchException refusal =
          catchThrowableOfType(
              SearchException.class,
              () ->
                  search.ids("i", "{\"query\":" + HYBRID + "," + options.replace('\'', '"') + "}"));
      assertThat(refusal.status()).isEqualTo(400);
      assertThat(TestSearches.json(refusal::write)).contains(reason);
    }
  }

  private static TestIndex corpus(Random random) {
    int shards = 3;
    TestIndex index =
        new TestIndex(
            "i",
            TestIndex.mapping(
                Map.of(
                    "u",
                    FieldType.Numeric.of(NumericKind.LONG),
                    "n",
                    FieldType.Numeric.of(NumericKind.INTEGER),
                    "d",
                    FieldType.Numeric.of(NumericKind.FLOAT),
                    "k",
                    FieldType.Keyword.DEFAULT,
                    "b",
                    FieldType.Bool.DEFAULT,
                    "t",
                    FieldType.DateTime.DEFAULT)),
            shards);
    for (int i = 0; i < 60; i++) {
      Map<String, Object> fields = new HashMap<>();
      fields.put("u", i);
      if (random.nextInt(4) > 0) {
        fields.put("n", random.nextInt(50));
        fields.put("k", "k" + random.nextInt(9));
      }
      if (random.nextInt(4) > 0) {
        fields.put("d", random.nextInt(20) / 3f);
        fields.put("b", random.nextBoolean());
        fields.put("t", "2024-0" + (1 + random.nextInt(9)) + "-11");
      }
      index.put(random.nextInt(shards), "d" + i, fields, "{}");
      if (random.nextInt(10) == 0) {
        index.cut(random.nextInt(shards));
      }
    }
    return index;
  }
}
