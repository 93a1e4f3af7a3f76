package dev.weir.search.catalog;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.MappingJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bytes of catalog records, for a compacted topic. All text is UTF-8.
 *
 * <pre>
 * key    index/NAME, pipeline/NAME, model/NAME or ingest-pipeline/NAME
 * value  null: there is none any more; else a JSON object
 *        index     {"format":1|2, "uuid":UUID, "topic":TOPIC, "topic_id":UUID or absent,
 *                   "state":"creating"|"open"|"deleting", "created_ms":N,
 *                   "settings":{NAME:TEXT,...}, "mapping":{as in the REST API},
 *                   "aliases":{NAME:{"filter":{query} or absent, "write":BOOLEAN or absent},...}
 *                       or absent, in format 2 only}
 *        others    {"format":1, "definition":{as in the REST API, or as the kind has it}}
 * </pre>
 *
 * Kinds that a reader does not know are passed over; a definition of a higher format is set aside,
 * since it may carry what an older node must not overlook.
 */
public final class CatalogRecordCodec {

  private static final int FORMAT = 1;

  /** Of an index with aliases: their filters are nothing that an older node may overlook. */
  private static final int FORMAT_WITH_ALIASES = 2;

  static final String INDEX = "index/";
  static final String PIPELINE = "pipeline/";
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private CatalogRecordCodec() {}

  /** The key: one for each definition, so that compaction keeps the newest state of each. */
  public static ByteBuffer key(CatalogRecord record) {
    return utf8(
        switch (record) {
          case CatalogRecord.IndexDefined(IndexDefinition index) -> INDEX + index.name();
          case CatalogRecord.IndexForgotten(String name) -> INDEX + name;
          case CatalogRecord.PipelineDefined(String name, _) -> PIPELINE + name;
          case CatalogRecord.PipelineForgotten(String name) -> PIPELINE + name;
          case CatalogRecord.Defined(DefinitionKind kind, String name, _) -> kind.key(name);
          case CatalogRecord.Forgotten(DefinitionKind kind, String name) -> kind.key(name);
          case CatalogRecord.Unreadable(SetAside definition) -> definition.key();
        });
  }

  /** The value; null is a tombstone. */
  public static @Nullable ByteBuffer value(CatalogRecord record) {
    return switch (record) {
      case CatalogRecord.IndexDefined(IndexDefinition index) -> utf8(print(index).toString());
      case CatalogRecord.PipelineDefined(_, String json) -> definition(json);
      case CatalogRecord.Defined(_, _, String json) -> definition(json);
      case CatalogRecord.Unreadable(SetAside definition) -> definition.value().duplicate();
      case CatalogRecord.IndexForgotten _,
          CatalogRecord.PipelineForgotten _,
          CatalogRecord.Forgotten _ ->
          null;
    };
  }

  private static ByteBuffer definition(String json) {
    ObjectNode value = MAPPER.createObjectNode().put("format", FORMAT);
    value.set("definition", MAPPER.readTree(json));
    return utf8(value.toString());
  }

  /**
   * Reads a record; empty if it is of a kind that this version does not know. A definition was
   * accepted once, so it is not held against the rules of today; what cannot be read at all comes
   * out as {@link CatalogRecord.Unreadable}.
   */
  public static Optional<CatalogRecord> read(ByteBuffer key, @Nullable ByteBuffer value) {
    String name = text(key);
    try {
      if (name.startsWith(INDEX)) {
        String index = name.substring(INDEX.length());
        return Optional.of(
            value == null
                ? new CatalogRecord.IndexForgotten(index)
                : new CatalogRecord.IndexDefined(index(index, object(value))));
      }
      if (name.startsWith(PIPELINE)) {
        String pipeline = name.substring(PIPELINE.length());
        return Optional.of(
            value == null
                ? new CatalogRecord.PipelineForgotten(pipeline)
                : new CatalogRecord.PipelineDefined(pipeline, definitionIn(value)));
      }
      for (DefinitionKind kind : DefinitionKind.values()) {
        Optional<String> id = kind.name(name);
        if (id.isPresent()) {
          return Optional.of(
              value == null
                  ? new CatalogRecord.Forgotten(kind, id.get())
                  : new CatalogRecord.Defined(kind, id.get(), definitionIn(value)));
        }
      }
      return Optional.empty();
    } catch (JacksonException | IllegalArgumentException | SearchException e) {
      ByteBuffer damaged = Objects.requireNonNull(value); // nothing is read of a tombstone
      return Optional.of(
          new CatalogRecord.Unreadable(
              new SetAside(name, damaged, uuid(damaged), String.valueOf(e.getMessage()))));
    }
  }

