package dev.weir.search.ingest;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.ExactJson;
import dev.weir.search.mapping.ExactTree;
import dev.weir.search.mapping.Json;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One document on its way through pipelines, with where it is going. Owned by its run, one thread
 * at a time.
 *
 * <p>A pipeline is written by somebody else than the document, and may double a value at every
 * step: what a run puts into a document is counted, and bounded in size ({@link Growth}), depth and
 * number of steps.
 */
public final class IngestDocument {

  /** Deepest value that is put into a document; objects of documents may be 20 deep. */
  private static final int DEPTH_MAX = 100;

  /** Steps for one document, those of {@code foreach} and inner pipelines counted. */
  private static final int STEPS_MAX = 100_000;

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private static final List<String> METADATA = List.of("_index", "_id");

  /** Names at the root that no document may have; to set them would be without effect. */
  private static final List<String> RESERVED =
      List.of("_routing", "_version", "_version_type", "_type", "_source");

  private final ObjectNode source;
  private final ObjectNode metadata = Values.NODES.objectNode();
  private final ObjectNode run = Values.NODES.objectNode(); // what stands below _ingest
  private final Growth growth;
  private final Looks looks;
  private final Instant now;
  private int stepsLeft = STEPS_MAX;
  private boolean isDropped;

  /**
   * A document.
   *
   * @param source its tree; owned by the new document from here on
   * @param id null where one will be made up
   * @param sizeBytes of the document as it came; pipelines may look longer at longer ones
   * @param growth of this document and those that are in memory with it
   */
  public IngestDocument(
      String index,
      @Nullable String id,
      ObjectNode source,
      long sizeBytes,
      Growth growth,
      Instant now) {
    this.source = source;
    this.growth = growth;
    this.looks = new Looks(sizeBytes);
    this.now = now;
    metadata.put("_index", index);
    if (id != null) {
      metadata.put("_id", id);
    }
    run.put("timestamp", now.toString());
  }

  /**
   * Reads a document.
   *
   * @throws SearchException with 400 if it is no JSON object
   */
  public static IngestDocument read(
      String index, @Nullable String id, ByteBuffer source, Growth growth, Instant now) {
    return new IngestDocument(index, id, object(source), source.remaining(), growth, now);
  }

