package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.VectorSearch.Knn;
import dev.weir.search.query.VectorSearch.Neural;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Texts in the place of vectors: a filter does to them what it does to a vector search. */
final class NeuralQueryTest {

  private static final int CASES = 2000;

  @Test
  void filterReachesTextsAsItReachesVectors() {
    Cases.run(
        "filters and embeddings in either order",
        CASES,
        random -> {
          Query vectors = new Trees(random, "q", Trees.Vectors.TAKING_FEW).tree(3);
          Query filter = new Trees(random, "f", Trees.Vectors.NONE).tree(2);
          FilterMode mode = Cases.oneOf(random, FilterMode.values());
          PushDown reach = Cases.oneOf(random, PushDown.values());
          Query texts = asTexts(vectors);
          assertThat(embedded(texts)).isEqualTo(vectors);
          assertThat(embedded(texts.filteredBy(filter, mode, reach)))
              .isEqualTo(vectors.filteredBy(filter, mode, reach));
        });
  }

  @Test
  void textInsideNestedIsEmbeddedAndGetsTheFilterOfTheWholeDocuments() {
    Query filter = new Query.Exists("f", 1, null);
    Neural text =
        new Neural(
            "n.v",
            "[1.0, 2.0]",
            null,
            new KnnExtent.Nearest(3),
            null,
            KnnOptions.DEFAULT,
            2,
            "near");
    Query.Nested around = new Query.Nested("n", text, null, NestedOptions.DEFAULT, 3, "around");
    assertThat(embedded(around.filteredBy(filter, FilterMode.AND)))
        .isEqualTo(
            new Query.Nested(
                    "n", text.as(QueryVector.of(1, 2)), null, around.options(), 3, "around")
                .filteredBy(filter, FilterMode.AND));
  }

  @Test
  void queryWithoutATextStaysTheSameInstance() {
    Cases.run(
        "nothing to embed",
        200,
        random -> {
          Query vectors = new Trees(random, "q", Trees.Vectors.TAKING_FEW).tree(3);
          assertThat(embedded(vectors)).isSameAs(vectors);
        });
  }

  /** Each vector written out as the text of a neural query. */
  private static Query asTexts(Query query) {
    if (!(query instanceof VectorSearch search)) {
      return Inner.changed(query, NeuralQueryTest::asTexts);
    }
    Query filter = search.filter();
    if (!(search.withFilter(filter == null ? null : asTexts(filter)) instanceof Knn knn)) {
      throw new AssertionError("no knn: " + query);
    }
    return new Neural(
        knn.field(),
        Arrays.toString(knn.vector().toArray()),
        null,
        knn.extent(),
        knn.filter(),
        knn.options(),
        knn.boost(),
        knn.name());
  }

  private static Query embedded(Query query) {
    return Embedding.of(query, neural -> neural.as(vector(neural.text())));
  }

  private static QueryVector vector(String text) {
    String[] numbers = text.substring(1, text.length() - 1).split(", ", -1);
    float[] vector = new float[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      vector[i] = Float.parseFloat(numbers[i]);
    }
    return QueryVector.of(vector);
  }

  @Test
  void writtenQueryIsReadBackAsAnEqualOne() {
    Cases.run("round trip", 200, random -> roundTrip(neural(random)));
  }

  private static void roundTrip(Query query) {
    assertThat(parse(QueryWriter.toJson(query))).isEqualTo(query);
  }

  private static Neural neural(RandomGenerator random) {
    return new Neural(
        "v",
        "text " + random.nextInt(),
        random.nextBoolean() ? "m" : null,
        Cases.oneOf(
            random,
            new KnnExtent.Nearest(1 + random.nextInt(99)),
            new KnnExtent.MinScore(0.1f + random.nextFloat()),
            new KnnExtent.MaxDistance(random.nextFloat())),
        random.nextBoolean() ? new Query.Exists("f", 1, null) : null,
        KnnOptions.DEFAULT,
        random.nextFloat(),
        random.nextBoolean() ? "name" : null);
  }

  @Test
  void tenNearestAreAskedForWhereNothingIsSaid() {
    Query query = parse("{\"neural\":{\"v\":{\"query_text\":\"a\"}}}");
    assertThat(query)
        .isEqualTo(
            new Neural(
                "v", "a", null, new KnnExtent.Nearest(10), null, KnnOptions.DEFAULT, 1, null));
  }

  @Test
  void whatCannotBeEmbeddedIsRefused() {
    refused("{\"v\":{\"k\":3}}", "requires [query_text]");
    refused("{\"v\":{\"query_text\":\" \"}}", "requires [query_text]");
    refused("{\"v\":{\"query_text\":\"a\",\"model_id\":\"\"}}", "[model_id] must not be blank");
    refused("{\"v\":{\"query_image\":\"x\"}}", "[query_image] is not supported");
    refused("{\"v\":{\"query_text\":\"a\",\"vector\":[1]}}", "[vector]");
    refused("{\"v\":{\"query_text\":\"a\",\"k\":1,\"min_score\":1}}", "exactly one of k");
    refused("{\"v\":{\"query_text\":\"a\",\"filter\":[]}}", "filter");
  }

  private static void refused(String neural, String reason) {
    assertThatThrownBy(() -> parse("{\"neural\":" + neural + "}"))
        .isInstanceOf(SearchException.class)
        .hasMessageContaining(reason)
        .extracting(e -> ((SearchException) e).status())
        .isEqualTo(400);
  }

  private static Query parse(String json) {
    return QueryParser.DEFAULT.parse(StrictJson.parser(json));
  }
}
