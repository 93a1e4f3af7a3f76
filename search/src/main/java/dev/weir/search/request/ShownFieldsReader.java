package dev.weir.search.request;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads {@code fields} and {@code docvalue_fields}: an array of names and of objects. */
public final class ShownFieldsReader {

  /** As many fields as an index has that says nothing of it; for more there are patterns. */
  private static final int ENTRIES_MAX = 1000;

  /** Longer than any format of a date or number; what is printed is at least as long. */
  private static final int FORMAT_CHARS_MAX = 256;

  /** The old way to say that the mapping decides. */
  private static final String FORMAT_OF_MAPPING = "use_field_mapping";

  private static final String FIELDS = "fields";
  private static final String DOC_VALUES = "docvalue_fields";

  private final JsonReader in;
  private final String clause;

  private ShownFieldsReader(JsonReader in, String clause) {
    this.in = in;
    this.clause = clause;
  }

  /** Reads the value of {@code fields} where {@code in} stands. */
  public static List<ShownField> fields(JsonReader in) {
    return new ShownFieldsReader(in, FIELDS).read();
  }

  /** Reads the value of {@code docvalue_fields} where {@code in} stands. */
  public static List<ShownField> docValueFields(JsonReader in) {
    return new ShownFieldsReader(in, DOC_VALUES).read();
  }

  private List<ShownField> read() {
    if (in.at(JsonToken.VALUE_NULL)) {
      return List.of();
    }
    if (!in.at(JsonToken.START_ARRAY)) {
      throw in.parsing(
          "[" + clause + "] must be an array of names and objects, found [" + in.tokenName() + "]");
    }
    List<ShownField> all = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      if (all.size() == ENTRIES_MAX) {
        throw in.illegalArgument(
            "["
                + clause
                + "] has more than "
                + ENTRIES_MAX
                + " entries; name several fields by one pattern with [*]");
      }
      all.add(entry());
    }
    return all;
  }

  private ShownField entry() {
    if (in.at(JsonToken.VALUE_STRING)) {
      return ShownField.of(named(in.text(clause)));
    }
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing(
          "an entry of ["
              + clause
              + "] must be a name or an object with [field], found ["
              + in.tokenName()
              + "]");
    }
    String field = null;
    String format = null;
    ShownField.Unmapped unmapped = ShownField.Unmapped.LEFT_OUT;
    while (in.nextKey()) {
      switch (in.key()) {
        case "field" -> field = named(in.text(clause));
        case "format" -> format = format();
        case "include_unmapped" -> unmapped = unmapped();
        default -> throw in.unknownField(clause, known());
      }
    }
    if (field == null) {
      throw in.parsing("an entry of [" + clause + "] is an object without [field]");
    }
    return new ShownField(field, format, unmapped);
  }

  private KnownNames known() {
    KnownNames known = KnownNames.of("field", "format");
    return clause.equals(FIELDS) ? known.and("include_unmapped") : known;
  }

  private String named(String field) {
    if (field.isEmpty()) {
      throw in.illegalArgument("[" + clause + "] has an empty name; name a field or a pattern");
    }
    return field;
  }

  private @Nullable String format() {
    String format = in.textOrNull(clause);
    if (format == null || format.equals(FORMAT_OF_MAPPING)) {
      return null;
    }
    if (format.length() > FORMAT_CHARS_MAX) {
      throw in.illegalArgument(
          "a [format] in ["
              + clause
              + "] has "
              + format.length()
              + " characters; at most "
              + FORMAT_CHARS_MAX
              + " are allowed");
    }
    return format;
  }

  private ShownField.Unmapped unmapped() {
    if (!clause.equals(FIELDS)) {
      throw in.unknownField(clause, known());
    }
    return in.flag(clause) ? ShownField.Unmapped.SHOWN : ShownField.Unmapped.LEFT_OUT;
  }
}
