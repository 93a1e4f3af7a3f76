package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.TestIndex;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.json.StrictJson;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.query.Documents.Doc;
import dev.weir.search.query.Trees.Vectors;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortKey;
import dev.weir.search.request.SortOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/**
 * The whole way through Lucene, with segments, deletes and shards, judged by the linear scan: a
 * query finds the documents that it means, and a filter does to it what the laws say.
 */
final class LuceneAgainstReferenceTest {
  private static final int CASES = 30;
  private static final int QUERIES = 10;
  private static final int DEPTH = 4;

  private static final Mapping MAPPING =
      TestIndex.mapping(
          Map.of(
              "tag",
              FieldType.Keyword.DEFAULT,
              "number",
              FieldType.Numeric.of(NumericKind.INTEGER),
              "words",
              FieldType.Text.DEFAULT,
              "place",
              FieldType.Geo.DEFAULT,
              "vector",
              new FieldType.KnnVector(2, SpaceType.L2, KnnMethod.DEFAULT)));

  @Test
  void findsTheDocumentsThatTheQueryMeans() {
    Cases.run(
        "documents of a query",
        CASES,
        random -> {
          try (Corpus corpus = new Corpus(random, 1 + random.nextInt(3))) {
            for (int i = 0; i < QUERIES; i++) {
              Query query = new Trees(random, "q", Vectors.NONE).tree(1 + random.nextInt(DEPTH));
              assertThat(corpus.scoreById(query).keySet())
                  .as(() -> QueryWriter.toJson(query) + " over " + corpus.docs)
                  .isEqualTo(ReferenceSearch.hits(query, corpus.docs).keySet());
            }
          }
        });
  }

  @Test
  void findsTheNearestVectorsWhereverTheSearchStands() {
    Cases.run(
        "documents of a query with vectors",
        CASES,
        random -> {
          try (Corpus corpus = new Corpus(random, 1)) { // k counts on each shard
            for (int i = 0; i < QUERIES; i++) {
              Trees trees = new Trees(random, "q", Vectors.TAKING_FEW);
              Query query =
                  random.nextInt(8) == 0
                      ? trees.hybrid(DEPTH - 1)
                      : trees.tree(1 + random.nextInt(DEPTH));
              assertThat(corpus.ids(query))
                  .as(() -> QueryWriter.toJson(query) + " over " + corpus.docs)
                  .isEqualTo(ReferenceSearch.hits(query, corpus.docs).keySet());
            }
          }
        });
  }

  @Test
  void answersAsIfOnlyTheFilteredDocumentsExisted() {
    Cases.run(
        "documents of a filtered query",
        CASES,
        random -> {
          try (Corpus corpus = new Corpus(random, 1)) {
            for (int i = 0; i < QUERIES; i++) {
              Query query =
                  new Trees(random, "q", Vectors.TAKING_FEW).tree(1 + random.nextInt(DEPTH));
              Query filter = new Trees(random, "f", Vectors.NONE).tree(1 + random.nextInt(3));
              Query filtered = query.filteredBy(filter, FilterMode.AND);
              List<Doc> allowed = ReferenceSearch.matching(filter, corpus.docs);
              assertThat(corpus.ids(filtered))
                  .as(() -> QueryWriter.toJson(filtered) + " over " + corpus.docs)
                  .isEqualTo(ReferenceSearch.hits(query, allowed).keySet());
            }
          }
        });
  }

  @Test
  void boolsAnswerAsIfOnlyTheirRequiredDocumentsExisted() {
    Cases.run(
        "documents of a query with its own filters handed down",
        CASES,
        random -> {
          try (Corpus corpus = new Corpus(random, 1)) {
            for (int i = 0; i < QUERIES; i++) {
              Trees trees = new Trees(random, "q", Vectors.TAKING_FEW, OuterFilters.AFTER);
              Query query = trees.tree(1 + random.nextInt(DEPTH));
              Query pushed =
                  QueryParser.DEFAULT.parse(StrictJson.parser(QueryWriter.toJson(query)));
              assertThat(corpus.ids(pushed))
                  .as(() -> QueryWriter.toJson(pushed) + " over " + corpus.docs)
                  .isEqualTo(ReferenceSearch.hitsWithOwnFilters(query, corpus.docs).keySet());
            }
          }
        });
  }

