package dev.weir.search.mapping;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.geo.GeoPoints;
import dev.weir.search.geo.RawPoint;
import dev.weir.search.geo.ReadPoint;
import dev.weir.search.json.ExactJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** One pass over one document. One thread, used once. */
final class DocumentReader {

  /** Longest piece of a refused value that an error shows, in characters. */
  private static final int PREVIEW_CHARS_MAX = 60;

  /** So many bytes are more characters than are shown. */
  private static final int PREVIEW_BYTES_MAX = 4 * (PREVIEW_CHARS_MAX + 1);

  /** Deepest nesting of objects; a bound on the recursion below, and OpenSearch's default. */
  static final int DEPTH_MAX = 20;

  private final Mapping mapping;
  private final String id;
  private final ByteBuffer source;
  private final DocumentBlock block;
  private final DynamicTyping unknown;
  private int depth;

  DocumentReader(Mapping mapping, String id, ByteBuffer source, DocumentBlock block) {
    this.mapping = mapping;
    this.id = id;
    this.source = source;
    this.block = block;
    this.unknown = new DynamicTyping(mapping);
  }

  DocumentParse read() {
    try (JsonParser in = Json.parser(source)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw notAnObject(in);
      }
      object(mapping.nodes(), in);
      if (in.nextToken() != null) {
        throw failed(
            ErrorCause.of(
                ErrorType.ILLEGAL_ARGUMENT,
                "Malformed content, found extra data after parsing: " + in.currentToken()));
      }
    } catch (JacksonException e) {
      throw failed(ExactJson.malformed(e));
    }
    return unknown.isEmpty() ? block.finish() : new DocumentParse.UnknownFields(unknown.addition());
  }

  /** Reads members up to the end of the object that the parser stands in. */
  private void object(MappedNode object, JsonParser in) {
    if (++depth > DEPTH_MAX) {
      throw failed(
          ErrorCause.of(
              ErrorType.ILLEGAL_ARGUMENT,
              "objects are nested more than " + DEPTH_MAX + " deep at [" + object.path() + "]"));
    }
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      member(object, name, in);
    }
    depth--;
  }

  private void member(MappedNode object, String name, JsonParser in) {
    if (object.path().isEmpty()) {
      requireOwnName(name);
    }
    MappedNode child = object.child(name);
    if (child != null) {
      value(child, in);
      return;
    }
    String[] names = names(name);
    MappedNode at = object;
    for (int i = 0; i < names.length; i++) {
      if (i > 0 && at.type() instanceof FieldType.Nested) {
        throw failed(
            ErrorCause.of(
                ErrorType.MAPPER_PARSING,
                "Cannot add a value for field ["
                    + object.at(name)
                    + "] since one of the intermediate objects is mapped as a nested object: ["
                    + at.path()
                    + "]"));
      }
      MappedNode below = at.child(names[i]);
      if (below == null) {
        unknown(at, String.join(".", List.of(names).subList(i, names.length)), in);
        return;
      }
      at = below;
    }
    value(at, in);
  }

  private static void requireOwnName(String name) {
    int dot = name.indexOf('.');
    if (MetadataField.isReserved(dot < 0 ? name : name.substring(0, dot))) {
      throw failed(
          ErrorCause.of(
              ErrorType.MAPPER_PARSING,
              "Field ["
                  + name
                  + "] is a metadata field and cannot be added inside a document. Use the index API"
                  + " request parameters."));
    }
  }

  private String[] names(String name) {
    try {
      return FieldPath.split(name);
    } catch (SearchException e) {
      throw failed(e.error());
    }
  }

  private void unknown(MappedNode parent, String name, JsonParser in) {
    int dot = name.indexOf('.');
    if (parent.isTaken(dot < 0 ? name : name.substring(0, dot))) {
      throw failed(
          ErrorCause.of(
              ErrorType.MAPPER_PARSING,
              "Field ["
                  + parent.at(name)
                  + "] belongs to a semantic field, whose vectors are made here: leave it out"));
    }
    FieldType.ObjectType object = parent.object();
    if (object != null) {
      if (!object.isEnabled()) {
        in.skipChildren();
        return;
      }
    } else {
      throw failed(
          ErrorCause.of(
              ErrorType.MAPPER_PARSING,
              "Could not dynamically add mapping for field ["
                  + parent.at(name)
                  + "]. Existing mapping for ["
                  + parent.path()
                  + "] must be of type object but found ["
                  + parent.type().typeName()
                  + "]."));
    }
    switch (parent.dynamic()) {
      case TRUE -> unknown.look(parent.at(name), in);
      case FALSE -> in.skipChildren();
      case STRICT ->
          throw new SearchException(
              ErrorType.STRICT_DYNAMIC_MAPPING,
              "mapping set to strict, dynamic introduction of ["
                  + name
                  + "] within ["
                  + (parent.path().isEmpty() ? "_doc" : parent.path())
                  + "] is not allowed");
    }
  }

  /** Reads the value at the parser's token into a known field. */
  private void value(MappedNode node, JsonParser in) {
    switch (node.type()) {
      case FieldType.ObjectType object -> objectValue(node, object, in);
      case FieldType.Nested nested -> objectValue(node, nested.object(), in);
      case FieldType.Semantic semantic -> semantic(node, semantic, in);
      case FieldType.KnnVector vector -> vector(node, vector, in);
      case FieldType.Geo geo -> points(node, geo, in);
      case FieldType.Leaf leaf -> {
        JsonToken token = in.currentToken();
        if (token == JsonToken.START_ARRAY) {
          while (in.nextToken() != JsonToken.END_ARRAY) {
            value(node, in);
          }
        } else if (token == JsonToken.START_OBJECT) {
          throw refused(
              node,
              valueAt(in.currentTokenLocation().getByteOffset()),
              ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, "expected a value but found an object"));
        } else {
          leaf(node, leaf, in);
        }
      }
    }
  }

  private void objectValue(MappedNode node, FieldType.ObjectType object, JsonParser in) {
    if (!object.isEnabled()) {
      in.skipChildren();
      return;
    }
    switch (in.currentToken()) {
      case START_OBJECT -> {
        switch (node.type()) {
          case FieldType.Nested nested -> nestedObject(node, nested, in);
          case FieldType.ObjectType _, FieldType.Semantic _, FieldType.Leaf _ -> object(node, in);
        }
      }
      case START_ARRAY -> {
        while (in.nextToken() != JsonToken.END_ARRAY) {
          objectValue(node, object, in);
        }
      }
      case VALUE_NULL -> {}
      case NOT_AVAILABLE,
          END_OBJECT,
          END_ARRAY,
          PROPERTY_NAME,
          VALUE_EMBEDDED_OBJECT,
          VALUE_STRING,
          VALUE_NUMBER_INT,
          VALUE_NUMBER_FLOAT,
          VALUE_TRUE,
          VALUE_FALSE ->
          throw failed(
              ErrorCause.of(
                  ErrorType.MAPPER_PARSING,
                  "object mapping for ["
                      + node.path()
                      + "] tried to parse field ["
                      + node.path()
                      + "] as object, but found a concrete value"));
    }
  }

  private void nestedObject(MappedNode node, FieldType.Nested type, JsonParser in) {
    try {
      block.nested(node.path(), type.copies(), () -> object(node, in));
    } catch (IllegalArgumentException e) {
      throw failed(cause(e));
    }
  }

  private void leaf(MappedNode node, FieldType.Leaf leaf, JsonParser in) {
    try {
      scalar(node.path(), leaf, in);
    } catch (IllegalArgumentException e) {
      if (!leaf.traits().contains(Trait.IGNORES_MALFORMED)) {
        throw refused(node, in.getString(), cause(e));
      }
    }
    for (MappedNode multi : node.multiFields()) {
      if (multi.type() instanceof FieldType.Leaf below) {
        leaf(multi, below, in);
      }
    }
  }

  private void scalar(String path, FieldType.Leaf leaf, JsonParser in) {
    boolean isNull = in.currentToken() == JsonToken.VALUE_NULL;
    switch (leaf) {
      case FieldType.Text text -> {
        if (!isNull) {
          block.current().text(path, text, in.getString());
        }
      }
      case FieldType.Keyword keyword -> {
        String value = isNull ? keyword.nullValue() : in.getString();
        if (value != null) {
          block.current().keyword(path, keyword, value);
        }
      }
      case FieldType.Numeric numeric -> {
        Number value = isNull ? numeric.nullValue() : number(numeric, in);
        if (value != null) {
          block.current().number(path, numeric, value);
        }
      }
      case FieldType.Bool bool -> {
        Boolean value = isNull ? bool.nullValue() : (Boolean) bool(in);
        if (value != null) {
          block.current().bool(path, bool, value);
        }
      }
      case FieldType.DateTime date -> {
        String value = isNull ? date.nullValue() : in.getString();
        if (value != null) {
          boolean isNumber = in.currentToken().isNumeric();
          DateFormat format = date.format();
          block
              .current()
              .date(path, date, isNumber ? format.parseNumber(value) : format.parse(value));
        }
      }
      case FieldType.Geo geo -> GeoPoints.each(in, geo.elevation(), read -> point(path, geo, read));
      case FieldType.KnnVector _ ->
          throw new IllegalArgumentException("a vector cannot be a multi-field");
    }
  }

  /** The number at the token; null for an empty text. */
  static @Nullable Number number(FieldType.Numeric type, JsonParser in) {
    boolean coerces = type.traits().contains(Trait.COERCES);
    Numbers.Fractions fractions = coerces ? Numbers.Fractions.CUT : Numbers.Fractions.REFUSE;
    NumericKind kind = type.kind();
    return switch (in.currentToken()) {
      case VALUE_NUMBER_INT ->
          in.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? Numbers.parse(kind, in.getString(), fractions)
              : Numbers.of(kind, in.getLongValue());
      case VALUE_NUMBER_FLOAT ->
          switch (kind) {
            case FLOAT, HALF_FLOAT -> Numbers.of(kind, in.getFloatValue(), fractions);
            case DOUBLE -> Numbers.of(kind, in.getDoubleValue(), fractions);
            case BYTE, SHORT, INTEGER, LONG -> Numbers.parse(kind, in.getString(), fractions);
          };
      case VALUE_STRING -> {
        String text = in.getString();
        if (!coerces) {
          throw new IllegalArgumentException(
              type.typeName().substring(0, 1).toUpperCase(Locale.ROOT)
                  + type.typeName().substring(1)
                  + " value passed as String");
        }
        yield text.isEmpty() ? type.nullValue() : Numbers.parse(kind, text, fractions);
      }
      default ->
          throw new IllegalArgumentException(
              "expected a number but found [" + in.getString() + "]");
    };
  }

  /** The boolean at the token. */
  static boolean bool(JsonParser in) {
    return switch (in.getString()) {
      case "true" -> true;
      case "false", "" -> false;
      default ->
          throw new IllegalArgumentException(
              "Failed to parse value ["
                  + in.getString()
                  + "] as only [true] or [false] are allowed.");
    };
  }

  private void points(MappedNode node, FieldType.Geo type, JsonParser in) {
    GeoPoints.each(
        in,
        type.elevation(),
        read -> {
          try {
            point(node.path(), type, read);
          } catch (IllegalArgumentException e) {
            if (!type.traits().contains(Trait.IGNORES_MALFORMED)) {
              throw refused(node, shown(read), cause(e));
            }
          }
        });
  }

  private void point(String path, FieldType.Geo type, ReadPoint read) {
    switch (read) {
      case ReadPoint.Point(RawPoint point) -> block.current().point(path, type, point.strict());
      case ReadPoint.Null() -> {
        GeoPoint value = type.nullValue();
        if (value != null) {
          block.current().point(path, type, value);
        }
      }
      case ReadPoint.Malformed(_, String reason) -> throw new IllegalArgumentException(reason);
    }
  }

  private static String shown(ReadPoint read) {
    return switch (read) {
      case ReadPoint.Point(RawPoint point) -> point.latitude() + "," + point.longitude();
      case ReadPoint.Null() -> "null";
      case ReadPoint.Malformed(String value, _) -> value;
    };
  }

  private void semantic(MappedNode node, FieldType.Semantic type, JsonParser in) {
    switch (in.currentToken()) {
      case VALUE_NULL -> {}
      case START_ARRAY -> {
        while (in.nextToken() != JsonToken.END_ARRAY) {
          semantic(node, type, in);
        }
      }
      case VALUE_STRING -> {
        String text = in.getString();
        try {
          block.semantic(node.path(), type, text);
        } catch (IllegalArgumentException e) {
          throw refused(node, text, cause(e));
        }
        block.current().text(node.path(), FieldType.Text.DEFAULT, text);
      }
      case VALUE_NUMBER_INT,
          VALUE_NUMBER_FLOAT,
          VALUE_TRUE,
          VALUE_FALSE,
          START_OBJECT,
          NOT_AVAILABLE,
          END_OBJECT,
          END_ARRAY,
          PROPERTY_NAME,
          VALUE_EMBEDDED_OBJECT ->
          throw refused(
              node,
              in.currentToken().isScalarValue()
                  ? in.getString()
                  : valueAt(in.currentTokenLocation().getByteOffset()),
              ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, "a semantic field takes text"));
    }
  }

  private void vector(MappedNode node, FieldType.KnnVector type, JsonParser in) {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    boolean isWhole = in.currentToken().isScalarValue();
    long start = isWhole ? 0 : in.currentTokenLocation().getByteOffset();
    try {
      switch (type.data()) {
        case FLOAT ->
            block.current().vector(node.path(), type, VectorReader.floats(type, node.path(), in));
        case BYTE, BINARY ->
            block.current().vector(node.path(), type, VectorReader.bytes(type, node.path(), in));
      }
    } catch (IllegalArgumentException e) {
      throw refused(node, isWhole ? in.getString() : valueAt(start), cause(e));
    }
  }

  /**
   * The array or object that begins at this byte of the document, as it was written, for a message.
   * Where the document goes on in no JSON it is all that follows.
   */
  private String valueAt(long start) {
    ByteBuffer rest = source.duplicate();
    rest.position(source.position() + Math.toIntExact(start));
    int length = rest.remaining();
    try (JsonParser value = Json.parser(rest)) {
      value.nextToken();
      value.skipChildren();
      length = Math.toIntExact(value.currentLocation().getByteOffset());
    } catch (JacksonException _) {
      // the message is about the value; that of the document comes when the value is mended
    }
    byte[] shown = new byte[Math.min(length, PREVIEW_BYTES_MAX)];
    rest.get(rest.position(), shown);
    return new String(shown, StandardCharsets.UTF_8);
  }

  private static ErrorCause cause(IllegalArgumentException e) {
    ErrorType type =
        e instanceof NumberFormatException ? ErrorType.NUMBER_FORMAT : ErrorType.ILLEGAL_ARGUMENT;
    return ErrorCause.of(type, String.valueOf(e.getMessage()));
  }

  private SearchException refused(MappedNode node, String value, ErrorCause cause) {
    String preview =
        value.length() <= PREVIEW_CHARS_MAX ? value : value.substring(0, PREVIEW_CHARS_MAX) + "...";
    return new SearchException(
        ErrorCause.of(
                ErrorType.MAPPER_PARSING,
                "failed to parse field ["
                    + node.path()
                    + "] of type ["
                    + node.type().typeName()
                    + "] in document with id '"
                    + id
                    + "'. Preview of field's value: '"
                    + preview
                    + "'")
            .because(cause));
  }

  private SearchException notAnObject(JsonParser in) {
    return failed(
        ErrorCause.of(
            ErrorType.ILLEGAL_ARGUMENT,
            "a document must be a JSON object but starts with " + in.currentToken()));
  }

  private static SearchException failed(ErrorCause cause) {
    return new SearchException(
        ErrorCause.of(ErrorType.MAPPER_PARSING, "failed to parse").because(cause));
  }
}
