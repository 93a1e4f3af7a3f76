package dev.weir.search.json;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.Position;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * JSON that goes through us and belongs to somebody else: numbers keep the digits that they were
 * written with, however many.
 */
public final class ExactJson {

  private static final String JACKSONS_DUPLICATE = "Duplicate Object property \"";

  private static final String JACKSONS_TRAILING = "Trailing token (";

  private static final String END = "Unexpected end-of-input";

  private ExactJson() {}

  /** Copies the value where the parser stands; leaves it on the value's last token. */
  public static void copy(JsonParser in, JsonGenerator out) {
    int depth = 0;
    while (true) {
      JsonToken token = in.currentToken();
      copyToken(in, out);
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      }
      if (depth == 0) {
        return;
      }
      in.nextToken();
    }
  }

  /** Copies the one token where the parser stands. */
  public static void copyToken(JsonParser in, JsonGenerator out) {
    if (in.currentToken().isNumeric()) {
      out.writeNumber(in.getString());
    } else {
      out.copyCurrentEvent(in);
    }
  }

  /** The error of a text that is no JSON, or has a key twice in one object, with its place. */
  public static ErrorCause malformed(JacksonException failure) {
    return ErrorCause.of(ErrorType.JSON_PARSING, reason(failure)).at(Position.of(failure));
  }

  /** In our words where the parser's would name classes of its own, or places that it hides. */
  private static String reason(JacksonException failure) {
    String reason = String.valueOf(failure.getOriginalMessage());
    if (reason.startsWith(JACKSONS_DUPLICATE)) {
      int end = reason.lastIndexOf('"');
      return "Duplicate field '" + reason.substring(JACKSONS_DUPLICATE.length(), end) + "'";
    }
    if (reason.startsWith(JACKSONS_TRAILING)) {
      return "more follows after the end of the JSON value";
    }
    if (!reason.startsWith(END)) {
      return reason;
    }
    String unfinished =
        reason.contains("close marker for Object")
            ? "an object is not closed"
            : reason.contains("close marker for Array")
                ? "an array is not closed"
                : "a name or value is not finished";
    return END + ": " + unfinished + " where the text ends";
  }
}
