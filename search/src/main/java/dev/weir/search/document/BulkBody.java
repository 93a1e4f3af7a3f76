package dev.weir.search.document;

import dev.weir.search.document.BulkOperation.IndexCreation;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.Position;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.ExactJson;
import dev.weir.search.json.KnownNames;
import dev.weir.search.mapping.Json;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the body of a bulk request: lines of JSON that end with a line feed; an action line, and
 * for all but deletes a line with the document or the update. Documents are not looked into here:
 * they become slices of the body. One object a body, one thread.
 */
public final class BulkBody {

  private static final KnownNames PARAMETERS =
      KnownNames.of(
          "_index",
          "_id",
          "op_type",
          "if_seq_no",
          "if_primary_term",
          "version",
          "version_type",
          "retry_on_conflict",
          "require_alias",
          "routing",
          "pipeline");

  /**
   * What an operation takes in memory until it is answered, beside the bytes of its line: its
   * objects, its result, and its part of the answer.
   */
  private static final int OPERATION_BYTES = 2_048;

  private static final int OPERATIONS_MIN = 10_000;

  private final ByteBuffer body;
  private final Defaults defaults;
  private final int operationsMax;
  private int line;

  /**
   * What holds for lines that do not say it.
   *
   * @param index null if the URL names none either
   * @param creation for lines that do not say {@code require_alias}
   * @param pipeline null for what the index says
   */
  public record Defaults(
      @Nullable String index, IndexCreation creation, @Nullable String pipeline) {}

  private BulkBody(ByteBuffer body, Defaults defaults) {
    this.body = body.duplicate();
    this.defaults = defaults;
    long room = Runtime.getRuntime().maxMemory() / 4 / OPERATION_BYTES;
    this.operationsMax = Math.clamp(room, OPERATIONS_MIN, Integer.MAX_VALUE);
  }

  /**
   * Reads all operations.
   *
   * @param defaultIndex index of lines that name none; null if the URL names none either
   * @param defaultCreation for lines that do not say {@code require_alias}
   * @throws SearchException with 400, or 429 for more operations than fit, for the request as a
   *     whole
   */
  public static List<BulkOperation> parse(
      ByteBuffer body, @Nullable String defaultIndex, IndexCreation defaultCreation) {
    return parse(body, new Defaults(defaultIndex, defaultCreation, /* pipeline= */ null));
  }

  /** Reads all operations, as {@link #parse(ByteBuffer, String, IndexCreation)}. */
  public static List<BulkOperation> parse(ByteBuffer body, Defaults defaults) {
    if (!body.hasRemaining()) {
      throw new SearchException(ErrorType.PARSE, "request body is required");
    }
    if (body.get(body.limit() - 1) != '\n') {
      throw SearchException.illegalArgument(
          "The bulk request must be terminated by a newline [\\n]");
    }
    List<BulkOperation> operations = new BulkBody(body, defaults).read();
    if (operations.isEmpty()) {
      throw new SearchException(
          ErrorType.REQUEST_VALIDATION, "Validation Failed: 1: no requests added;");
    }
    return operations;
  }

  private List<BulkOperation> read() {
    List<BulkOperation> operations = new ArrayList<>();
    while (body.hasRemaining()) {
      ByteBuffer action = nextLine();
      if (action.hasRemaining()) {
        operations.add(operation(action));
      }
      if (operations.size() > operationsMax) {
        throw new SearchException(
            ErrorType.CIRCUIT_BREAKING,
            "the bulk request has more than "
                + operationsMax
                + " operations, which is what this node's heap has room for; nothing of it is"
                + " written; send it in parts");
      }
    }
    return operations;
  }

  /** The bytes up to the next line feed, without it and a carriage return before it. */
  private ByteBuffer nextLine() {
    line++;
    int start = body.position();
    int end = start;
    while (body.get(end) != '\n') {
      end++; // the last byte is a line feed
    }
    body.position(end + 1);
    int last = end > start && body.get(end - 1) == '\r' ? end - 1 : end;
    return body.slice(start, last - start);
  }

