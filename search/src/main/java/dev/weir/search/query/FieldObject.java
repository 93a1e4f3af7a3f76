package dev.weir.search.query;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import java.util.function.Function;
import tools.jackson.core.JsonToken;

/** The frame of the queries that name one field: {@code {"FIELD": value}}. */
final class FieldObject {

  private FieldObject() {}

  /**
   * Reads the one field and hands its name to the reader of its value, which stands on the value.
   *
   * @param owner name of the query
   */
  static Query read(JsonReader in, String owner, Function<String, Query> value) {
    if (!in.nextKey()) {
      throw in.parsing("[" + owner + "] query requires a field name");
    }
    String field = in.key();
    Query query = value.apply(field);
    if (in.nextKey()) {
      throw secondField(in, owner, field);
    }
    return query;
  }

  /** The refusal of the current key, where the one field was named before. */
  static SearchException secondField(JsonReader in, String owner, String field) {
    return in.parsing(
        "["
            + owner
            + "] query doesn't support multiple fields, found ["
            + field
            + "] and ["
            + in.key()
            + "]");
  }

  /** The current value as a literal. */
  static Literal literal(JsonReader in, String owner, String name) {
    if (in.at(JsonToken.VALUE_NULL)) {
      throw in.illegalArgument("[" + owner + "] value of [" + name + "] cannot be null");
    }
    if (!in.atScalar()) {
      throw in.parsing(
          in.at(JsonToken.START_ARRAY)
              ? "[" + owner + "] query does not support array of values"
              : "[" + owner + "] unknown token [" + in.tokenName() + "] after [" + name + "]");
    }
    return scalar(in, owner);
  }

  private static Literal scalar(JsonReader in, String owner) {
    Literal.Kind kind =
        switch (in.tokenName()) {
          case "VALUE_NUMBER" -> Literal.Kind.NUMBER;
          case "VALUE_BOOLEAN" -> Literal.Kind.FLAG;
          default -> Literal.Kind.TEXT;
        };
    return new Literal(kind, in.text(owner));
  }
}