  private static ObjectNode object(ByteBuffer source) {
    try (JsonParser in = Json.parser(source)) {
      if (in.nextToken() == JsonToken.START_OBJECT
          && ExactTree.of(in) instanceof ObjectNode object
          && in.nextToken() == null) {
        return object;
      }
      throw failed(ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, "a document must be one JSON object"));
    } catch (JacksonException e) {
      throw failed(ExactJson.malformed(e));
    }
  }

  private static SearchException failed(ErrorCause cause) {
    return new SearchException(
        ErrorCause.of(ErrorType.MAPPER_PARSING, "failed to parse").because(cause));
  }

  /** The index that it goes to. */
  public String index() {
    return metadata.path("_index").asString();
  }

  /** Its id; null where one will be made up. */
  public @Nullable String id() {
    JsonNode id = metadata.get("_id");
    return id == null ? null : id.asString();
  }

  /** Whether a pipeline said to leave it out. */
  public boolean isDropped() {
    return isDropped;
  }

  void drop() {
    isDropped = true;
  }

  /** Its tree; not to be changed by others than processors. */
  public ObjectNode source() {
    return source;
  }

  /**
   * The document as JSON.
   *
   * @throws SearchException with 400 if it can be none, being nested too deep
   */
  public ByteBuffer bytes() {
    try {
      return ByteBuffer.wrap(MAPPER.writeValueAsBytes(source));
    } catch (JacksonException e) {
      throw unwritable(e);
    }
  }

  /** Why what came out of pipelines cannot be written. */
  public static SearchException unwritable(JacksonException e) {
    return SearchException.illegalArgument(
        "what the pipelines made of the document cannot be written as JSON: "
            + e.getOriginalMessage());
  }

  /** The time of the request. */
  Instant now() {
    return now;
  }

  /** What steps may still look at. */
  Looks looks() {
    return looks;
  }

  /** What stands below {@code _ingest}. */
  ObjectNode run() {
    return run;
  }

  /**
   * Counts a step.
   *
   * @throws SearchException with 400 if there have been too many
   */
  void step() {
    if (--stepsLeft < 0) {
      throw SearchException.illegalArgument(
          "the pipelines took more than "
              + STEPS_MAX
              + " steps with this document; use fewer, or shorter arrays in [foreach]");
    }
  }

  /**
   * Counts text that is put into the document, before it is made where that can be known.
   *
   * @throws SearchException with 400 if it is too much
   */
  void spend(long chars) {
    growth.spend(chars);
  }

  /**
   * Refuses text that would be too much, and counts nothing.
   *
   * @throws SearchException with 400
   */
  void requireRoom(long chars) {
    growth.requireRoom(chars);
  }

  /**
   * The characters of a value that is to be copied or written out.
   *
   * @throws SearchException with 400 if they are more than may be put into the document, or the
   *     value is nested too deep
   */
  long measured(JsonNode value) {
    return chars(value, 0, 0);
  }

  /**
   * A copy of a value, measured before it is made; to be put by {@link #set}, which counts it.
   *
   * @throws SearchException with 400 if it would be too much
   */
  JsonNode copy(JsonNode value) {
    measured(value);
    return value.deepCopy();
  }

  // -- values

  /** The value at a path; empty if there is none. An explicit null is a value. */
  Optional<JsonNode> find(DocumentPath path) {
    JsonNode at = root(path);
    for (String name : within(path)) {
      at = child(at, name);
      if (at == null) {
        return Optional.empty();
      }
    }
    return Optional.of(at);
  }

  /**
   * The value at a path.
   *
   * @throws SearchException with 400 if there is none
   */
  JsonNode get(DocumentPath path) {
    return find(path)
        .orElseThrow(
            () ->
                SearchException.illegalArgument(
                    "field ["
                        + path.last()
                        + "] not present as part of path ["
                        + path.text()
                        + "]"));
  }

  /**
   * Puts a value; objects on the way are made.
   *
   * @param value not used by others from here on
   * @throws SearchException with 400 if something on the way is no object, or the value too large
   */
  void set(DocumentPath path, JsonNode value) {
    spend(measured(value));
    List<String> names = within(path);
    if (names.isEmpty()) {
      throw SearchException.illegalArgument("[" + path.text() + "] cannot be replaced as a whole");
    }
    requireWritable(path);
    JsonNode written =
        METADATA.contains(path.first()) ? Values.text(requireScalar(path, value)) : value;
    JsonNode at = root(path);
    for (String name : names.subList(0, names.size() - 1)) {
      JsonNode below = child(at, name);
      if (below == null || below.isNull()) {
        if (!(at instanceof ObjectNode object)) {
          throw noWay(path, name, at);
        }
        below = object.putObject(name);
      }
      at = below;
    }
    switch (at) {
      case ObjectNode object -> object.set(path.last(), written);
      case ArrayNode array -> array.set(place(array, path.last(), path), written);
      default -> throw noWay(path, path.last(), at);
    }
  }

  /**
   * Takes a value out.
   *
   * @throws SearchException with 400 if there is none
   */
  JsonNode remove(DocumentPath path) {
    JsonNode value = get(path);
    requireOpen(path);
    if (METADATA.contains(path.text())) {
      throw SearchException.illegalArgument(
          "cannot remove metadata field [" + path.text() + "]; [set] may change it");
    }
    JsonNode around = root(path);
    List<String> names = within(path);
    for (String name : names.subList(0, names.size() - 1)) {
      around = child(around, name);
    }
    switch (around) {
      case ObjectNode object -> object.remove(path.last());
      case ArrayNode array -> array.remove(place(array, path.last(), path));
      case null, default ->
          throw SearchException.illegalArgument("[" + path.text() + "] cannot be removed");
    }
    return value;
  }

  private JsonNode root(DocumentPath path) {
    String first = path.first();
    if (first.equals("_ingest")) {
      return run;
    }
    return METADATA.contains(first) ? metadata : source;
  }

  private static List<String> within(DocumentPath path) {
    return path.first().equals("_ingest")
        ? path.names().subList(1, path.names().size())
        : path.names();
  }

  private static void requireWritable(DocumentPath path) {
    requireOpen(path);
    if (RESERVED.contains(path.first())) {
      throw SearchException.illegalArgument(
          "[" + path.text() + "] cannot be set by a pipeline, [_index] and [_id] can");
    }
  }

  /** The text of a value for the metadata. */
  private static String requireScalar(DocumentPath path, JsonNode value) {
    String text = path.names().size() > 1 ? null : Values.scalarText(value);
    if (text == null) {
      throw SearchException.illegalArgument(
          "[" + path.first() + "] must be text, got [" + Values.shown(value) + "]");
    }
    return text;
  }

  private static void requireOpen(DocumentPath path) {
    if (path.first().equals("_ingest")
        && path.names().size() > 1
        && path.names().get(1).equals("timestamp")) {
      throw SearchException.illegalArgument(
          "[_ingest.timestamp] is the time of the request and cannot be changed");
    }
  }

  private static @Nullable JsonNode child(@Nullable JsonNode at, String name) {
    return switch (at) {
      case ObjectNode object -> object.get(name);
      case ArrayNode array -> {
        int place = digits(name);
        yield place >= 0 && place < array.size() ? array.get(place) : null;
      }
      case null, default -> null;
    };
  }

  private static int place(ArrayNode array, String name, DocumentPath path) {
    int place = digits(name);
    if (place < 0 || place >= array.size()) {
      throw SearchException.illegalArgument(
          "["
              + name
              + "] is out of bounds for an array of length ["
              + array.size()
              + "] as part of path ["
              + path.text()
              + "]");
    }
    return place;
  }

  /** The number that a name is; -1 if it is none. */
  private static int digits(String name) {
    boolean isNumber =
        !name.isEmpty() && name.length() < 9 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? Integer.parseInt(name) : -1;
  }

  private static SearchException noWay(DocumentPath path, String name, JsonNode at) {
    return SearchException.illegalArgument(
        "cannot set ["
            + name
            + "] with parent object of type ["
            + Values.typeName(at)
            + "] as part of path ["
            + path.text()
            + "]");
  }

  /** The sum so far and what a value adds; refused as soon as it is too much. */
  private long chars(JsonNode value, int depth, long before) {
    if (depth > DEPTH_MAX) {
      throw SearchException.illegalArgument(
          "the pipelines nested a value more than " + DEPTH_MAX + " deep");
    }
    long sum = before + 2;
    switch (value) {
      case ObjectNode object -> {
        for (var member : object.properties()) {
          sum = chars(member.getValue(), depth + 1, sum + 4 + member.getKey().length());
        }
      }
      case ArrayNode array -> {
        for (JsonNode element : array) {
          sum = chars(element, depth + 1, sum + 1);
        }
      }
      default -> {
        String text = Values.scalarText(value);
        sum += text == null ? 2 : text.length();
      }
    }
    growth.requireRoom(sum);
    return sum;
  }
}
