package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Trait;
import dev.weir.search.query.Earth;
import dev.weir.search.query.Query;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortKey;
import dev.weir.search.request.SortMode;
import dev.weir.search.request.SortOrder;
import dev.weir.search.request.SortValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Areas and distances against a linear scan with the haversine formula. The index rounds a place by
 * a centimetre at most, and Lucene's sines are approximations: so whether a place is in an area is
 * not asked within {@link #BORDER_METERS} of its border, and distances may differ by as much.
 */
final class GeoPropertyTest {
  private static final double BORDER_METERS = 1;
  private static final double DEGREE_METERS = 111_195;
  private static final int QUERIES = 40;
  private static final List<String> FIELDS = List.of("both", "tree", "scan");

  private static TestIndex index() {
    Set<Trait> tree = Set.of(Trait.INDEXED, Trait.IGNORES_ELEVATION);
    Set<Trait> scan = Set.of(Trait.DOC_VALUES, Trait.IGNORES_ELEVATION);
    return new TestIndex(
        "i",
        TestIndex.mapping(
            Map.of(
                "both", FieldType.Geo.DEFAULT,
                "tree", new FieldType.Geo(null, tree),
                "scan", new FieldType.Geo(null, scan))),
        2);
  }

  private static Map<String, List<GeoPoint>> write(TestIndex index, Random random) {
    Map<String, List<GeoPoint>> places = new TreeMap<>();
    int count = 50 + random.nextInt(300);
    for (int i = 0; i < count; i++) {
      List<GeoPoint> at = new ArrayList<>();
      for (int n = random.nextInt(4); n > 0; n--) {
        at.add(point(random));
      }
      String id = "d" + i;
      places.put(id, at);
      int shard = random.nextInt(2);
      index.put(shard, id, Map.of("both", at, "tree", at, "scan", at), "{}");
      if (random.nextInt(60) == 0) {
        index.cut(shard);
      }
    }
    return places;
  }

  /** Often at the date line and at the poles, where there is something to get wrong. */
  private static GeoPoint point(Random random) {
    double north = 180 * random.nextDouble() - 90;
    double east = 360 * random.nextDouble() - 180;
    return switch (random.nextInt(4)) {
      case 0 -> new GeoPoint(north, Math.copySign(180 - 3 * random.nextDouble(), east));
      case 1 -> new GeoPoint(Math.copySign(90 - 3 * random.nextDouble(), north), east);
      default -> new GeoPoint(north, east);
    };
  }

  private static GeoArea area(Random random) {
    GeoPoint one = point(random);
    GeoPoint other = point(random);
    return switch (random.nextInt(3)) {
      case 0 -> new GeoArea.Circle(one, Math.exp(random.nextDouble() * 17)); // up to 24,000 km
      case 1 ->
          new GeoArea.Box(
              Math.max(one.latitude(), other.latitude()),
              one.longitude(),
              Math.min(one.latitude(), other.latitude()),
              other.longitude());
      default -> new GeoArea.Polygon(List.of(one, other, point(random), point(random)));
    };
  }

  /** How far a place is from the border of an area, at least. */
  private static double borderMeters(GeoArea area, GeoPoint place) {
    return switch (area) {
      case GeoArea.Circle(GeoPoint center, double meters) ->
          Math.abs(Earth.meters(center, place) - meters);
      case GeoArea.Box(double top, double left, double bottom, double right) -> {
        double narrow = Math.cos(Math.toRadians(place.latitude()));
        yield DEGREE_METERS
            * DoubleStream.of(
                    Math.abs(place.latitude() - top),
                    Math.abs(place.latitude() - bottom),
                    Math.abs(place.longitude() - left) * narrow,
                    Math.abs(place.longitude() - right) * narrow)
                .min()
                .orElseThrow();
      }
      case GeoArea.Polygon _ -> BORDER_METERS; // random lines do not pass that near
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void findsThePlacesThatTheScanFinds(long seed) {
    Random random = new Random(seed);
    try (TestIndex index = index()) {
      Map<String, List<GeoPoint>> places = write(index, random);
      TestSearches search = new TestSearches(index.open());
      for (int i = 0; i < QUERIES; i++) {
        GeoArea area = area(random);
        String field = FIELDS.get(random.nextInt(FIELDS.size()));
        Query geo = new Query.Geo(field, area, /* ignoreUnmapped= */ false, 1, null);
        Set<String> found = new TreeSet<>();
        search(search, geo, List.of()).forEach(hit -> found.add(hit.id()));
        places.forEach(
            (id, at) -> {
              boolean isIn = at.stream().anyMatch(place -> Earth.isIn(area, place));
              boolean isClear =
                  at.stream().allMatch(place -> borderMeters(area, place) >= BORDER_METERS);
              if (isClear) {
                assertThat(found.contains(id))
                    .as("seed=%d %s in %s of %s", seed, at, area, field)
                    .isEqualTo(isIn);
              }
            });
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void ordersByTheDistancesThatTheFormulaGives(long seed) {
    Random random = new Random(seed);
    try (TestIndex index = index()) {
      Map<String, List<GeoPoint>> places = write(index, random);
      TestSearches search = new TestSearches(index.open());
      for (int i = 0; i < QUERIES; i++) {
        SortKey.Distance key = key(random);
        List<Hit> hits = search(search, new Query.MatchAll(1, null), List.of(key));
        assertThat(hits).hasSize(places.size());
        double before = key.order() == SortOrder.ASCENDING ? 0 : Double.POSITIVE_INFINITY;
        for (Hit hit : hits) {
          double value = ((SortValue.Fraction) hit.sort().getFirst()).value();
          double meters = key.unit().toMeters(value);
          double expected = expected(key, places.getOrDefault(hit.id(), List.of()));
          String place = "seed=" + seed + " " + key + " " + hit.id();
          if (Double.isInfinite(expected)) {
            assertThat(meters).as(place).isEqualTo(expected);
          } else {
            assertThat(meters).as(place).isCloseTo(expected, within(BORDER_METERS));
          }
          boolean isInOrder =
              key.order() == SortOrder.ASCENDING ? before <= value : before >= value;
          assertThat(isInOrder).as(place).isTrue();
          before = value;
        }
      }
    }
  }

  private static SortKey.Distance key(Random random) {
    List<GeoPoint> origins = new ArrayList<>(List.of(point(random)));
    while (random.nextInt(3) == 0) {
      origins.add(point(random));
    }
    SortMode[] modes = {null, SortMode.MIN, SortMode.MAX, SortMode.AVG, SortMode.MEDIAN};
    DistanceUnit[] units = DistanceUnit.values();
    return new SortKey.Distance(
        random.nextBoolean() ? "both" : "scan",
        origins,
        units[random.nextInt(units.length)],
        random.nextBoolean() ? SortOrder.ASCENDING : SortOrder.DESCENDING,
        modes[random.nextInt(modes.length)],
        /* ignoreUnmapped= */ false);
  }

  private static double expected(SortKey.Distance key, List<GeoPoint> places) {
    double[] all =
        places.stream()
            .flatMapToDouble(
                place -> key.origins().stream().mapToDouble(from -> Earth.meters(from, place)))
            .sorted()
            .toArray();
    if (all.length == 0) {
      return Double.POSITIVE_INFINITY;
    }
    int half = all.length / 2;
    return switch (key.effectiveMode()) {
      case MIN -> all[0];
      case MAX -> all[all.length - 1];
      case AVG -> Arrays.stream(all).sum() / all.length;
      case MEDIAN -> all.length % 2 == 1 ? all[half] : (all[half - 1] + all[half]) / 2;
      case SUM -> throw new AssertionError();
    };
  }

  private static List<Hit> search(TestSearches search, Query query, List<SortKey> sort) {
    SearchRequest request =
        SearchRequest.of(query).withPage(new SearchRequest.Page(0, 1_000), sort);
    SearchResponse response = search.searches.search("i", request);
    assertThat(response.shards().failures()).isEmpty();
    return response.hits();
  }
}
