package dev.weir.conformance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.data.Offset.offset;

import java.io.IOException;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hc.core5.http.HttpHost;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch._types.ErrorCause;
import org.opensearch.client.opensearch._types.FieldValue;
import org.opensearch.client.opensearch._types.OpenSearchException;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch._types.Result;
import org.opensearch.client.opensearch._types.SortOrder;
import org.opensearch.client.opensearch._types.mapping.Property;
import org.opensearch.client.opensearch._types.query_dsl.Query;
import org.opensearch.client.opensearch.core.BulkRequest;
import org.opensearch.client.opensearch.core.BulkResponse;
import org.opensearch.client.opensearch.core.GetResponse;
import org.opensearch.client.opensearch.core.IndexResponse;
import org.opensearch.client.opensearch.core.InfoResponse;
import org.opensearch.client.opensearch.core.SearchResponse;
import org.opensearch.client.opensearch.core.bulk.BulkResponseItem;
import org.opensearch.client.opensearch.core.search.Hit;
import org.opensearch.client.opensearch.generic.Requests;
import org.opensearch.client.opensearch.generic.Response;
import org.opensearch.client.opensearch.indices.CreateIndexResponse;
import org.opensearch.client.opensearch.search_pipeline.ScoreCombinationTechnique;
import org.opensearch.client.opensearch.search_pipeline.ScoreNormalizationTechnique;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;
import org.opensearch.client.transport.httpclient5.ResponseException;
import tools.jackson.databind.JsonNode;

/** OpenSearch's own Java client, with its typed requests and its strict reading of answers. */
@ExtendWith(SharedNode.class)
final class OpenSearchJavaTest {
  /** A document as users of the client have it: a class that Jackson reads and writes. */
  record Bird(String name, String text, long wings, List<Float> vec) {}

  private final OpenSearchTransport transport;
  private final OpenSearchClient client;
  private final String index;

  OpenSearchJavaTest(NodeProcess node, TestInfo test) {
    this.transport =
        ApacheHttpClient5TransportBuilder.builder(address("http://" + node.http())).build();
    this.client = new OpenSearchClient(transport);
    this.index = "java-" + test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
  }

