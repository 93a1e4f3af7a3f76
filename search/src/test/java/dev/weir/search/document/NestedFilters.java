package dev.weir.search.document;

import dev.weir.search.document.NestedModel.Chunk;
import dev.weir.search.document.NestedModel.Doc;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.query.Earth;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** Random filters on documents and on nested ones: as requests say them, and what they mean. */
final class NestedFilters {
  private NestedFilters() {}

  /** A filter as a request says it, and what it means. */
  record Filter(String json, Predicate<Doc> test) {}

  /** A filter of nested documents: they show what is around them. */
  record ChunkFilter(String json, BiPredicate<Doc, Chunk> test) {}

  static GeoArea area(Random random) {
    GeoPoint one = NestedModel.at(random);
    GeoPoint other = NestedModel.at(random);
    return random.nextBoolean()
        ? new GeoArea.Circle(one, 100_000 + 900_000 * random.nextDouble())
        : new GeoArea.Box(
            Math.max(one.latitude(), other.latitude()),
            one.longitude(),
            Math.min(one.latitude(), other.latitude()),
            other.longitude());
  }

  static String json(String field, GeoArea area) {
    return QueryWriter.toJson(
        new Query.Geo(field, area, /* ignoreUnmapped= */ false, Query.NO_BOOST, null));
  }

  static String filtered(String query, Filter filter, Random random) {
    if (filter.json().isEmpty()) {
      return query;
    }
    return random.nextBoolean()
        ? "{\"bool\":{\"must\":[" + query + "],\"filter\":[" + filter.json() + "]}}"
        : "{\"bool\":{\"filter\":"
            + filter.json()
            + ",\"should\":["
            + query
            + "],"
            + "\"minimum_should_match\":1}}";
  }

  static Filter filter(Random random, int depth) {
    if (random.nextInt(5) == 0) {
      GeoArea area = area(random);
      return new Filter(json("at", area), doc -> Earth.isIn(area, doc.at()));
    }
    int number = random.nextInt(10);
    String tag = NestedModel.TAGS[random.nextInt(NestedModel.TAGS.length)];
    String color = NestedModel.COLORS[random.nextInt(2)];
    return switch (random.nextInt(depth == 0 ? 10 : 14)) {
      case 0 -> new Filter("{\"term\":{\"tag\":\"" + tag + "\"}}", doc -> doc.tag().equals(tag));
      case 1 ->
          new Filter(
              "{\"terms\":{\"tag\":[\"a\",\"b\"]}}",
              doc -> doc.tag().equals("a") || doc.tag().equals("b"));
      case 2 -> new Filter("{\"range\":{\"n\":{\"lt\":" + number + "}}}", doc -> doc.n() < number);
      case 3 -> new Filter("{\"exists\":{\"field\":\"tag\"}}", Doc::hasTag);
      case 4 ->
          new Filter(
              "{\"match_phrase\":{\"words\":\"one " + tag + " two\"}}",
              doc -> doc.tag().equals(tag));
      case 5 ->
          new Filter(
              "{\"prefix\":{\"tag\":\"a\"}}", doc -> doc.hasTag() && doc.tag().charAt(0) == 'a');
      case 6 -> new Filter("{\"wildcard\":{\"tag\":\"?b\"}}", doc -> doc.tag().equals("ab"));
      case 7 ->
          new Filter(
              "{\"ids\":{\"values\":[\"d1\",\"d2\",\"d3\"]}}",
              doc -> List.of("d1", "d2", "d3").contains(doc.id()));
      case 8 ->
          new Filter(
              "{\"nested\":{\"path\":\"c\",\"query\":{\"term\":{\"c.color\":\"" + color + "\"}}}}",
              doc -> doc.chunks().stream().anyMatch(chunk -> chunk.color().equals(color)));
      case 9 -> new Filter("", _ -> true);
      case 10, 11 -> {
        Filter one = said(random, depth - 1);
        Filter other = said(random, depth - 1);
        yield new Filter(
            "{\"bool\":{\"must\":[" + one.json() + "],\"must_not\":[" + other.json() + "]}}",
            doc -> one.test().test(doc) && !other.test().test(doc));
      }
      case 12 -> {
        Filter one = said(random, depth - 1);
        Filter other = said(random, depth - 1);
        yield new Filter(
            "{\"bool\":{\"should\":[" + one.json() + "," + other.json() + "]}}",
            doc -> one.test().test(doc) || other.test().test(doc));
      }
      default -> new Filter("{\"match_all\":{}}", _ -> true);
    };
  }

