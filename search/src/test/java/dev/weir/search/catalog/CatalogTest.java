package dev.weir.search.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MappingJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class CatalogTest {

  private static final UUID UUID_A = new UUID(1, 2);
  private final MemoryCatalog catalog = new MemoryCatalog();

  @Test
  void anIndexLivesFromCreatingToForgotten() {
    IndexDefinition index = index("books");
    submit(new CatalogCommand.CreateIndex(index));
    assertThat(catalog.catalog().index("books").orElseThrow().state())
        .isEqualTo(new IndexDefinition.State.Creating());
    submit(new CatalogCommand.OpenIndex("books", UUID_A, new UUID(3, 4)));
    assertThat(catalog.catalog().index("books").orElseThrow().topicId()).contains(new UUID(3, 4));
    submit(new CatalogCommand.DeleteIndex("books", UUID_A));
    assertThat(catalog.catalog().index("books")).isEmpty();
    assertThat(refusal(new CatalogCommand.CreateIndex(index)))
        .isEqualTo(ErrorType.RESOURCE_ALREADY_EXISTS);
    submit(new CatalogCommand.ForgetIndex("books", UUID_A));
    assertThat(catalog.catalog()).isEqualTo(Catalog.EMPTY);
  }

  @Test
  void aReplayGivesAnEqualCatalog() {
    submit(new CatalogCommand.CreateIndex(index("books")));
    submit(new CatalogCommand.AddFields("books", UUID_A, mapping("{\"n\":{\"type\":\"long\"}}")));
    submit(new CatalogCommand.PutPipeline("p", "{\"description\":\"x\"}"));
    submit(new CatalogCommand.PutPipeline("q", "{}"));
    submit(new CatalogCommand.DeletePipeline("q"));
    submit(new CatalogCommand.PutDefinition(DefinitionKind.MODEL, "m", "{\"name\":\"x\"}"));
    submit(new CatalogCommand.PutDefinition(DefinitionKind.INGEST_PIPELINE, "p", "{}"));
    submit(new CatalogCommand.PutDefinition(DefinitionKind.MODEL, "n", "{}"));
    submit(new CatalogCommand.DeleteDefinition(DefinitionKind.MODEL, "n"));
    assertThat(catalog.catalog().definitions(DefinitionKind.MODEL))
        .containsExactly(Map.entry("m", "{\"name\":\"x\"}"));
    assertThat(refusal(new CatalogCommand.DeleteDefinition(DefinitionKind.MODEL, "n")))
        .isEqualTo(ErrorType.RESOURCE_NOT_FOUND);
    assertThat(catalog.replayed()).isEqualTo(catalog.catalog());
    assertThat(catalog.keys())
        .extracting(CatalogTest::text)
        .containsExactlyInAnyOrder("index/books", "pipeline/p", "model/m", "ingest-pipeline/p");
  }

  @Test
  void aliasesSurviveAReplayAndAreInAFormatThatOlderNodesDoNotOverlook() {
    submit(new CatalogCommand.CreateIndex(index("books")));
    IndexDefinition plain = catalog.catalog().index("books").orElseThrow();
    IndexAlias filtered = new IndexAlias("{\"term\":{\"t\":1}}", IndexAlias.Writing.ELSEWHERE);
    submit(
        new CatalogCommand.ChangeAliases(
            List.of(
                new AliasChange.Put("books", UUID_A, "all", filtered),
                new AliasChange.Put("books", UUID_A, "x", IndexAlias.PLAIN))));
    IndexDefinition named = catalog.catalog().index("books").orElseThrow();
    assertThat(named.aliases()).isEqualTo(Map.of("all", filtered, "x", IndexAlias.PLAIN));
    assertThat(catalog.replayed()).isEqualTo(catalog.catalog());
    assertThat(format(named)).isEqualTo(2);
    assertThat(format(plain)).isEqualTo(1);
    submit(
        new CatalogCommand.ChangeAliases(
            List.of(
                new AliasChange.Remove("books", UUID_A, "all"),
                new AliasChange.Remove("books", UUID_A, "x"))));
    assertThat(catalog.catalog().index("books")).contains(plain);
  }

  private static int format(IndexDefinition index) {
    ByteBuffer value =
        Objects.requireNonNull(
            CatalogRecordCodec.value(new CatalogRecord.IndexDefined(index)), "no tombstone");
    return json(text(value)).get("format").asInt();
  }

  @Test
  void anAdditionThatChangesNothingWritesNothing() {
    submit(new CatalogCommand.CreateIndex(index("books")));
    Mapping fields = mapping("{\"n\":{\"type\":\"long\"}}");
    submit(new CatalogCommand.AddFields("books", UUID_A, fields));
    assertThat(
            CatalogRules.decide(
                    catalog.catalog(), new CatalogCommand.AddFields("books", UUID_A, fields))
                .records())
        .isEmpty();
  }

  @Test
  void objectsMayNotLieTooDeepHoweverTheyCame() {
    submit(new CatalogCommand.CreateIndex(index("books")));
    assertThat(refusal(new CatalogCommand.AddFields("books", UUID_A, mapping(nested(20)))))
        .isEqualTo(ErrorType.ILLEGAL_ARGUMENT);
    submit(new CatalogCommand.AddFields("books", UUID_A, mapping(nested(19))));
    assertThat(catalog.replayed()).isEqualTo(catalog.catalog());
  }

  /** The properties of a mapping with so many objects below its root, each in the one before. */
  private static String nested(int objects) {
    return "{\"o\":{\"properties\":".repeat(objects)
        + "{\"n\":{\"type\":\"long\"}}"
        + "}}".repeat(objects);
  }

  @Test
  void commandsOnAnEarlierIndexOfTheSameNameAreRefused() {
    submit(new CatalogCommand.CreateIndex(index("books")));
    assertThat(refusal(new CatalogCommand.AddFields("books", new UUID(9, 9), Mapping.EMPTY)))
        .isEqualTo(ErrorType.INDEX_NOT_FOUND);
  }

  @Test
  void aConflictOfTypesAndTooManyFieldsAreRefused() {
    submit(
        new CatalogCommand.CreateIndex(
            IndexDefinition.creating(
                "books",
                UUID_A,
                mapping("{\"n\":{\"type\":\"long\"}}"),
                SettingsReader.ofNewIndex(json("{\"mapping.total_fields.limit\":2}")),
                0)));
    assertThat(
            refusal(
                new CatalogCommand.AddFields(
                    "books", UUID_A, mapping("{\"n\":{\"type\":\"keyword\"}}"))))
        .isEqualTo(ErrorType.ILLEGAL_ARGUMENT);
    assertThat(
            refusal(
                new CatalogCommand.AddFields(
                    "books",
                    UUID_A,
                    mapping("{\"a\":{\"type\":\"long\"},\"b\":{\"type\":\"long\"}}"))))
        .isEqualTo(ErrorType.ILLEGAL_ARGUMENT);
  }

  @Test
  void settingsThatHoldForLifeCannotChange() {
    submit(new CatalogCommand.CreateIndex(index("books")));
    assertThat(
            refusal(
                new CatalogCommand.ChangeSettings(
                    "books", UUID_A, Map.of("index.number_of_shards", Optional.of("2")))))
        .isEqualTo(ErrorType.ILLEGAL_ARGUMENT);
    submit(
        new CatalogCommand.ChangeSettings(
            "books", UUID_A, Map.of("index.refresh_interval", Optional.of("-1"))));
    assertThat(catalog.catalog().index("books").orElseThrow().settings().refreshIntervalMs())
        .isEqualTo(-1);
  }

  @Test
  void recordsHaveFixedBytes() {
    CatalogRecord record =
        new CatalogRecord.IndexDefined(
            IndexDefinition.creating(
                "books",
                UUID_A,
                mapping("{\"n\":{\"type\":\"long\"}}"),
                SettingsReader.ofNewIndex(json("{\"number_of_shards\":3}")),
                17));
    assertThat(text(CatalogRecordCodec.key(record))).isEqualTo("index/books");
    ByteBuffer value = CatalogRecordCodec.value(record);
    assertThat(value == null ? "" : text(value))
        .isEqualTo(
            "{\"format\":1,\"uuid\":\"00000000-0000-0001-0000-000000000002\",\"topic\":\"books\","
                + "\"state\":\"creating\",\"created_ms\":17,"
                + "\"settings\":{\"index.number_of_shards\":\"3\"},"
                + "\"mapping\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}");
  }

  @Test
  void aDefinitionThatCannotBeReadIsSetAsideAndKeptByteForByte() {
    String uuid = "00000000-0000-0001-0000-000000000002";
    for (String value :
        List.of(
            "{",
            "{\"format\":2,\"uuid\":\"" + uuid + "\"}",
            stored(uuid, "{\"type\":\"hologram\"}", "{}"),
            stored(uuid, "{\"type\":\"long\"}", "{\"index.number_of_shards\":\"many\"}"))) {
      CatalogRecord record =
          CatalogRecordCodec.read(bytes("index/books"), bytes(value)).orElseThrow();
      assertThat(record).isInstanceOf(CatalogRecord.Unreadable.class);
      assertThat(text(CatalogRecordCodec.key(record))).isEqualTo("index/books");
      ByteBuffer again = CatalogRecordCodec.value(record);
      assertThat(again == null ? "" : text(again)).isEqualTo(value);
      Catalog read = Catalog.EMPTY.apply(record);
      assertThat(read.index("books")).isEmpty();
      SetAside setAside = read.setAsideIndex("books").orElseThrow();
      assertThat(setAside.unavailable().status()).isEqualTo(503);
      assertThat(setAside.unavailable()).hasMessageContaining("[books]");
      assertThat(setAside.uuid().map(UUID::toString))
          .isEqualTo(value.equals("{") ? Optional.empty() : Optional.of(uuid));
      assertThat(read.apply(new CatalogRecord.IndexForgotten("books"))).isEqualTo(Catalog.EMPTY);
    }
    assertThat(CatalogRecordCodec.read(bytes("alias/a"), bytes("{}"))).isEmpty();
  }

  /** Each of these was accepted by some version; none is accepted from a user today. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"keyword\",\"ignore_above\":-1}",
        "{\"type\":\"date\",\"null_value\":\"yesterday\"}",
        "{\"type\":\"knn_vector\",\"dimension\":20000}",
        "{\"type\":\"knn_vector\",\"dimension\":2,\"method\":{\"engine\":\"lucene\","
            + "\"space_type\":\"l2\",\"name\":\"hnsw\",\"parameters\":{\"m\":600}}}"
      })
  void replayReadsWhatTodaysBoundsRefuse(String field) {
    String uuid = "00000000-0000-0001-0000-000000000002";
    CatalogRecord record =
        CatalogRecordCodec.read(bytes("index/books"), bytes(stored(uuid, field, "{}")))
            .orElseThrow();
    assertThat(Catalog.EMPTY.apply(record).index("books")).isPresent();
    assertThatThrownBy(() -> mapping("{\"f\":" + field + "}")).isInstanceOf(SearchException.class);
  }

  private static String stored(String uuid, String field, String settings) {
    return "{\"format\":1,\"uuid\":\""
        + uuid
        + "\",\"topic\":\"books\",\"state\":\"creating\",\"created_ms\":17,\"settings\":"
        + settings
        + ",\"mapping\":{\"properties\":{\"f\":"
        + field
        + "}}}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "A", "_a", "-a", "+a", "a b", "a,b", "a*", "a#", "a:b", ".", "..", "a.dlq"})
  void namesOutsideTheRulesAreRefused(String name) {
    assertThatThrownBy(() -> IndexName.require(name))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> assertThat(e.error().type()).isEqualTo(ErrorType.INVALID_INDEX_NAME));
  }

  @ParameterizedTest
  @CsvSource({"books,books", "a.b-c_d,a.b-c_d", "café,cafXC3XA9", "a+b,aX2Bb"})
  void namesThatAreNoTopicNamesAreEncoded(String name, String topic) {
    IndexName.require(name);
    assertThat(IndexName.topic(name)).isEqualTo(topic);
  }

  @Test
  void longNamesHaveLegalTopicsThatDiffer() {
    String one = IndexName.topic("x".repeat(250) + "1");
    String two = IndexName.topic("x".repeat(250) + "2");
    assertThat(one).matches("[a-zA-Z0-9._-]+").hasSize(245).isNotEqualTo(two);
  }

  @Test
  void settingsAreReadNestedAndDottedWithAndWithoutPrefix() {
    assertThat(
            SettingsReader.ofNewIndex(
                    json(
                        "{\"index\":{\"number_of_shards\":\"2\",\"knn\":true},"
                            + "\"refresh_interval\":\"5s\",\"index.replication.type\":\"DOCUMENT\"}"))
                .valueByName())
        .isEqualTo(
            Map.of(
                "index.number_of_shards", "2",
                "index.knn", "true",
                "index.refresh_interval", "5s",
                "index.replication.type", "DOCUMENT"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"number_of_shards\":0}",
        "{\"number_of_shards\":\"x\"}",
        "{\"number_of_shards\":1025}",
        "{\"nonsense\":1}",
        "{\"refresh_interval\":\"5 apples\"}",
        "{\"knn\":\"perhaps\"}",
        "{\"uuid\":\"x\"}",
        "{\"analysis\":{\"analyzer\":{\"a\":{\"type\":\"custom\"}}}}"
      })
  void settingsOutsideTheRulesAreRefused(String settings) {
    assertThatThrownBy(() -> SettingsReader.ofNewIndex(json(settings)))
        .isInstanceOfSatisfying(SearchException.class, e -> assertThat(e.status()).isEqualTo(400));
  }

  private static final String VECTORS_AS_A_FIELD =
      "\"body_semantic_info\":{\"properties\":{\"embedding\":{\"type\":\"keyword\"}}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"body\":{\"type\":\"semantic\"}}|{" + VECTORS_AS_A_FIELD + "}",
        "{" + VECTORS_AS_A_FIELD + "}|{\"body\":{\"type\":\"semantic\"}}"
      })
  void fieldsCannotHaveTheNamesOfWhatBelongsToASemanticField(String there, String added) {
    submit(new CatalogCommand.CreateIndex(index("books").with(mapping(there))));
    CatalogReply reply =
        catalog.submit(new CatalogCommand.AddFields("books", UUID_A, mapping(added))).join();
    assertThat(reply)
        .isInstanceOfSatisfying(
            CatalogReply.Refused.class,
            refused ->
                assertThat(refused.error().reason())
                    .contains("Field [body_semantic_info]", "the semantic field [body]"));
    assertThat(catalog.replayed()).isEqualTo(catalog.catalog());
  }

  @Test
  void mappingThatWasAcceptedOnceIsReadAndGrowsOn() {
    Mapping old =
        MappingJson.read(
            json(
                "{\"properties\":{\"body\":{\"type\":\"semantic\",\"dimension\":3},"
                    + VECTORS_AS_A_FIELD
                    + "}}"));
    submit(new CatalogCommand.CreateIndex(index("books").with(old)));
    submit(new CatalogCommand.AddFields("books", UUID_A, mapping("{\"n\":{\"type\":\"long\"}}")));
    assertThat(catalog.replayed()).isEqualTo(catalog.catalog());
    assertThat(catalog.replayed().index("books").orElseThrow().mapping().type("n")).isPresent();
  }

  private static IndexDefinition index(String name) {
    return IndexDefinition.creating(name, UUID_A, Mapping.EMPTY, IndexSettings.DEFAULT, 17);
  }

  private static Mapping mapping(String properties) {
    return MappingJson.parse(json("{\"properties\":" + properties + "}"));
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }

  private void submit(CatalogCommand command) {
    assertThat(catalog.submit(command).join()).isEqualTo(CatalogReply.ACCEPTED);
  }

  private ErrorType refusal(CatalogCommand command) {
    Catalog before = catalog.catalog();
    CatalogReply reply = catalog.submit(command).join();
    assertThat(catalog.catalog()).isEqualTo(before);
    return switch (reply) {
      case CatalogReply.Refused refused -> refused.error().type();
      case CatalogReply.Accepted _ -> throw new AssertionError("accepted " + command);
    };
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
