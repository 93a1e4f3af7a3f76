package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.execute.Hit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * The law of a common filter, on queries with vector searches anywhere around, in and inside the
 * filters of {@code nested}: a filtered hybrid finds what it finds without the filter in an index
 * of nothing but the filtered documents.
 */
final class NestedFilterLawsTest {

  private static final String PROPERTIES =
      """
      {"lang": {"type": "keyword"}, "n": {"type": "integer"},
       "v": {"type": "knn_vector", "dimension": 1},
       "c": {"type": "nested", "properties": {
         "by": {"type": "keyword"}, "m": {"type": "integer"},
         "v": {"type": "knn_vector", "dimension": 1}}}}\
      """;

  private static final int DOCUMENTS = 14;
  private static final int QUERIES = 30;

  private final NestedIndex all = new NestedIndex(PROPERTIES);
  private final NestedIndex filtered = new NestedIndex(PROPERTIES);

  @RepeatedTest(15)
  void onlyTheFilteredDocumentsExist(RepetitionInfo repetition) {
    long seed = 9_000L + repetition.getCurrentRepetition();
    Random random = new Random(seed);
    Map<String, String> documents = documents(random);
    documents.forEach(
        (id, json) -> {
          all.put(id, json);
          if (random.nextInt(5) == 0) {
            all.refresh();
          }
        });
    Requests requests = new Requests(random);
    String filter = requests.condition();
    if (random.nextBoolean()) {
      filter = "{'bool':{'should':[" + filter + "," + requests.condition() + "]}}";
    }
    ids(all, filter).forEach(id -> filtered.put(id, documents.getOrDefault(id, "{}")));
    for (int i = 0; i < QUERIES; i++) {
      String query = requests.tree(3);
      List<String> expected = ids(filtered, "{'hybrid':{'queries':[" + query + "]}}");
      for (String reach : List.of("vectors", "deep")) {
        String hybrid =
            ("{'hybrid':{'queries':[" + query + "],'filter':" + filter)
                + (",'filter_push_down':'" + reach + "'}}");
        assertThat(ids(all, hybrid)).as("seed=%d %s", seed, hybrid).isEqualTo(expected);
      }
      String bool = "{'bool':{'must':[" + query + "],'filter':[" + filter + "]}}";
      assertThat(ids(all, bool))
          .as("seed=%d %s", seed, bool)
          .isEqualTo(ids(filtered, "{'bool':{'must':[" + query + "]}}"));
    }
  }

  private static List<String> ids(NestedIndex index, String query) {
    String body = "{'size':" + DOCUMENTS + ",'query':" + query + "}";
    return index.search(NestedIndex.json(body)).hits().stream().map(Hit::id).sorted().toList();
  }

