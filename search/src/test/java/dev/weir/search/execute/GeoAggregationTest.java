package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.aggregation.result.Result;
import dev.weir.search.error.SearchException;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.query.Earth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregations over places: as they stand in answers, and against a linear scan. */
final class GeoAggregationTest {

  private static TestIndex index() {
    return new TestIndex(
        "i",
        TestIndex.mapping(
            Map.of("at", FieldType.Geo.DEFAULT, "n", FieldType.Numeric.of(NumericKind.INTEGER))),
        2);
  }

  private static void write(TestIndex index) {
    index.put(0, "a", Map.of("at", List.of(new GeoPoint(0, 0)), "n", 1));
    index.put(1, "b", Map.of("at", List.of(new GeoPoint(0, 3), new GeoPoint(1, 4)), "n", 2));
    index.put(1, "c", Map.of("at", List.of(new GeoPoint(-10, 170)), "n", 3));
    index.put(0, "d", Map.of("n", 4));
  }

  private static String answer(String aggregations) {
    try (TestIndex index = index()) {
      write(index);
      SearchResponse response =
          new TestSearches(index.open())
              .search("i", ("{'size':0,'aggs':{" + aggregations + "}}").replace('\'', '"'));
      assertThat(response.shards().failures()).isEmpty();
      String json =
          TestSearches.json(
              out -> {
                out.writeStartObject();
                response.writeMembers(out, SearchResponse.Form.DEFAULT);
                out.writeEndObject();
              });
      return json.substring(json.indexOf("\"aggregations\":"));
    }
  }

  @Test
  void bucketsByDistanceStandInTheirUnitWithWhatIsInThem() {
    assertThat(
            answer(
                "'r':{'geo_distance':{'field':'at','origin':'0,0','unit':'km','ranges':["
                    + "{'from':1000},{'to':100},{'key':'near','from':100,'to':1000}]},"
                    + "'aggs':{'s':{'sum':{'field':'n'}}}}"))
        .isEqualTo(
            "\"aggregations\":{\"r\":{\"buckets\":["
                + "{\"key\":\"*-100.0\",\"from\":0.0,\"to\":100.0,\"doc_count\":1,\"s\":{\"value\":1.0}},"
                + "{\"key\":\"near\",\"from\":100.0,\"to\":1000.0,\"doc_count\":1,\"s\":{\"value\":2.0}},"
                + "{\"key\":\"1000.0-*\",\"from\":1000.0,\"doc_count\":1,\"s\":{\"value\":3.0}}]}}}");
  }

  @Test
  void bucketsByDistanceMayBeKeyed() {
    assertThat(
            answer(
                "'r':{'geo_distance':{'field':'at','origin':[0,0],'keyed':true,'distance_type':'plane',"
                    + "'ranges':[{'to':100}]}}"))
        .isEqualTo(
            "\"aggregations\":{\"r\":{\"buckets\":{\"*-100.0\":{\"from\":0.0,\"to\":100.0,\"doc_count\":1}}}}}");
  }

  @Test
  void placesAreCountedAndMissedAsAnyValues() {
    assertThat(answer("'c':{'value_count':{'field':'at'}},'m':{'missing':{'field':'at'}}"))
        .isEqualTo("\"aggregations\":{\"c\":{\"value\":4},\"m\":{\"doc_count\":1}}}");
  }

