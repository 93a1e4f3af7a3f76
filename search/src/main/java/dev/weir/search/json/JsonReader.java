package dev.weir.search.json;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.Position;
import dev.weir.search.error.SearchException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * A cursor over the tokens of a request body. Values are read as their reader wants them, with the
 * coercions of the API (a number may come as a string), and refused with their place in the body.
 * Used by one thread, for one body.
 */
public final class JsonReader {

  private static final JsonFactory WRITERS = new JsonFactory();
  private static final int SHOWN_VALUE_CHARS_MAX = 100;

  private final JsonParser in;
  private String key = "";
  private Position keyPosition = new Position(1, 1);

  /** A cursor that begins where the parser stands; the parser stays the caller's to close. */
  public JsonReader(JsonParser in) {
    this.in = in;
  }

  /**
   * Runs one whole read and turns malformed JSON into a refusal.
   *
   * @throws SearchException of type {@code json_parse_exception}
   */
  public static <T> T read(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (JacksonException malformed) {
      throw new SearchException(ExactJson.malformed(malformed));
    }
  }

  /** Moves to the next token; null at the end of the body. */
  public @Nullable JsonToken next() {
    return in.nextToken();
  }

  /** The token where the cursor stands; null before the first and after the last one. */
  public @Nullable JsonToken token() {
    return in.currentToken();
  }

  /** Whether the cursor stands on this token. */
  public boolean at(JsonToken token) {
    return in.currentToken() == token;
  }

  /**
   * Within an object: moves to the next key and on to its value.
   *
   * @return false at the end of the object
   */
  public boolean nextKey() {
    if (in.nextToken() != JsonToken.PROPERTY_NAME) {
      return false;
    }
    key = in.currentName();
    keyPosition = position();
    in.nextToken();
    return true;
  }

  /** The key that {@link #nextKey()} found last. A nested read replaces it. */
  public String key() {
    return key;
  }

  /** Skips the rest of the value where the cursor stands. */
  public void skip() {
    in.skipChildren();
  }

  /** Reads the current value by its tokens; the reading leaves on the value's last one. */
  public <T> T value(Function<JsonParser, T> reading) {
    return reading.apply(in);
  }

