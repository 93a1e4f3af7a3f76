package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.MemoryLog;
import dev.weir.search.log.RecordHeader;
import dev.weir.search.shard.Condition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DocumentsTest {

  private final TestEngine engine = new TestEngine();

  @Test
  void bulkCarriesOutEachActionInOrder() {
    List<WriteResult> results =
        engine.bulk(
            "{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}",
            "{\"n\":1}",
            "{\"create\":{\"_index\":\"books\",\"_id\":\"a\"}}",
            "{\"n\":2}",
            "{\"update\":{\"_index\":\"books\",\"_id\":\"a\"}}",
            "{\"doc\":{\"t\":\"x\"}}",
            "{\"update\":{\"_index\":\"books\",\"_id\":\"missing\"}}",
            "{\"doc\":{\"t\":\"x\"}}",
            "{\"index\":{\"_index\":\"books\",\"_id\":\"b\"}}",
            "{\"n\":\"no number\"}",
            "{\"index\":{\"_index\":\"books\",\"_id\":\"c\"}}",
            "{\"n\":3}",
            "{\"delete\":{\"_index\":\"books\",\"_id\":\"c\"}}",
            "{\"delete\":{\"_index\":\"books\",\"_id\":\"never\"}}",
            "{\"delete\":{\"_index\":\"nowhere\",\"_id\":\"a\"}}");
    assertThat(TestEngine.summary(results))
        .containsExactly(
            "index a 201 created v1",
            "create a 409 version_conflict_engine_exception",
            "update a 200 updated v2",
            "update missing 404 document_missing_exception",
            "index b 400 mapper_parsing_exception",
            "index c 201 created v1",
            "delete c 200 deleted v2",
            "delete never 404 not_found v1",
            "delete nowhere 404 index_not_found_exception".replace("nowhere", "a"));
    assertThat(engine.search("books")).isEqualTo(Map.of("a", "{\"n\":1,\"t\":\"x\"}"));
  }

  @Test
  void aWriteIsAConsumableRecordWithItsVersion() {
    engine.create("books", "{}");
    engine.bulk(
        "{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}",
        "{\"n\":1}",
        "{\"delete\":{\"_index\":\"books\",\"_id\":\"a\"}}");
    List<LogEntry> entries = engine.topics.log("books", 0).entries();
    assertThat(entries).hasSize(2);
    assertThat(text(Objects.requireNonNull(entries.get(0).value()))).isEqualTo("{\"n\":1}");
    assertThat(entries.get(1).value()).isNull();
    assertThat(entries)
        .extracting(e -> e.headers().getFirst())
        .extracting(RecordHeader::name, RecordHeader::text)
        .containsExactly(tuple("_version", "1"), tuple("_version", "2"));
  }

  @Test
  void anUpdateOfACertainVersionNeverMakesADocument() {
    List<WriteResult> results =
        engine.bulk(
            "{\"update\":{\"_index\":\"books\",\"_id\":\"a\","
                + "\"if_seq_no\":5,\"if_primary_term\":1}}",
            "{\"doc\":{\"n\":1},\"doc_as_upsert\":true}",
            "{\"update\":{\"_index\":\"books\",\"_id\":\"a\","
                + "\"version\":5,\"version_type\":\"external\"}}",
            "{\"doc\":{\"n\":1}}",
            "{\"index\":{\"_index\":\"books\",\"_id\":\"\\ud800\"}}",
            "{\"n\":1}");
    assertThat(TestEngine.summary(results))
        .containsExactly(
            "update a 400 action_request_validation_exception",
            "update a 400 action_request_validation_exception",
            "index \ud800 400 illegal_argument_exception");
    assertThat(engine.search("books")).isEmpty();
  }

  @Test
  void anUpdateThatChangesNothingWritesNothing() {
    engine.bulk("{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}", "{\"n\":1,\"o\":{\"x\":1}}");
    List<WriteResult> results =
        engine.bulk(
            "{\"update\":{\"_index\":\"books\",\"_id\":\"a\"}}",
            "{\"doc\":{\"o\":{\"x\":1}}}",
            "{\"update\":{\"_index\":\"books\",\"_id\":\"a\"}}",
            "{\"doc\":{\"n\":1},\"detect_noop\":false}",
            "{\"update\":{\"_index\":\"books\",\"_id\":\"b\"}}",
            "{\"doc\":{\"n\":2},\"doc_as_upsert\":true}",
            "{\"update\":{\"_index\":\"books\",\"_id\":\"c\",\"retry_on_conflict\":3}}",
            "{\"doc\":{\"n\":2},\"upsert\":{\"n\":9}}",
            "{\"update\":{\"_index\":\"books\",\"_id\":\"a\"}}",
            "{\"script\":\"ctx._source.n++\"}");
    assertThat(TestEngine.summary(results))
        .containsExactly(
            "update a 200 noop v1",
            "update a 200 updated v2",
            "update b 201 created v1",
            "update c 201 created v1",
            "update a 400 illegal_argument_exception");
    assertThat(engine.topics.log("books", 0).entries()).hasSize(4);
  }

  @Test
  void anUpdateLeavesTheDigitsOfNumbersAsTheyAre() {
    String numbers = "\"n\":[12345678901234567890123,1.10,1e5,0.1234567890123456789,-0.0]";
    engine.create("books", "{\"mappings\":{\"dynamic\":false}}");
    engine.bulk(
        "{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}",
        "{" + numbers + "}",
        "{\"update\":{\"_index\":\"books\",\"_id\":\"a\"}}",
        "{\"doc\":{\"m\":1.50}}",
        "{\"update\":{\"_index\":\"books\",\"_id\":\"a\"}}",
        "{\"doc\":{" + numbers + "}}");
    assertThat(engine.search("books")).containsEntry("a", "{" + numbers + ",\"m\":1.50}");
    assertThat(engine.topics.log("books", 0).entries()).hasSize(2); // the last changed nothing
  }

  @Test
  void aFieldTwiceInOneObjectIsRefusedWithItsPlace() {
    List<WriteResult> results =
        engine.bulk(
            "{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}",
            "{\"x\":1,\"y\":{\"z\":1,\"z\":2}}",
            "{\"index\":{\"_index\":\"books\",\"_id\":\"b\"}}",
            "{\"x\":1,\"y\":{\"x\":1}}",
            "{\"update\":{\"_index\":\"books\",\"_id\":\"b\"}}",
            "{\"doc\":{\"x\":2,\"x\":3}}");
    assertThat(TestEngine.summary(results))
        .containsExactly(
            "index a 400 mapper_parsing_exception",
            "index b 201 created v1",
            "update b 400 json_parse_exception");
    MemoryLog log = engine.topics.log("books", 0);
    log.produce(1, "c", "{\"x\":1,\"x\":1}");
    assertThat(engine.search("books")).containsOnlyKeys("b");
    assertThat(engine.topics.log("books.dlq", 0).entries().getFirst().headers())
        .anyMatch(header -> header.text().contains("Duplicate field 'x'"));
    assertThatThrownBy(() -> TestEngine.operations("{\"delete\":{\"_id\":\"a\",\"_id\":\"b\"}}"))
        .hasMessageContaining("Duplicate field '_id'");
  }

  @Test
  void madeUpIdsHaveTwentyUrlSafeCharacters() {
    List<WriteResult> results =
        engine.bulk(
            "{\"index\":{\"_index\":\"books\"}}",
            "{}",
            "{\"create\":{\"_index\":\"books\"}}",
            "{}");
    assertThat(results).allSatisfy(r -> assertThat(r.id()).matches("[A-Za-z0-9_-]{20}"));
    assertThat(results.get(0).id()).isNotEqualTo(results.get(1).id());
  }

  @Test
  void unknownFieldsAreInTheCatalogBeforeTheRecordIsInTheLog() {
    engine.bulk(
        "{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}",
        "{\"t\":\"x\",\"n\":1,\"f\":1.5,\"d\":\"2024-05-01\",\"o\":{\"b\":true}}");
    assertThat(engine.catalog.replayed().index("books").orElseThrow().mapping().typeByPath())
        .extractingFromEntries(e -> e.getKey() + ":" + e.getValue().typeName())
        .containsExactly(
            "d:date",
            "f:float",
            "n:long",
            "o:object",
            "o.b:boolean",
            "t:text",
            "t.keyword:keyword");
  }

  @Test
  void aWriteThatWaitsIsSeenByTheNextSearch() {
    CompletableFuture<List<WriteResult>> written =
        engine.documents.bulk(
            TestEngine.operations("{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}", "{}"),
            RefreshPolicy.IMMEDIATE);
    assertThat(written).isNotDone();
    assertThat(engine.await(written))
        .first()
        .isInstanceOfSatisfying(
            WriteResult.Done.class, done -> assertThat(done.forcedRefresh()).isTrue());
  }

  @Test
  void anUnknownIndexIsMadeOnlyWhereThatIsAllowed() {
    Documents strict = engine.documents(Documents.AutoCreation.OFF);
    assertThat(
            TestEngine.summary(
                engine.await(
                    strict.bulk(
                        TestEngine.operations(
                            "{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}", "{}"),
                        RefreshPolicy.NONE))))
        .containsExactly("index a 404 index_not_found_exception");
    assertThat(
            TestEngine.summary(
                engine.bulk(
                    "{\"index\":{\"_index\":\"Bad\",\"_id\":\"a\"}}",
                    "{}",
                    "{\"index\":{\"_index\":\"x\",\"_id\":\"a\",\"require_alias\":true}}",
                    "{}")))
        .containsExactly(
            "index a 400 invalid_index_name_exception", "index a 404 index_not_found_exception");
    assertThat(engine.indices.index("x")).isEmpty();
  }

  @Test
  void getTellsFoundFromMissing() {
    engine.bulk("{\"index\":{\"_index\":\"books\",\"_id\":\"a\"}}", "{\"n\":1}");
    assertThat(engine.await(engine.documents.get("books", "a")))
        .isInstanceOfSatisfying(
            GetResult.Found.class,
            found -> assertThat(text(found.source())).isEqualTo("{\"n\":1}"));
    assertThat(engine.await(engine.documents.get("books", "b")))
        .isEqualTo(new GetResult.Missing("books", "b"));
    assertThat(engine.documents.get("nowhere", "a"))
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withMessageContaining("no such index [nowhere]");
  }

  @Test
  void unreadableRecordsGoToTheDeadLetterTopicWithTheirPlace() {
    engine.create("books", "{\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}");
    MemoryLog log = engine.topics.log("books", 0);
    log.produce(1, "a", "{\"n\":1}");
    log.produce(2, "b", "{\"n\":\"x\"}");
    log.produce(3, "c", "{\"n\":3}");
    assertThat(engine.search("books").keySet()).containsExactly("a", "c");
    LogEntry dead = engine.topics.log("books.dlq", 0).entries().getFirst();
    assertThat(dead.headers())
        .extracting(h -> h.name() + "=" + h.text())
        .containsExactly(
            "weir.error.type=mapper_parsing_exception",
            "weir.error.reason=failed to parse field [n] of type [long] in document with id 'b'."
                + " Preview of field's value: 'x': For input string: \"x\"",
            "weir.topic=books",
            "weir.partition=0",
            "weir.offset=1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"index\":{\"_index\":\"a\"}}|illegal_argument_exception",
        "{\"frobnicate\":{\"_index\":\"a\"}}|illegal_argument_exception",
        "{\"index\":{\"_index\":\"a\",\"what\":1}}|illegal_argument_exception",
        "{\"index\":{\"_index\":\"a\",\"_id\":{}}}|illegal_argument_exception",
        "{\"delete\":{\"_index\":\"a\"}}|action_request_validation_exception",
        "{\"delete\":{\"_id\":\"a\"}}|action_request_validation_exception",
        "{\"delete\":{\"_id\":|json_parse_exception",
        "[]|illegal_argument_exception"
      })
  void malformedActionLinesAreRefused(String line, String type) {
    assertThatThrownBy(() -> TestEngine.operations(line))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(e.error().type().typeName()).isEqualTo(type);
            });
  }

  @Test
  void aBulkBodyEndsWithALineFeed() {
    assertThatThrownBy(
            () ->
                BulkBody.parse(
                    TestEngine.bytes("{\"delete\":{\"_index\":\"a\",\"_id\":\"b\"}}"),
                    null,
                    BulkOperation.IndexCreation.AUTO))
        .hasMessageContaining("terminated by a newline");
  }

  @Test
  void conditionsThatContradictEachOtherAreRefused() {
    assertThat(new WriteConditions(null, 1L, 2L, null, null).condition())
        .isEqualTo(new Condition.At(1, 2));
    assertThat(new WriteConditions(null, null, null, 5L, "external_gte").condition())
        .isEqualTo(new Condition.ExternalAtLeast(5));
    for (WriteConditions wrong :
        List.of(
            new WriteConditions(null, 1L, null, null, null),
            new WriteConditions(null, null, 1L, null, null),
            new WriteConditions("create", 1L, 1L, null, null),
            new WriteConditions("create", null, null, 1L, "external"),
            new WriteConditions(null, null, null, 1L, null),
            new WriteConditions(null, null, null, null, "external"))) {
      assertThatThrownBy(wrong::condition)
          .isInstanceOfSatisfying(
              SearchException.class,
              e -> assertThat(e.error().type()).isEqualTo(ErrorType.REQUEST_VALIDATION));
    }
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