  @Test
  void withoutVectorsTheHitsAreThoseOfBothWithTheScoresOfTheQuery() {
    Cases.run(
        "scores of a filtered query",
        CASES,
        random -> {
          try (Corpus corpus = new Corpus(random, 1 + random.nextInt(3))) {
            for (int i = 0; i < QUERIES; i++) {
              Query query = new Trees(random, "q", Vectors.NONE).tree(1 + random.nextInt(DEPTH));
              Query filter = new Trees(random, "f", Vectors.NONE).tree(1 + random.nextInt(3));
              Map<String, Float> expected = corpus.scoreById(query);
              expected.keySet().retainAll(corpus.scoreById(filter).keySet());
              Map<String, Float> filtered =
                  corpus.scoreById(query.filteredBy(filter, FilterMode.AND));
              assertThat(filtered.keySet()).isEqualTo(expected.keySet());
              // The order in which Lucene adds up clauses is its own affair.
              filtered.forEach(
                  (id, score) ->
                      assertThat(score)
                          .as(() -> id + " of " + QueryWriter.toJson(query))
                          .isCloseTo(
                              expected.getOrDefault(id, Float.NaN),
                              Percentage.withPercentage(0.001)));
            }
          }
        });
  }

  @Test
  void aNameIsReportedByTheHitsOfItsPartAndByNoOthers() {
    Cases.run(
        "matched queries",
        CASES,
        random -> {
          try (Corpus corpus = new Corpus(random, 1 + random.nextInt(3))) {
            Query.Bool bool = new Trees(random, "q", Vectors.NONE).bool(2);
            List<Query> parts = new ArrayList<>(bool.must());
            parts.addAll(bool.filter());
            parts.addAll(bool.should());
            for (Hit hit : corpus.search(bool, List.of()).hits()) {
              Set<String> names = new TreeSet<>();
              names.add(String.valueOf(bool.name()));
              for (Query part : parts) {
                if (ReferenceSearch.hits(part, corpus.docs).containsKey(hit.id())) {
                  names.add(String.valueOf(part.name()));
                }
              }
              assertThat(hit.matchedQueries())
                  .as(() -> hit.id() + " of " + QueryWriter.toJson(bool))
                  .containsExactlyElementsOf(names);
            }
          }
        });
  }

  /** A reference corpus, and the same documents in Lucene with others that were deleted. */
  static final class Corpus implements AutoCloseable {
    final List<Doc> docs;
    private final TestIndex index;
    final TestSearches search;

    Corpus(RandomGenerator random, int shards) {
      // The reference breaks ties by id; Lucene by the order in which documents were written.
      docs = Documents.corpus(random).stream().sorted(Comparator.comparing(Doc::id)).toList();
      index = new TestIndex("i", MAPPING, shards);
      for (Doc doc : docs) {
        int shard = Math.floorMod(doc.id().hashCode(), shards);
        index.put(shard, doc.id(), fields(doc), "{}");
        if (random.nextInt(3) == 0) {
          index.put(shard, "gone", fields(doc), "{}");
        }
        if (random.nextInt(4) == 0) {
          index.cut(shard);
        }
      }
      for (int shard = 0; shard < shards; shard++) {
        index.delete(shard, "gone");
      }
      search = new TestSearches(index.open());
    }

    private static Map<String, Object> fields(Doc doc) {
      Map<String, Object> fields = new HashMap<>();
      if (doc.tag() != null) {
        fields.put("tag", doc.tag());
      }
      if (doc.number() != null) {
        fields.put("number", doc.number());
      }
      if (!doc.words().isEmpty()) {
        fields.put("words", String.join(" ", doc.words()));
      }
      if (doc.vector() != null) {
        fields.put("vector", doc.vector().toArray());
      }
      if (doc.place() != null) {
        fields.put("place", doc.place());
      }
      return fields;
    }

    Map<String, Float> scoreById(Query query) {
      Map<String, Float> scores = new TreeMap<>();
      for (Hit hit : search(query, List.of()).hits()) {
        Float score = hit.score();
        scores.put(hit.id(), score == null ? Float.NaN : score);
      }
      return scores;
    }

    Set<String> ids(Query query) {
      List<SortKey> byPlace = List.of(new SortKey.IndexOrder(SortOrder.ASCENDING));
      Set<String> ids = new TreeSet<>();
      search(query, byPlace).hits().forEach(hit -> ids.add(hit.id()));
      return ids;
    }

    SearchResponse search(Query query, List<SortKey> sort) {
      SearchRequest request =
          SearchRequest.of(query).withPage(new SearchRequest.Page(0, 100), sort);
      SearchResponse response = search.searches.search("i", request);
      assertThat(response.shards().failures()).isEmpty();
      return response;
    }

    @Override
    public void close() {
      index.close();
    }
  }
}