  private static String definitionIn(ByteBuffer value) {
    return member(object(value), "definition").toString();
  }

  /** The uuid of an index whose definition is not readable as a whole. */
  private static Optional<UUID> uuid(ByteBuffer value) {
    try {
      JsonNode uuid = MAPPER.readTree(text(value)).get("uuid");
      return uuid == null ? Optional.empty() : Optional.of(UUID.fromString(uuid.asString()));
    } catch (JacksonException | IllegalArgumentException _) {
      return Optional.empty(); // then the files of the index stay where they are
    }
  }

  private static ObjectNode print(IndexDefinition index) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("format", index.aliases().isEmpty() ? FORMAT : FORMAT_WITH_ALIASES);
    json.put("uuid", index.uuid().toString());
    json.put("topic", index.topic());
    index.topicId().ifPresent(id -> json.put("topic_id", id.toString()));
    json.put(
        "state",
        switch (index.state()) {
          case IndexDefinition.State.Creating() -> "creating";
          case IndexDefinition.State.Open _ -> "open";
          case IndexDefinition.State.Deleting() -> "deleting";
        });
    json.put("created_ms", index.createdMs());
    ObjectNode settings = json.putObject("settings");
    index.settings().valueByName().forEach(settings::put);
    json.set("mapping", MappingJson.print(index.mapping()));
    if (!index.aliases().isEmpty()) {
      ObjectNode aliases = json.putObject("aliases");
      index.aliases().forEach((name, alias) -> print(alias, aliases.putObject(name)));
    }
    return json;
  }

  private static void print(IndexAlias alias, ObjectNode into) {
    if (alias.filter() != null) {
      into.set("filter", MAPPER.readTree(alias.filter()));
    }
    switch (alias.writing()) {
      case UNSAID -> {}
      case HERE -> into.put("write", true);
      case ELSEWHERE -> into.put("write", false);
    }
  }

  private static SortedMap<String, IndexAlias> aliases(JsonNode json) {
    SortedMap<String, IndexAlias> aliases = new TreeMap<>();
    if (json.has("aliases")) {
      for (Map.Entry<String, JsonNode> entry : json.get("aliases").properties()) {
        JsonNode filter = entry.getValue().get("filter");
        JsonNode write = entry.getValue().get("write");
        aliases.put(
            entry.getKey(),
            new IndexAlias(
                filter == null ? null : filter.toString(),
                write == null
                    ? IndexAlias.Writing.UNSAID
                    : write.asBoolean() ? IndexAlias.Writing.HERE : IndexAlias.Writing.ELSEWHERE));
      }
    }
    return aliases;
  }

  private static IndexDefinition index(String name, JsonNode json) {
    String state = member(json, "state").asString();
    SortedMap<String, String> settings = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : member(json, "settings").properties()) {
      settings.put(entry.getKey(), entry.getValue().asString());
    }
    IndexSettings read = new IndexSettings(settings);
    read.requireReadable();
    return new IndexDefinition(
        name,
        UUID.fromString(member(json, "uuid").asString()),
        member(json, "topic").asString(),
        switch (state) {
          case "creating" -> new IndexDefinition.State.Creating();
          case "open" ->
              new IndexDefinition.State.Open(UUID.fromString(member(json, "topic_id").asString()));
          case "deleting" -> new IndexDefinition.State.Deleting();
          default -> throw new IllegalArgumentException("unknown state " + state);
        },
        MappingJson.read(member(json, "mapping")),
        read,
        aliases(json),
        member(json, "created_ms").asLong());
  }

  private static JsonNode object(ByteBuffer value) {
    JsonNode json = MAPPER.readTree(text(value));
    int format = member(json, "format").asInt();
    if (format > FORMAT_WITH_ALIASES) {
      throw new IllegalArgumentException(
          "it has format="
              + format
              + ", known up to "
              + FORMAT_WITH_ALIASES
              + ", of a newer version of weir");
    }
    return json;
  }

  private static JsonNode member(JsonNode json, String name) {
    JsonNode value = json.get(name);
    if (value == null) {
      throw new IllegalArgumentException("member " + name + " is missing");
    }
    return value;
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