  /** No two vectors are equally far from any that is asked for. */
  private static Map<String, String> documents(Random random) {
    Map<String, String> documents = new TreeMap<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      List<String> objects = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        objects.add(
            "{\"by\":\"%s\",\"m\":%d,\"v\":[%s]}"
                .formatted(
                    Requests.oneOf(random, "x", "y"),
                    random.nextInt(10),
                    random.nextInt(40) + i / 100.0 + j / 1000.0));
      }
      String vector =
          random.nextInt(6) == 0 ? "" : ",\"v\":[" + (random.nextInt(40) + i / 100.0) + "]";
      documents.put(
          "d" + (10 + i),
          "{\"lang\":\"%s\",\"n\":%d%s,\"c\":%s}"
              .formatted(
                  Requests.oneOf(random, "a", "b", "c"), random.nextInt(10), vector, objects));
    }
    return documents;
  }

  /** Random queries as requests say them. */
  private record Requests(Random random) {

    static String oneOf(Random random, String... choices) {
      return choices[random.nextInt(choices.length)];
    }

    /** On whole documents, one by one. */
    String condition() {
      int number = random.nextInt(10);
      return switch (random.nextInt(4)) {
        case 0 -> "{'term':{'lang':'" + oneOf(random, "a", "b", "c") + "'}}";
        case 1 -> "{'range':{'n':{'gte':" + number + "}}}";
        case 2 -> "{'nested':{'path':'c','query':{'range':{'c.m':{'gte':" + number + "}}}}}";
        default -> "{'range':{'n':{'lt':" + number + "}}}";
      };
    }

    private String knn(String field, String filter) {
      return "{'knn':{'%s':{'vector':[%s],'k':%d%s}}}"
          .formatted(
              field,
              random.nextInt(100) / 3.0,
              1 + random.nextInt(3),
              filter.isEmpty() ? "" : ",'filter':" + filter);
    }

    String tree(int depth) {
      if (depth == 0) {
        return switch (random.nextInt(4)) {
          case 0 -> knn("v", "");
          case 1 -> nested(0);
          default -> condition();
        };
      }
      int below = depth - 1;
      return switch (random.nextInt(8)) {
        case 0 -> knn("v", random.nextBoolean() ? tree(below) : "");
        case 1 -> nested(depth);
        case 2 -> "{'constant_score':{'filter':" + tree(below) + "}}";
        case 3 -> "{'dis_max':{'queries':" + trees(below, 1) + "}}";
        case 4 ->
            "{'boosting':{'positive':%s,'negative':%s,'negative_boost':0.5}}"
                .formatted(tree(below), tree(below));
        case 5 ->
            "{'function_score':{'query':%s,'functions':[{'filter':%s,'weight':3}]}}"
                .formatted(tree(below), tree(below));
        default -> bool(below);
      };
    }

    private String bool(int below) {
      StringBuilder bool = new StringBuilder("{'bool':{");
      for (String kind : new String[] {"must", "filter", "must_not"}) {
        if (random.nextInt(3) == 0) {
          bool.append("'" + kind + "':").append(trees(below, 0)).append(',');
        }
      }
      if (random.nextInt(4) == 0) {
        bool.append("'minimum_should_match':").append(random.nextInt(3)).append(',');
      }
      return bool.append("'should':").append(trees(below, 0)).append("}}").toString();
    }

    private List<String> trees(int depth, int least) {
      List<String> trees = new ArrayList<>();
      for (int left = least + random.nextInt(3); left > 0; left--) {
        trees.add(tree(depth));
      }
      return trees;
    }

    private String nested(int depth) {
      String filter =
          switch (random.nextInt(3)) {
            case 0 -> ",'filter':" + (depth == 0 ? condition() : tree(depth - 1));
            default -> "";
          };
      return "{'nested':{'path':'c','score_mode':'max','query':" + object(2) + filter + "}}";
    }

    /** On nested documents. */
    private String object(int depth) {
      return switch (random.nextInt(depth == 0 ? 3 : 5)) {
        case 0 -> "{'term':{'c.by':'" + oneOf(random, "x", "y") + "'}}";
        case 1 -> "{'range':{'c.m':{'gte':" + random.nextInt(8) + "}}}";
        case 2 ->
            knn(
                "c.v",
                switch (random.nextInt(6)) {
                  case 0 -> condition();
                  case 1 -> tree(1);
                  case 2 -> knn("c.v", "");
                  default -> "";
                });
        default -> boolOfObjects(depth - 1);
      };
    }

    private String boolOfObjects(int depth) {
      StringBuilder bool =
          new StringBuilder("{'bool':{'" + oneOf(random, "must", "should") + "':[")
              .append(object(depth))
              .append(',')
              .append(object(depth))
              .append(']');
      if (random.nextInt(3) == 0) {
        bool.append(",'filter':[").append(object(depth)).append(']');
      }
      if (random.nextInt(5) == 0) {
        bool.append(",'must_not':[").append(object(depth)).append(']');
      }
      return bool.append("}}").toString();
    }
  }
}
