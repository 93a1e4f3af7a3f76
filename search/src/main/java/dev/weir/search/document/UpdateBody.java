package dev.weir.search.document;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.ExactJson;
import dev.weir.search.json.KnownNames;
import dev.weir.search.mapping.ExactTree;
import dev.weir.search.mapping.Json;
import dev.weir.search.shard.Condition;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of an update, and what it makes of a document.
 *
 * @param doc the part to merge in: objects member by member, everything else as a whole
 * @param upsert the document to put where there is none
 */
record UpdateBody(
    @Nullable ObjectNode doc, @Nullable ObjectNode upsert, boolean docIsUpsert, boolean seesNoop) {

  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final KnownNames KNOWN =
      KnownNames.of("doc", "upsert", "doc_as_upsert", "detect_noop", "_source");

  /**
   * Reads a body.
   *
   * @throws SearchException with 400
   */
  static UpdateBody parse(ByteBuffer body) {
    JsonNode json = tree(body);
    ObjectNode doc = null;
    ObjectNode upsert = null;
    boolean docIsUpsert = false;
    boolean seesNoop = true;
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      JsonNode value = entry.getValue();
      switch (entry.getKey()) {
        case "doc" -> doc = object(entry);
        case "upsert" -> upsert = object(entry);
        case "doc_as_upsert" -> docIsUpsert = flag(entry);
        case "detect_noop" -> seesNoop = flag(entry);
        case "script", "scripted_upsert" ->
            throw SearchException.illegalArgument(
                "["
                    + entry.getKey()
                    + "] in an update is not supported: there is no script"
                    + " language; send the changed part as [doc]");
        case "_source", "lang", "params" -> {} // of no effect without a script
        default ->
            throw new SearchException(
                ErrorType.OBJECT_PARSING,
                "[UpdateRequest] unknown field ["
                    + entry.getKey()
                    + "], value "
                    + value
                    + KNOWN.hint(entry.getKey()));
      }
    }
    if (doc == null) {
      throw new SearchException(
          ErrorType.REQUEST_VALIDATION,
          "Validation Failed: 1: script or doc is missing;"
              + (docIsUpsert ? "2: doc must be specified if doc_as_upsert is enabled;" : ""));
    }
    return new UpdateBody(doc, upsert, docIsUpsert, seesNoop);
  }

  /**
   * Refuses what contradicts the body: a document that must be a certain one is neither made anew
   * nor read again, and versions from outside belong to whole documents.
   *
   * @throws SearchException with 400
   */
  void requireFits(BulkOperation.Update update) {
    String fault =
        switch (update.condition()) {
          case Condition.ExternalAbove _, Condition.ExternalAtLeast _ ->
              "Update requests do not support versioning. Please use `if_seq_no` and"
                  + " `if_primary_term` instead";
          case Condition.At _ when update.retriesOnConflict() > 0 ->
              "compare and write operations can not be retried";
          case Condition.At _ when docIsUpsert || upsert != null ->
              "upsert requests don't support `if_seq_no` and `if_primary_term`";
          case Condition.At _, Condition.Absent _, Condition.None _ -> null;
        };
    if (fault != null) {
      throw new SearchException(
          ErrorType.REQUEST_VALIDATION, "Validation Failed: 1: " + fault + ";");
    }
  }

  /** The document to put where there is none; empty: the update fails. */
  Optional<ByteBuffer> created() {
    ObjectNode document = docIsUpsert ? doc : upsert;
    return Optional.ofNullable(document).map(UpdateBody::bytes);
  }

  /** The document to put where there is none, for changing it with {@link #withCreated}. */
  Optional<ObjectNode> tree() {
    return Optional.ofNullable(docIsUpsert ? doc : upsert);
  }

  /** The same body with another document to put where there is none. */
  ByteBuffer withCreated(ObjectNode document) {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("doc", docIsUpsert ? document : doc);
    if (docIsUpsert) {
      json.put("doc_as_upsert", true);
    } else {
      json.set("upsert", document);
    }
    json.put("detect_noop", seesNoop);
    return bytes(json);
  }

  /** The document in place of this one; empty if nothing changes. */
  Optional<ByteBuffer> changed(ByteBuffer source) {
    if (doc == null || !(tree(source) instanceof ObjectNode before)) {
      return Optional.empty();
    }
    ObjectNode after = before.deepCopy();
    merge(after, doc);
    return seesNoop && after.equals(before) ? Optional.empty() : Optional.of(bytes(after));
  }

  private static void merge(ObjectNode into, ObjectNode part) {
    for (Map.Entry<String, JsonNode> entry : part.properties()) {
      if (entry.getValue() instanceof ObjectNode below
          && into.get(entry.getKey()) instanceof ObjectNode there) {
        merge(there, below);
      } else {
        into.set(entry.getKey(), entry.getValue());
      }
    }
  }

  private static ByteBuffer bytes(ObjectNode json) {
    return ByteBuffer.wrap(MAPPER.writeValueAsBytes(json));
  }

  private static JsonNode tree(ByteBuffer body) {
    try (JsonParser in = Json.parser(body)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new SearchException(ErrorType.PARSE, "an update must be a JSON object");
      }
      JsonNode json = ExactTree.of(in);
      if (in.nextToken() != null) {
        throw new SearchException(
            ErrorType.PARSE, "an update must be one JSON object, and more follows it");
      }
      return json;
    } catch (JacksonException e) {
      throw new SearchException(ExactJson.malformed(e));
    }
  }

  private static ObjectNode object(Map.Entry<String, JsonNode> entry) {
    if (entry.getValue() instanceof ObjectNode object) {
      return object;
    }
    throw new SearchException(
        ErrorType.OBJECT_PARSING,
        "[UpdateRequest] "
            + entry.getKey()
            + " doesn't support values of type: "
            + entry.getValue().getNodeType());
  }

  private static boolean flag(Map.Entry<String, JsonNode> entry) {
    if (entry.getValue().isBoolean()) {
      return entry.getValue().booleanValue();
    }
    throw new SearchException(
        ErrorType.OBJECT_PARSING,
        "[UpdateRequest] " + entry.getKey() + " must be true or false, not " + entry.getValue());
  }
}