  private static HttpHost address(String url) {
    try {
      return HttpHost.create(url);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void createIndexOfBirds() throws IOException {
    CreateIndexResponse created =
        client
            .indices()
            .create(
                request ->
                    request
                        .index(index)
                        .settings(s -> s.knn(true).numberOfShards(2).numberOfReplicas(0))
                        .mappings(
                            m ->
                                m.properties("name", p -> p.keyword(k -> k))
                                    .properties("text", p -> p.text(t -> t.analyzer("english")))
                                    .properties("wings", p -> p.long_(l -> l))
                                    .properties(
                                        "vec",
                                        p ->
                                            p.knnVector(
                                                v ->
                                                    v.dimension(2)
                                                        .method(
                                                            h ->
                                                                h.name("hnsw")
                                                                    .engine("lucene")
                                                                    .spaceType("l2"))))));
    assertThat(created.acknowledged()).isTrue();
    assertThat(created.shardsAcknowledged()).isTrue();
    assertThat(created.index()).isEqualTo(index);
    BulkRequest.Builder birds = new BulkRequest.Builder().index(index).refresh(Refresh.True);
    for (Bird bird : BIRDS) {
      birds.operations(o -> o.index(i -> i.id(bird.name()).document(bird)));
    }
    BulkResponse written = client.bulk(birds.build());
    assertThat(written.errors()).isFalse();
    assertThat(written.items()).extracting(item -> item.status()).containsOnly(201);
  }

  private static final List<Bird> BIRDS =
      List.of(
          new Bird("heron", "herons stand still in water", 2, List.of(0f, 0f)),
          new Bird("egret", "an egret is a white heron", 2, List.of(1f, 0f)),
          new Bird("kingfisher", "kingfishers dive into water", 2, List.of(2f, 0f)),
          new Bird("statue", "a bird of stone", 0, List.of(3f, 0f)));

  @AfterEach
  void close() throws IOException {
    transport.close();
  }

  @Test
  void infoTellsWhatTheClientAsksFor() throws IOException {
    InfoResponse info = client.info();

    assertThat(info.version().distribution()).isEqualTo("opensearch");
    assertThat(info.version().number()).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(info.clusterName()).isNotEmpty();
    assertThat(info.clusterUuid()).isNotEmpty();
    assertThat(info.version().luceneVersion()).isNotEmpty();
    assertThat(client.ping().value()).isTrue();
  }

  @Test
  void indexTellsItsMappingAndSettings() throws IOException {
    var states = client.indices().get(request -> request.index(index)).result();
    assertThat(states).containsOnlyKeys(index);
    Map<String, Property> fields =
        requireNonNull(requireNonNull(states.get(index)).mappings()).properties();

    assertThat(fields).containsOnlyKeys("name", "text", "wings", "vec");
    assertThat(requireNonNull(fields.get("name")).isKeyword()).isTrue();
    assertThat(requireNonNull(fields.get("text")).text().analyzer()).isEqualTo("english");
    assertThat(requireNonNull(fields.get("vec")).knnVector().dimension()).isEqualTo(2);
    assertThat(client.indices().exists(request -> request.index(index)).value()).isTrue();
    assertThat(client.indices().exists(request -> request.index(index + "x")).value()).isFalse();
    assertThat(client.cat().indices(request -> request.index(index)).valueBody())
        .singleElement()
        .satisfies(line -> assertThat(line.docsCount()).isEqualTo("" + BIRDS.size()));
    assertThat(client.cluster().health(request -> request.index(index)).activePrimaryShards())
        .isEqualTo(2);
  }

  @Test
  void documentLivesFromIndexToDelete() throws IOException {
    Bird wren = new Bird("wren", "small", 2, List.of(5f, 5f));

    IndexResponse created = client.index(r -> r.index(index).id("wren").document(wren));
    assertThat(created.result()).isEqualTo(Result.Created);
    assertThat(created.version()).isEqualTo(1);
    assertThat(created.primaryTerm()).isPositive();

    GetResponse<Bird> read = client.get(r -> r.index(index).id("wren"), Bird.class);
    assertThat(read.found()).isTrue();
    assertThat(read.source()).isEqualTo(wren);
    assertThat(read.seqNo()).isEqualTo(created.seqNo());

    var updated =
        client.update(r -> r.index(index).id("wren").doc(Map.of("text", "very small")), Bird.class);
    assertThat(updated.result()).isEqualTo(Result.Updated);
    assertThat(updated.version()).isEqualTo(2);
    var same =
        client.update(r -> r.index(index).id("wren").doc(Map.of("text", "very small")), Bird.class);
    assertThat(same.result()).isEqualTo(Result.NoOp);
    assertThat(client.get(r -> r.index(index).id("wren"), Bird.class).source())
        .isEqualTo(new Bird("wren", "very small", 2, List.of(5f, 5f)));

    assertThat(client.delete(r -> r.index(index).id("wren")).result()).isEqualTo(Result.Deleted);
    assertThat(client.delete(r -> r.index(index).id("wren")).result()).isEqualTo(Result.NotFound);
    assertThat(client.get(r -> r.index(index).id("wren"), Bird.class).found()).isFalse();
    assertThat(client.exists(r -> r.index(index).id("wren")).value()).isFalse();
  }

  @Test
  void bulkTellsWhatBecameOfEachOperation() throws IOException {
    BulkResponse answer =
        client.bulk(
            r ->
                r.index(index)
                    .operations(o -> o.create(c -> c.id("heron").document(BIRDS.get(0))))
                    .operations(o -> o.create(c -> c.id("new").document(BIRDS.get(1))))
                    .operations(o -> o.update(u -> u.id("egret").document(Map.of("wings", 3))))
                    .operations(o -> o.update(u -> u.id("none").document(Map.of("wings", 3))))
                    .operations(o -> o.delete(d -> d.id("statue")))
                    .operations(o -> o.delete(d -> d.id("none")))
                    .operations(o -> o.index(i -> i.id("bad").document(Map.of("wings", "many")))));

    assertThat(answer.errors()).isTrue();
    assertThat(answer.items())
        .extracting(item -> item.status())
        .containsExactly(409, 201, 200, 404, 200, 404, 400);
    assertThat(answer.items().stream().map(BulkResponseItem::error).filter(Objects::nonNull))
        .extracting(ErrorCause::type)
        .containsExactly(
            "version_conflict_engine_exception",
            "document_missing_exception",
            "mapper_parsing_exception");
  }

  @Test
  void eachKindOfQueryFindsItsDocuments() throws IOException {
    assertThat(ids(Query.of(q -> q.match(m -> m.field("text").query(FieldValue.of("heron"))))))
        .containsExactlyInAnyOrder("heron", "egret");
    assertThat(ids(Query.of(q -> q.term(t -> t.field("name").value(FieldValue.of("egret"))))))
        .containsExactly("egret");
    assertThat(ids(Query.of(q -> q.range(r -> r.field("wings").lt(JsonData.of(1))))))
        .containsExactly("statue");
    assertThat(
            ids(
                Query.of(
                    q ->
                        q.bool(
                            b ->
                                b.must(
                                        m ->
                                            m.match(
                                                w -> w.field("text").query(FieldValue.of("water"))))
                                    .mustNot(
                                        n ->
                                            n.term(
                                                t ->
                                                    t.field("name")
                                                        .value(FieldValue.of("heron"))))))))
        .containsExactly("kingfisher");
    assertThat(ids(Query.of(q -> q.knn(k -> k.field("vec").vector(List.of(2.9f, 0f)).k(2)))))
        .containsSubsequence("statue", "kingfisher");
    assertThat(
            ids(
                Query.of(
                    q ->
                        q.knn(
                            k ->
                                k.field("vec")
                                    .vector(List.of(2.9f, 0f))
                                    .k(1)
                                    .filter(
                                        f ->
                                            f.term(
                                                t ->
                                                    t.field("name")
                                                        .value(FieldValue.of("heron"))))))))
        .containsExactly("heron");
  }

  @Test
  void searchCountsSortsPagesAndSelects() throws IOException {
    SearchResponse<Bird> page =
        client.search(
            r ->
                r.index(index)
                    .query(q -> q.matchAll(m -> m))
                    .sort(s -> s.field(f -> f.field("name").order(SortOrder.Desc)))
                    .from(1)
                    .size(2)
                    .trackTotalHits(t -> t.enabled(true)),
            Bird.class);

    assertThat(requireNonNull(page.hits().total()).value()).isEqualTo(BIRDS.size());
    assertThat(page.hits().hits()).extracting(Hit::id).containsExactly("kingfisher", "heron");
    assertThat(page.hits().hits().get(1).source()).isEqualTo(BIRDS.get(0));
    assertThat(page.shards().total()).isEqualTo(2);
    assertThat(page.shards().failed()).isZero();
    assertThat(client.count(r -> r.index(index).query(q -> q.exists(e -> e.field("vec")))).count())
        .isEqualTo(BIRDS.size());
  }

  @Test
  void writeIsFoundAfterRefresh() throws IOException {
    IndexResponse _ = client.index(r -> r.index(index).id("wren").document(BIRDS.get(0)));
    assertThat(client.indices().refresh(r -> r.index(index)).shards().failed()).isZero();
    assertThat(ids(Query.of(q -> q.ids(i -> i.values("wren"))))).containsExactly("wren");
  }

  @Test
  void hybridUnderAFilterWithAPipeline() throws IOException {
    assertThat(
            client
                .searchPipeline()
                .put(
                    r ->
                        r.id("mixed")
                            .phaseResultsProcessors(
                                p ->
                                    p.normalizationProcessor(
                                        n ->
                                            n.normalization(
                                                    t ->
                                                        t.technique(
                                                            ScoreNormalizationTechnique.MinMax))
                                                .combination(
                                                    c ->
                                                        c.technique(
                                                                ScoreCombinationTechnique
                                                                    .ArithmeticMean)
                                                            .parameters(
                                                                w -> w.weights(0.25f, 0.75f))))))
                .acknowledged())
        .isTrue();
    Query hybrid =
        Query.of(
            q ->
                q.hybrid(
                    h ->
                        h.queries(
                                List.of(
                                    Query.of(
                                        s ->
                                            s.match(
                                                m ->
                                                    m.field("text").query(FieldValue.of("heron")))),
                                    Query.of(
                                        s ->
                                            s.knn(
                                                k -> k.field("vec").vector(List.of(3f, 0f)).k(3)))))
                            .filter(f -> f.range(r -> r.field("wings").gte(JsonData.of(2))))));

    SearchResponse<Bird> typed =
        client.search(
            r -> r.index(index).searchPipeline("mixed").query(hybrid).size(10), Bird.class);
    Map<String, Double> scores = new TreeMap<>();
    typed
        .hits()
        .hits()
        .forEach(hit -> scores.put(hit.id(), requireNonNull(hit.score()).doubleValue()));

    assertThat(scores).containsOnlyKeys("heron", "egret", "kingfisher");
    assertThat(typed.hits().hits().getFirst().id()).isEqualTo("kingfisher");
    assertThat(scores.get("kingfisher")).isCloseTo(0.75, offset(1e-3));
    assertThat(raw(hybridBody())).isEqualTo(scores);
  }

  private static String hybridBody() {
    return """
    {"query": {"hybrid": {
       "queries": [{"match": {"text": "heron"}}, {"knn": {"vec": {"vector": [3, 0], "k": 3}}}],
       "filter": {"range": {"wings": {"gte": 2}}}}}}
    """;
  }

  /** Scores by id of a search whose body is plain JSON. */
  private Map<String, Double> raw(String body) throws IOException {
    try (Response response =
        client
            .generic()
            .execute(
                Requests.builder()
                    .method("POST")
                    .endpoint("/" + index + "/_search")
                    .query(Map.of("search_pipeline", "mixed"))
                    .json(body)
                    .build())) {
      assertThat(response.getStatus()).isEqualTo(200);
      JsonNode answer = RestFace.JSON.readTree(response.getBody().orElseThrow().bodyAsString());
      Map<String, Double> scores = new TreeMap<>();
      answer
          .at("/hits/hits")
          .forEach(hit -> scores.put(hit.get("_id").asString(), hit.get("_score").asDouble()));
      return scores;
    }
  }

  @Test
  void profileExplanationAndStatisticsAreReadByTheClient() throws IOException {
    Query knn = Query.of(q -> q.knn(k -> k.field("vec").vector(List.of(3f, 0f)).k(2)));
    Query text = Query.of(q -> q.match(m -> m.field("text").query(FieldValue.of("heron"))));
    Query hybrid = Query.of(q -> q.hybrid(h -> h.queries(List.of(text, knn))));
    for (Query query : List.of(text, knn, hybrid)) {
      SearchResponse<Bird> found =
          client.search(r -> r.index(index).profile(true).query(query), Bird.class);
      var shards = requireNonNull(found.profile()).shards();
      assertThat(shards).hasSize(2);
      for (var shard : shards) {
        assertThat(shard.searches()).hasSize(query.isHybrid() ? 2 : 1);
        for (var search : shard.searches()) {
          assertThat(search.query().getFirst().breakdown().createWeightCount()).isEqualTo(1);
          assertThat(search.collector().getFirst().reason()).isEqualTo("search_top_hits");
        }
      }
      Hit<Bird> best = found.hits().hits().getFirst();
      var explained = client.explain(r -> r.index(index).id(best.id()).query(query), Bird.class);
      assertThat(explained.matched()).isTrue();
      assertThat((double) requireNonNull(explained.explanation()).value())
          .isCloseTo(requireNonNull(best.score()).doubleValue(), offset(1e-6));
    }
    var stats = client.nodes().stats().nodes().values().iterator().next();
    assertThat(requireNonNull(requireNonNull(stats.jvm()).mem()).heapUsedInBytes()).isPositive();
    assertThat(requireNonNull(stats.http()).currentOpen()).isPositive();
  }

  @Test
  void refusalsCarryTheirStatusAndType() {
    assertRefused(404, "index_not_found_exception", () -> client.count(r -> r.index("no-such")));
    assertRefused(
        400,
        "resource_already_exists_exception",
        () -> client.indices().create(r -> r.index(index)));
    assertRefused(
        404,
        "document_missing_exception",
        () -> client.update(r -> r.index(index).id("none").doc(Map.of("wings", 1)), Bird.class));
    assertRefused(
        400,
        "mapper_parsing_exception",
        () -> client.index(r -> r.index(index).document(Map.of("vec", List.of(1, 2, 3)))));
    assertRefused(
        400,
        "search_phase_execution_exception",
        () -> ids(Query.of(q -> q.knn(k -> k.field("vec").vector(List.of(1f, 2f, 3f)).k(1)))));
  }

  /** The client's transport gives a conflict as what it is in HTTP, and leaves it unread. */
  @Test
  void conflictsAreToldByTheirStatus() {
    List<ThrowingCallable> calls =
        List.of(
            () -> client.create(r -> r.index(index).id("heron").document(BIRDS.get(0))),
            () ->
                client.index(
                    r ->
                        r.index(index)
                            .id("heron")
                            .ifSeqNo(9_999L)
                            .ifPrimaryTerm(1L)
                            .document(BIRDS.get(0))));
    for (ThrowingCallable call : calls) {
      ResponseException conflict = catchThrowableOfType(ResponseException.class, call);
      assertThat(conflict).isNotNull();
      assertThat(conflict.status()).isEqualTo(409);
      assertThat(conflict).hasMessageContaining("\"type\":\"version_conflict_engine_exception\"");
    }
  }

  private static void assertRefused(int status, String type, ThrowingCallable call) {
    OpenSearchException refusal = catchThrowableOfType(OpenSearchException.class, call);
    assertThat(refusal).as("refusal with %s", type).isNotNull();
    assertThat(refusal.status()).as("%s", refusal.getMessage()).isEqualTo(status);
    assertThat(refusal.error().type()).isEqualTo(type);
    assertThat(refusal.error().reason()).isNotEmpty();
    assertThat(refusal.error().rootCause()).isNotEmpty();
  }

  @Test
  void deletedIndexIsGone() throws IOException {
    assertThat(client.indices().delete(r -> r.index(index)).acknowledged()).isTrue();
    assertThat(client.indices().exists(r -> r.index(index)).value()).isFalse();
    assertRefused(
        404, "index_not_found_exception", () -> client.indices().delete(r -> r.index(index)));
  }

  private List<String> ids(Query query) throws IOException {
    return client.search(r -> r.index(index).query(query), Bird.class).hits().hits().stream()
        .map(Hit::id)
        .toList();
  }
}