  @Test
  void boundsOfNothingSayNothing() {
    assertThat(
            answer(
                "'f':{'filter':{'term':{'n':4}},'aggs':{'b':{'geo_bounds':{'field':'at'}}}},"
                    + "'u':{'geo_bounds':{'field':'nowhere'}}"))
        .isEqualTo("\"aggregations\":{\"f\":{\"doc_count\":1,\"b\":{}},\"u\":{}}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'x':{'geo_distance':{'field':'n','origin':'0,0','ranges':[{'to':1}]}}  | Field [n] is not of type [geo_point]
          'x':{'geo_bounds':{'field':'n'}}                                       | Field [n] is not of type [geo_point]
          'x':{'terms':{'field':'at'}}                                           | Field [at] is of type [geo_point]
          'x':{'avg':{'field':'at'}}                                             | Field [at] is of type [geo_point]
          'x':{'range':{'field':'at','ranges':[{'to':1}]}}                       | Field [at] is of type [geo_point]
          'x':{'geo_distance':{'field':'at','ranges':[{'to':1}]}}                | [origin]
          'x':{'geo_distance':{'field':'at','origin':'0,0'}}                     | No [ranges] specified
          'x':{'geo_distance':{'field':'at','origin':'0,99999','ranges':[{'to':1}]}} | illegal longitude value
          'x':{'value_count':{'field':'at','missing':'0,0'}}                     | [missing] is not supported on field [at]
          """)
  void whatCannotBeAggregatedIsRefused(String aggregations, String reason) {
    assertThatThrownBy(() -> answer(aggregations))
        .isInstanceOfAny(SearchException.class, IllegalArgumentException.class)
        .satisfies(
            e ->
                assertThat(
                        e instanceof SearchException refusal
                            ? TestSearches.json(out -> refusal.error().write(out))
                            : String.valueOf(e.getMessage()))
                    .contains(reason));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void theBoxIsTheSmallestThatHoldsAllAndTheBucketsHoldWhatTheScanFinds(long seed) {
    Random random = new Random(seed);
    try (TestIndex index = index()) {
      List<GeoPoint> all = new ArrayList<>();
      double wide = 360 * random.nextDouble() * random.nextDouble();
      double west = 360 * random.nextDouble() - 180;
      int count = 1 + random.nextInt(40);
      for (int i = 0; i < count; i++) {
        double east = west + wide * random.nextDouble();
        GeoPoint at = new GeoPoint(180 * random.nextDouble() - 90, east > 180 ? east - 360 : east);
        all.add(at);
        index.put(random.nextInt(2), "d" + i, Map.of("at", List.of(at)));
        if (random.nextInt(9) == 0) {
          index.cut(random.nextInt(2));
        }
      }
      GeoPoint origin = all.getFirst();
      double meters = 2e7 * random.nextDouble();
      String body =
          "{\"size\":0,\"aggs\":{\"b\":{\"geo_bounds\":{\"field\":\"at\"}},"
              + "\"k\":{\"geo_bounds\":{\"field\":\"at\",\"wrap_longitude\":false}},"
              + "\"r\":{\"geo_distance\":{\"field\":\"at\",\"origin\":\""
              + origin.text()
              + "\",\"ranges\":[{\"to\":"
              + meters
              + "}]}}}}";
      List<Result.Named> results =
          new TestSearches(index.open()).search("i", body).aggregations().results();
      GeoArea.Box across = box(results.get(0));
      GeoArea.Box kept = box(results.get(1));
      // Rounded places are south and west of what was given by no more than this.
      GeoArea.Box room =
          new GeoArea.Box(
              Math.min(90, across.top() + 1e-6),
              across.left(),
              across.bottom(),
              Math.min(180, across.right() + 1e-6));
      assertThat(all).as("seed=%d", seed).allMatch(at -> Earth.isIn(room, at));
      assertThat(kept.left()).as("seed=%d", seed).isLessThanOrEqualTo(kept.right());
      assertThat(width(across))
          .as("seed=%d", seed)
          .isCloseTo(Math.min(width(kept), widthAcross(all)), within(1e-6));
      Result.Many ranges = (Result.Many) results.get(2).result();
      assertThat(ranges.buckets().getFirst().docs())
          .as("seed=%d", seed)
          .isEqualTo(all.stream().filter(at -> Earth.meters(origin, at) < meters).count());
    }
  }

  private static GeoArea.Box box(Result.Named named) {
    GeoArea.Box box = ((Result.Bounds) named.result()).box();
    if (box == null) {
      throw new AssertionError("no box");
    }
    return box;
  }

  private static double width(GeoArea.Box box) {
    double wide = box.right() - box.left();
    return wide < 0 ? wide + 360 : wide;
  }

  /** How wide the box across the date line would be. */
  private static double widthAcross(List<GeoPoint> all) {
    double east =
        all.stream().mapToDouble(GeoPoint::longitude).filter(x -> x >= 0).min().orElse(-1);
    double west = all.stream().mapToDouble(GeoPoint::longitude).filter(x -> x < 0).max().orElse(1);
    return east < 0 || west > 0 ? 360 : 360 - east + west;
  }
}