  static Filter said(Random random, int depth) {
    Filter filter = filter(random, depth);
    return filter.json().isEmpty() ? new Filter("{\"match_all\":{}}", _ -> true) : filter;
  }

  static ChunkFilter chunkFilter(Random random) {
    int number = random.nextInt(10);
    Filter outer = said(random, 1);
    GeoArea area = area(random);
    return switch (random.nextInt(7)) {
      case 5 -> new ChunkFilter(json("c.at", area), (_, chunk) -> Earth.isIn(area, chunk.at()));
      case 6 ->
          new ChunkFilter(
              "{\"bool\":{\"must_not\":"
                  + json("c.at", area)
                  + ",\"filter\":"
                  + outer.json()
                  + "}}",
              (doc, chunk) -> !Earth.isIn(area, chunk.at()) && outer.test().test(doc));
      case 0 -> new ChunkFilter("", (_, _) -> true);
      case 1 -> new ChunkFilter(outer.json(), (doc, _) -> outer.test().test(doc));
      case 2 ->
          new ChunkFilter(
              "{\"range\":{\"c.n\":{\"gte\":" + number + "}}}", (_, chunk) -> chunk.n() >= number);
      case 3 ->
          new ChunkFilter(
              "{\"bool\":{\"filter\":{\"range\":{\"c.n\":{\"gte\":"
                  + number
                  + "}}},\"must_not\":"
                  + outer.json()
                  + "}}",
              (doc, chunk) -> chunk.n() >= number && !outer.test().test(doc));
      default ->
          new ChunkFilter(
              "{\"bool\":{\"should\":[{\"term\":{\"c.color\":\"red\"}}," + outer.json() + "]}}",
              (doc, chunk) -> chunk.color().equals("red") || outer.test().test(doc));
    };
  }

  /**
   * What a vector search on nested documents is restricted by.
   *
   * @param inside its own filter
   * @param clauses of the bool around it, which are asked of the nested documents alone
   */
  record Beside(ChunkFilter inside, List<ChunkFilter> clauses) {
    ChunkFilter all() {
      return new ChunkFilter(
          "",
          (doc, chunk) ->
              inside.test().test(doc, chunk)
                  && clauses.stream().allMatch(clause -> clause.test().test(doc, chunk)));
    }

    /** In one bool or in several, required in either way; none of them counts for the score. */
    String around(String knn, Random random) {
      String query = knn;
      for (ChunkFilter clause : clauses) {
        query =
            switch (random.nextInt(3)) {
              case 0 -> "{\"bool\":{\"must\":[" + query + "],\"filter\":" + clause.json() + "}}";
              case 1 ->
                  "{\"bool\":{\"must\":[{\"constant_score\":{\"boost\":0,\"filter\":"
                      + clause.json()
                      + "}},"
                      + query
                      + "]}}";
              default ->
                  "{\"bool\":{\"minimum_should_match\":1,\"should\":["
                      + query
                      + "],\"filter\":["
                      + clause.json()
                      + "]}}";
            };
      }
      return query;
    }
  }

  static Beside beside(Random random) {
    List<ChunkFilter> clauses = new ArrayList<>();
    for (int i = Math.max(0, random.nextInt(5) - 2); i > 0; i--) {
      clauses.add(ofChunk(random));
    }
    return new Beside(chunkFilter(random), clauses);
  }

  /** Beside a search, nested documents show their own fields only, and what is nested in them. */
  static ChunkFilter ofChunk(Random random) {
    int number = random.nextInt(4);
    String votes =
        "{\"nested\":{\"path\":\"c.w\",\"query\":{\"term\":{\"c.w.m\":" + number + "}}}}";
    return switch (random.nextInt(5)) {
      case 0 -> new ChunkFilter(votes, (_, chunk) -> chunk.votes().contains(number));
      case 1 ->
          new ChunkFilter(
              "{\"bool\":{\"must_not\":" + votes + "}}",
              (_, chunk) -> !chunk.votes().contains(number));
      case 2 ->
          new ChunkFilter(
              "{\"term\":{\"c.color\":\"red\"}}", (_, chunk) -> chunk.color().equals("red"));
      case 3 ->
          new ChunkFilter(
              "{\"range\":{\"c.n\":{\"gte\":" + number + "}}}", (_, chunk) -> chunk.n() >= number);
      default ->
          new ChunkFilter("{\"bool\":{\"must_not\":{\"term\":{\"tag\":\"a\"}}}}", (_, _) -> true);
    };
  }
}