  /** The current value, whatever it is, as JSON text of its own; leaves on its last token. */
  public String copy() {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = WRITERS.createGenerator(ObjectWriteContext.empty(), text)) {
      ExactJson.copy(in, out);
    }
    return text.toString();
  }

  /**
   * Whether the current value asks for anything: null, false, and an empty object or array do not,
   * and only then the cursor is on the value's last token afterwards.
   */
  public boolean asksForSomething() {
    if (at(JsonToken.START_OBJECT) || at(JsonToken.START_ARRAY)) {
      JsonToken first = in.nextToken();
      return first != JsonToken.END_OBJECT && first != JsonToken.END_ARRAY;
    }
    return !at(JsonToken.VALUE_NULL) && !at(JsonToken.VALUE_FALSE);
  }

  /** Where the current token begins. */
  public Position position() {
    return position(in.currentTokenLocation());
  }

  /** How much of the body was read so far: bytes, or characters where it is a string. */
  public long readBytes() {
    TokenStreamLocation here = in.currentLocation();
    return here.getByteOffset() >= 0 ? here.getByteOffset() : here.getCharOffset();
  }

  private static Position position(TokenStreamLocation place) {
    return new Position(place.getLineNr(), place.getColumnNr());
  }

  /** Whether the cursor stands on a number. */
  public boolean atNumber() {
    JsonToken token = in.currentToken();
    return token != null && token.isNumeric();
  }

  /** Whether the cursor stands on a string, number, true or false. */
  public boolean atScalar() {
    JsonToken token = in.currentToken();
    return token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL;
  }

  /** The current scalar as text. */
  public String text(String owner) {
    String name = key;
    if (!atScalar()) {
      throw unsupportedValue(owner, name);
    }
    return in.getString();
  }

  /** The current scalar as text, or null for JSON's null. */
  public @Nullable String textOrNull(String owner) {
    return at(JsonToken.VALUE_NULL) ? null : text(owner);
  }

  /** The current value as a float; a string may hold the number. */
  public float decimal(String owner) {
    float value = decimalOrInfinite(owner);
    if (!Float.isFinite(value)) {
      throw illegalArgument(
          "[" + owner + "] [" + key + "] must fit a 32-bit number, got [" + shown() + "]");
    }
    return value;
  }

  /** The same for who has words of their own for a number that is too large: it is infinite. */
  public float decimalOrInfinite(String owner) {
    return atNumber() ? in.getFloatValue() : decimalValue(owner).floatValue();
  }

  /** The current value as a double; a string may hold the number. */
  public double number(String owner) {
    return atNumber() ? in.getDoubleValue() : decimalValue(owner).doubleValue();
  }

  /** The current value as a whole number; fractions are cut off, a string may hold the number. */
  public int integer(String owner) {
    BigDecimal value = decimalValue(owner);
    BigDecimal least = BigDecimal.valueOf(Integer.MIN_VALUE);
    if (value.compareTo(least) < 0 || value.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      throw illegalArgument(
          "[" + owner + "] [" + key + "] must be a 32-bit number, got [" + shown() + "]");
    }
    return value.intValue();
  }

  private BigDecimal decimalValue(String owner) {
    if (!atNumber() && !at(JsonToken.VALUE_STRING)) {
      throw unsupportedValue(owner, key);
    }
    try {
      return new BigDecimal(in.getString().strip());
    } catch (NumberFormatException notNumber) {
      String reason = "[" + owner + "] [" + key + "] must be a number, got [" + shown() + "]";
      throw at(ErrorCause.of(ErrorType.NUMBER_FORMAT, reason));
    }
  }

  /**
   * The current value as a boolean; the strings {@code "true"} and {@code "false"} are accepted.
   */
  public boolean flag(String owner) {
    JsonToken token = in.currentToken();
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return token == JsonToken.VALUE_TRUE;
    }
    String text = text(owner);
    if (!text.equals("true") && !text.equals("false")) {
      throw illegalArgument(
          "Failed to parse value ["
              + shown()
              + "] of ["
              + key
              + "] as only [true] or [false] are allowed.");
    }
    return text.equals("true");
  }

  /** An array of scalars as texts; a single scalar counts as an array of one. */
  public List<String> texts(String owner) {
    if (!at(JsonToken.START_ARRAY)) {
      return List.of(text(owner));
    }
    List<String> texts = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      texts.add(text(owner));
    }
    return texts;
  }

  /** Refusal of a body that is not what the query language says, at the current token. */
  public SearchException parsing(String reason) {
    return at(ErrorCause.of(ErrorType.PARSING, reason));
  }

  /** Refusal of a value that was understood, at the current token. */
  public SearchException illegalArgument(String reason) {
    return at(ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, reason));
  }

  /** Refusal in the form of the object parsers, whose reason begins with the place. */
  public SearchException objectParsing(String owner, String reason) {
    return new SearchException(objectParsing(position(), owner, reason));
  }

  /** Refusal of the current key in the form of the object parsers. */
  public SearchException unknownField(String owner, KnownNames known) {
    String reason = "unknown field [" + key + "]" + known.hint(key);
    return new SearchException(objectParsing(keyPosition, owner, reason));
  }

  /** An error in the form of the object parsers at a place noted before. */
  public static ErrorCause objectParsing(Position place, String owner, String reason) {
    String where = "[" + place.line() + ":" + place.column() + "] [" + owner + "] ";
    return ErrorCause.of(ErrorType.OBJECT_PARSING, where + reason);
  }

  /** Refusal of the current key, which the object does not have. */
  public SearchException unsupportedKey(String owner, KnownNames known) {
    return parsing("[" + owner + "] query does not support [" + key + "]" + known.hint(key));
  }

  /** Refusal of a value whose JSON type does not fit its key. */
  public SearchException unsupportedValue(String owner, String name) {
    return parsing("[" + owner + "] unknown token [" + tokenName() + "] after [" + name + "]");
  }

  /** The name of the current token in the words of the API. */
  public String tokenName() {
    JsonToken token = in.currentToken();
    if (token == null) {
      return "END_OF_INPUT";
    }
    return switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "VALUE_NUMBER";
      case VALUE_TRUE, VALUE_FALSE -> "VALUE_BOOLEAN";
      case PROPERTY_NAME -> "FIELD_NAME";
      default -> token.name();
    };
  }

  private SearchException at(ErrorCause error) {
    return new SearchException(error.at(position()));
  }

  /** The current value, cut short: it comes from outside and goes into a message. */
  private String shown() {
    String text = in.getString();
    return text.length() <= SHOWN_VALUE_CHARS_MAX
        ? text
        : text.substring(0, SHOWN_VALUE_CHARS_MAX) + "…";
  }
}
