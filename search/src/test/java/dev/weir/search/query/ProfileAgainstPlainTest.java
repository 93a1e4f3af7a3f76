package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.query.Documents.Doc;
import dev.weir.search.query.LuceneAgainstReferenceTest.Corpus;
import dev.weir.search.query.Trees.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whoever looks on changes nothing, and what is told adds up. */
final class ProfileAgainstPlainTest {
  private static final int CASES = 30;
  private static final int QUERIES = 10;
  private static final int DEPTH = 4;

  @Test
  void aProfileChangesNeitherHitsNorScores() {
    Cases.run(
        "hits with a profile",
        CASES,
        random -> {
          try (Corpus corpus = new Corpus(random, 1 + random.nextInt(3))) {
            for (int i = 0; i < QUERIES; i++) {
              String body = body(random);
              SearchResponse plain = corpus.search.search("i", body + "}");
              SearchResponse profiled = corpus.search.search("i", body + ",\"profile\":true}");
              assertThat(shown(profiled)).as(body).isEqualTo(shown(plain));
              assertThat(profiled.total()).as(body).isEqualTo(plain.total());
              assertThat(profiled.maxScore()).as(body).isEqualTo(plain.maxScore());
              assertThat(plain.profile()).isNull();
            }
          }
        });
  }

  @Test
  void theNumbersOfAProfileAddUp() {
    Cases.run(
        "numbers of a profile",
        CASES,
        random -> {
          int shards = 1 + random.nextInt(3);
          try (Corpus corpus = new Corpus(random, shards)) {
            for (int i = 0; i < QUERIES; i++) {
              String body = body(random) + ",\"profile\":true}";
              SearchResponse response = corpus.search.search("i", body);
              assertAddsUp(json(response), shards, corpus.docs.size(), body);
            }
          }
        });
  }

  private static void assertAddsUp(JsonNode answer, int shards, int documents, String body) {
    JsonNode told = answer.at("/profile/shards");
    assertThat(told).hasSize(shards);
    List<Integer> sums = new ArrayList<>(); // by vector search, each of which is on every shard
    for (JsonNode shard : told) {
      List<JsonNode> legs = new ArrayList<>();
      shard.at("/filter_report/vector_searches").forEach(legs::add);
      for (int leg = 0; leg < legs.size(); leg++) {
        int sum = assertLeg(legs.get(leg), body);
        if (sums.size() <= leg) {
          sums.add(sum);
        } else {
          sums.set(leg, sums.get(leg) + sum);
        }
      }
      for (JsonNode search : shard.at("/searches")) {
        assertThat(search.at("/query")).as(body).isNotEmpty();
        for (JsonNode query : search.at("/query")) {
          assertTimes(query, body);
        }
      }
    }
    assertThat(sums).as(body).allMatch(sum -> sum == documents);
  }

  /** The time of a part is that of its breakdown, and what is asked for once is counted once. */
  private static void assertTimes(JsonNode query, String body) {
    long sum = 0;
    for (var entry : query.at("/breakdown").properties()) {
      sum += entry.getKey().endsWith("_count") ? 0 : entry.getValue().asLong();
    }
    assertThat(query.at("/time_in_nanos").asLong()).as(body).isEqualTo(sum);
    assertThat(query.at("/breakdown/create_weight_count").asLong()).as(body).isEqualTo(1);
    query.at("/children").forEach(child -> assertTimes(child, body));
  }

  /** The documents of its segments. */
  private static int assertLeg(JsonNode leg, String body) {
    int documents = 0;
    long distances = 0;
    int accepted = 0;
    for (JsonNode segment : leg.at("/segments")) {
      int passing = segment.at("/passing").asInt(Integer.MAX_VALUE);
      assertThat(segment.at("/accepted").asInt())
          .as(body)
          .isLessThanOrEqualTo(segment.at("/vectors").asInt())
          .isLessThanOrEqualTo(passing);
      if (segment.has("passing")) {
        assertThat(passing).as(body).isLessThanOrEqualTo(segment.at("/documents").asInt());
      }
      // A few documents are always looked at one by one.
      assertThat(segment.at("/strategy").asString()).as(body).isIn("exact", "nothing");
      assertThat(segment.at("/distances").asInt())
          .as(body)
          .isEqualTo(segment.at("/accepted").asInt());
      documents += segment.at("/documents").asInt();
      distances += segment.at("/distances").asLong();
      accepted += segment.at("/accepted").asInt();
    }
    assertThat(leg.at("/distances").asLong()).as(body).isEqualTo(distances);
    int k = leg.at("/k").asInt(-1);
    assertThat(leg.at("/found").asInt())
        .as(body)
        .matches(found -> k >= 0 ? found == Math.min(k, sumOf(leg)) : found <= sumOf(leg));
    assertThat(accepted).as(body).isEqualTo(sumOf(leg));
    return documents;
  }

