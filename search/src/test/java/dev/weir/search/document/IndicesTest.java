package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.IndexSettings;
import dev.weir.search.error.SearchException;
import dev.weir.search.index.IndexDescription;
import dev.weir.search.index.IndexPattern;
import dev.weir.search.index.IndexRequest;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.shard.IndexView;
import dev.weir.search.shard.Merge;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class IndicesTest {

  private final TestEngine engine = new TestEngine();

  @Test
  void anIndexIsATopicThatKeepsEverything() {
    engine.create("books", "{\"settings\":{\"number_of_shards\":3}}");
    assertThat(engine.topics.topic("books").orElseThrow().partitions()).isEqualTo(3);
    assertThat(engine.topics.configs("books"))
        .isEqualTo(
            Map.of(
                "weir.index", "true",
                "cleanup.policy", "compact",
                "retention.ms", "-1",
                "retention.bytes", "-1",
                "max.message.bytes", "104857600"));
  }

  @Test
  void definitionsAndDocumentsSurviveARestart() {
    engine.create("books", "{\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}");
    engine.bulk("{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}", "{\"n\":1}");
    IndexDefinition before = engine.indices.index("books").orElseThrow();
    engine.restart();
    assertThat(engine.indices.index("books")).contains(before);
    assertThat(engine.search("books").keySet()).containsExactly("a");
  }

  @Test
  void anIndexThatExistsOrATopicOfThatNameIsRefused() {
    engine.create("books", "{}");
    var _ = engine.topics.create("plain", 1, Map.of());
    assertThat(refusal(engine.indices.create("books", IndexRequest.DEFAULT)))
        .startsWith("index [books/")
        .endsWith("] already exists");
    assertThat(refusal(engine.indices.create("plain", IndexRequest.DEFAULT)))
        .startsWith("topic [plain] already exists");
    assertThat(engine.indices.index("plain")).isEmpty();
  }

  @Test
  void deletingTakesTopicFilesAndDefinition() {
    engine.create("books", "{}");
    engine.bulk("{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}", "{}");
    engine.topics.log("books", 0).produce(1, "b", "{");
    engine.runAll();
    engine.await(engine.indices.delete("books"));
    assertThat(engine.indices.index("books")).isEmpty();
    assertThat(engine.catalog.catalog().indexByName()).isEmpty();
    assertThat(engine.topics.topic("books")).isEmpty();
    assertThat(engine.topics.topic("books.dlq")).isEmpty();
    assertThat(engine.folders()).isEmpty();
    engine.create("books", "{}");
    assertThat(engine.search("books")).isEmpty();
  }

  @Test
  void aDeadLetterIsWrittenOnceThoughAKillHasItsRecordReadAgain() throws IOException {
    engine.create("books", "{}");
    engine.restart(); // with an index commit before the bad records
    engine.topics.log("books", 0).produce(1, "a", "{");
    engine.topics.log("books", 0).produce(1, "b", "{}");
    engine.topics.log("books", 0).produce(1, "c", "[");
    engine.runAll();
    assertThat(engine.topics.log("books.dlq", 0).endOffset()).isEqualTo(2);
    for (int life = 0; life < 3; life++) {
      engine.killAndRestart();
      engine.runAll();
      assertThat(engine.search("books").keySet()).containsExactly("b");
      assertThat(engine.topics.log("books.dlq", 0).endOffset()).isEqualTo(2);
    }
  }

  @Test
  void deadLettersGoOnAfterThoseOfAnEarlierRun() {
    engine.create("books", "{}");
    for (int life = 1; life < 4; life++) {
      engine.topics.log("books", 0).produce(1, "d", "]");
      engine.runAll();
      assertThat(engine.topics.log("books.dlq", 0).endOffset()).isEqualTo(life);
      engine.restart();
    }
  }

  @Test
  void aMergeWaitsForWhatWasAcknowledgedBeforeIt() throws IOException {
    engine.create("books", "{\"settings\":{\"number_of_shards\":1}}");
    engine.bulk("{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}", "{}");
    engine.await(engine.indices.refresh("books"));
    engine.topics.log("books", 0).produce(1, "b", "{}"); // committed, and not applied yet
    CompletableFuture<?> merge = engine.indices.merge("books", new Merge.ToSegments(1));
    assertThat(merge).isNotDone();
    engine.await(merge);
    engine.await(engine.indices.refresh("books"));
    try (IndexView view = engine.indices.view(engine.indices.index("books").orElseThrow())) {
      assertThat(view.shards().getFirst().searcher().getIndexReader().numDocs()).isEqualTo(2);
      assertThat(view.shards().getFirst().searcher().getIndexReader().leaves()).hasSize(1);
    }
  }

  @Test
  void anIndexGoesWithItsTopic() {
    engine.create("books", "{}");
    engine.runAll();
    var _ = engine.topics.delete("books");
    assertThat(engine.indices.index("books")).isEmpty();
    assertThat(engine.catalog.catalog().indexByName()).isEmpty();
  }

  @Test
  void aStartFinishesWhatACrashLeftHalfDone() {
    engine.create("going", "{}");
    IndexDefinition going = engine.indices.index("going").orElseThrow();
    engine.catalog.submit(new CatalogCommand.DeleteIndex("going", going.uuid())).join();
    engine
        .catalog
        .submit(
            new CatalogCommand.CreateIndex(
                IndexDefinition.creating(
                    "coming", new UUID(5, 5), Mapping.EMPTY, IndexSettings.DEFAULT, 1)))
        .join();
    engine.restart();
    assertThat(engine.catalog.catalog().indexByName().keySet()).containsExactly("coming");
    assertThat(engine.topics.topic("going")).isEmpty();
    engine.bulk("{\"index\":{\"_index\":\"coming\",\"_id\":\"a\"}}", "{}");
    assertThat(engine.search("coming").keySet()).containsExactly("a");
  }

  @Test
  void anUnreadableDefinitionKeepsNothingElseFromStartingAndIsReplacedWithItsDocuments() {
    engine.create("other", "{}");
    spoil("books");
    assertThat(engine.search("other")).isEmpty();
    assertThat(engine.indices.unreadable()).containsExactly("books");
    assertThatThrownBy(() -> engine.indices.resolve("books", IndexPattern.DEFAULT))
        .isInstanceOfSatisfying(SearchException.class, e -> assertThat(e.status()).isEqualTo(503));
    assertThat(names("*")).containsExactly("other");
    // Nothing makes an empty index by the way in the place of the one that cannot be read.
    assertThat(engine.bulk("{\"index\":{\"_index\":\"books\",\"_id\":\"b\"}}", "{}"))
        .singleElement()
        .isInstanceOfSatisfying(
            WriteResult.Failed.class, failed -> assertThat(failed.error().status()).isEqualTo(503));
    assertThatThrownBy(
            () -> engine.create("books", "{\"settings\":{\"index.number_of_shards\":3}}"))
        .hasStackTraceContaining("1 partitions");
    engine.create("books", "{}");
    assertThat(engine.search("books").keySet()).containsExactly("a");
    engine.restart();
    assertThat(engine.search("books").keySet()).containsExactly("a");
    assertThat(engine.indices.unreadable()).isEmpty();
  }

  @Test
  void anUnreadableDefinitionIsDeletedWithTopicAndFiles() {
    spoil("books");
    engine.await(engine.indices.delete("books"));
    assertThat(engine.topics.topic("books")).isEmpty();
    assertThat(engine.folders()).isEmpty();
    assertThat(engine.catalog.keys()).isEmpty();
    assertThat(engine.indices.index("books")).isEmpty();
  }

  /** An index with document a, whose definition is of a format to come after the next start. */
  private void spoil(String name) {
    engine.create(name, "{}");
    engine.bulk("{\"index\":{\"_index\":\"" + name + "\",\"_id\":\"a\"}}", "{}");
    UUID uuid = engine.indices.index(name).orElseThrow().uuid();
    engine.catalog.store("index/" + name, "{\"format\":9,\"uuid\":\"" + uuid + "\"}");
    engine.restart();
  }

  @Test
  void patternsStandForIndexes() {
    engine.create("a1", "{}");
    engine.create("a2", "{}");
    engine.create("b", "{}");
    engine.create(".hidden", "{}");
    assertThat(names("a*")).containsExactly("a1", "a2");
    assertThat(names("_all")).containsExactly("a1", "a2", "b");
    assertThat(names("*,-a*")).containsExactly("b");
    assertThat(names(".h*,b")).containsExactly(".hidden", "b");
    assertThat(names("z*")).isEmpty();
    assertThat(engine.indices.resolve("b,z", Set.of(IndexPattern.Leniency.IGNORE_UNAVAILABLE)))
        .hasSize(1);
  }

  @Test
  void theDescriptionNestsSettingsAndPrintsTheMapping() {
    IndexDefinition index =
        engine.create(
            "books",
            "{\"settings\":{\"index\":{\"knn\":true,\"knn.algo_param.ef_search\":50}},"
                + "\"mappings\":{\"properties\":{\"t\":{\"type\":\"text\"}}}}");
    assertThat(IndexDescription.print(index))
        .isEqualTo(
            JsonMapper.shared()
                .readTree(
                    "{\"aliases\":{},\"mappings\":{\"properties\":{\"t\":{\"type\":\"text\"}}},"
                        + "\"settings\":{\"index\":{\"creation_date\":\"1000000\",\"knn\":\"true\","
                        + "\"knn.algo_param.ef_search\":\"50\",\"number_of_replicas\":\"1\","
                        + "\"number_of_shards\":\"1\",\"provided_name\":\"books\",\"uuid\":\""
                        + index.uuidText()
                        + "\",\"version\":{\"created\":\"137307827\"}}}}"));
  }

  private Iterable<String> names(String expression) {
    return engine.indices.resolve(expression, IndexPattern.DEFAULT).stream()
        .map(IndexDefinition::name)
        .toList();
  }

  private static String refusal(CompletableFuture<?> future) {
    Throwable error = future.handle((_, e) -> e).join();
    Throwable cause = error != null && error.getCause() != null ? error.getCause() : error;
    if (cause instanceof SearchException refused) {
      return String.valueOf(refused.getMessage());
    }
    throw new AssertionError("not refused: " + future, cause);
  }
}