  private BulkOperation operation(ByteBuffer action) {
    try (JsonParser in = Json.parser(action)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw malformed("expected START_OBJECT but found [" + in.currentToken() + "]");
      }
      if (in.nextToken() != JsonToken.PROPERTY_NAME) {
        throw malformed("expected FIELD_NAME but found [" + in.currentToken() + "]");
      }
      String name = in.currentName();
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw malformed("expected START_OBJECT but found [" + in.currentToken() + "]");
      }
      Line read = new Line();
      while (in.nextToken() != JsonToken.END_OBJECT) {
        String key = in.currentName();
        in.nextToken();
        read.take(key, in);
      }
      if (in.nextToken() != JsonToken.END_OBJECT) {
        throw malformed("expected END_OBJECT but found [" + in.currentToken() + "]");
      }
      return operation(name, read);
    } catch (JacksonException e) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.JSON_PARSING,
                  "Malformed action/metadata line ["
                      + line
                      + "]: "
                      + ExactJson.malformed(e).reason())
              .at(new Position(line, Position.of(e).column())));
    }
  }

  private BulkOperation operation(String name, Line read) {
    String index = read.index();
    return switch (name) {
      case "index" ->
          new BulkOperation.Put(
              index,
              read.id,
              document(),
              read.conditions().condition(),
              read.creation,
              read.pipeline);
      case "create" -> {
        read.opType = "create";
        yield new BulkOperation.Put(
            index,
            read.id,
            document(),
            read.conditions().condition(),
            read.creation,
            read.pipeline);
      }
      case "update" ->
          new BulkOperation.Update(
              index,
              read.requireId(),
              document(),
              read.retriesOnConflict,
              read.conditions().condition(),
              read.creation,
              read.pipeline);
      case "delete" ->
          new BulkOperation.Delete(
              index, read.requireId(), read.conditions().condition(), read.creation);
      default ->
          throw malformed(
              "expected field [create], [delete], [index] or [update] but found [" + name + "]");
    };
  }

  private ByteBuffer document() {
    if (!body.hasRemaining()) {
      throw malformed("the line with the document is missing");
    }
    return nextLine();
  }

  private SearchException malformed(String reason) {
    return SearchException.illegalArgument(
        "Malformed action/metadata line [" + line + "], " + reason);
  }

  /** The members of an action line. */
  private final class Line {

    private @Nullable String index = defaults.index;
    private @Nullable String pipeline = defaults.pipeline;
    private @Nullable String id;
    private @Nullable String opType;
    private @Nullable Long ifSeqNo;
    private @Nullable Long ifPrimaryTerm;
    private @Nullable Long version;
    private @Nullable String versionType;
    private int retriesOnConflict;
    private IndexCreation creation = defaults.creation;

    private void take(String key, JsonParser in) {
      if (in.currentToken() == JsonToken.VALUE_NULL) {
        return;
      }
      if (!in.currentToken().isScalarValue()) {
        throw malformed("expected a simple value for field [" + key + "]");
      }
      switch (key) {
        case "_index" -> index = in.getString();
        case "_id" -> id = in.getString();
        case "op_type" -> opType = in.getString();
        case "if_seq_no" -> ifSeqNo = number(key, in);
        case "if_primary_term" -> ifPrimaryTerm = number(key, in);
        case "version" -> version = number(key, in);
        case "version_type" -> versionType = in.getString();
        case "retry_on_conflict" -> retriesOnConflict = Math.clamp(number(key, in), 0, 1000);
        case "require_alias" -> {
          if (in.getString().equals("true")) {
            creation = IndexCreation.REFUSED;
          }
        }
        case "routing" -> {} // the shard of a document follows from its id
        case "pipeline" -> pipeline = in.getString();
        default -> throw malformed("unknown parameter [" + key + "]" + PARAMETERS.hint(key));
      }
    }

    private long number(String key, JsonParser in) {
      try {
        return Long.parseLong(in.getString());
      } catch (NumberFormatException _) {
        throw malformed("[" + key + "] must be a whole number, not [" + in.getString() + "]");
      }
    }

    private String index() {
      if (index == null || index.isEmpty()) {
        throw new SearchException(
            ErrorType.REQUEST_VALIDATION, "Validation Failed: 1: index is missing;");
      }
      return index;
    }

    private String requireId() {
      if (id == null) {
        throw new SearchException(
            ErrorType.REQUEST_VALIDATION, "Validation Failed: 1: id is missing;");
      }
      return id;
    }

    private WriteConditions conditions() {
      return new WriteConditions(opType, ifSeqNo, ifPrimaryTerm, version, versionType);
    }
  }
}