  private static int sumOf(JsonNode leg) {
    int accepted = 0;
    for (JsonNode segment : leg.at("/segments")) {
      accepted += segment.at("/accepted").asInt();
    }
    return accepted;
  }

  @Test
  void thePartsOfAFilterTogetherMeanIt() {
    Cases.run(
        "parts of a filter",
        1_000,
        random -> {
          List<Doc> docs = Documents.corpus(random);
          Query common = new Trees(random, "c", Vectors.NONE).tree(1 + random.nextInt(3));
          Query later = new Trees(random, "l", Vectors.NONE).tree(1 + random.nextInt(3));
          Query asked =
              new Trees(random, "q", Vectors.TAKING_FEW).nesting().tree(1 + random.nextInt(DEPTH));
          Query tree =
              asked
                  .filteredBy(
                      common,
                      Cases.oneOf(random, FilterMode.values()),
                      Cases.oneOf(random, PushDown.VECTORS, PushDown.DEEP))
                  .withOwnFilters()
                  .filteredBy(later, FilterMode.AND);
          FilterOrigins origins =
              new FilterOrigins()
                  .and(FilterOrigin.HYBRID, List.of(common))
                  .and(FilterOrigin.ALIAS, List.of(later));
          for (VectorLeg leg : origins.legs(tree)) {
            if (leg.search().outerFilters() == OuterFilters.INSIDE) {
              assertThat(leg.inside().stream().flatMap(part -> part.origins().stream()))
                  .as(() -> leg + " of " + QueryWriter.toJson(tree))
                  .contains(FilterOrigin.ALIAS);
            }
            if (leg.path() != null) {
              continue; // it is restricted by what is around its nested documents as well
            }
            Query filter = leg.search().filter();
            if (filter == null) {
              assertThat(leg.inside()).isEmpty();
            } else if (!Inner.hasVectorSearch(filter)) {
              List<Query> parts = leg.inside().stream().map(VectorLeg.Restriction::query).toList();
              assertThat(ReferenceSearch.matching(Query.Bool.of(List.of(), parts), docs))
                  .as(() -> leg + " of " + QueryWriter.toJson(tree))
                  .isEqualTo(ReferenceSearch.matching(filter, docs));
            }
          }
        });
  }

  private static String body(RandomGenerator random) {
    Trees trees = new Trees(random, "q", Vectors.TAKING_FEW, OuterFilters.AFTER);
    StringBuilder body = new StringBuilder("{\"query\":");
    if (random.nextInt(3) == 0) {
      List<String> queries = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        queries.add(QueryWriter.toJson(trees.tree(1 + random.nextInt(DEPTH - 1))));
      }
      body.append("{\"hybrid\":{\"queries\":").append(queries);
      if (random.nextBoolean()) {
        body.append(",\"filter\":").append(QueryWriter.toJson(filter(random)));
      }
      body.append("}}");
    } else {
      body.append(QueryWriter.toJson(trees.tree(1 + random.nextInt(DEPTH))));
    }
    if (random.nextInt(4) == 0) {
      body.append(",\"sort\":[\"number\",\"_doc\"]");
    }
    if (random.nextInt(4) == 0) {
      Query filter = new Trees(random, "p", Vectors.NONE).leaf();
      body.append(",\"post_filter\":").append(QueryWriter.toJson(filter));
    }
    return body.append(",\"size\":").append(random.nextInt(20)).toString();
  }

  /** Without functions: filters that depend on scores are refused. */
  private static Query filter(RandomGenerator random) {
    Trees trees = new Trees(random, "f", Vectors.NONE);
    return switch (random.nextInt(3)) {
      case 0 -> trees.leaf();
      case 1 -> Query.Bool.of(List.of(trees.leaf()), List.of(trees.leaf()));
      default ->
          new Query.Bool(
              List.of(),
              List.of(),
              List.of(trees.leaf(), trees.leaf()),
              List.of(trees.leaf()),
              null,
              Query.NO_BOOST,
              null);
    };
  }

  private static List<String> shown(SearchResponse response) {
    return response.hits().stream().map(ProfileAgainstPlainTest::shown).toList();
  }

  private static String shown(Hit hit) {
    return hit.id() + " " + hit.score() + " " + hit.sort() + " " + hit.matchedQueries();
  }

  private static JsonNode json(SearchResponse response) {
    return JsonMapper.shared().readTree(TestSearches.json(response::write));
  }
}
