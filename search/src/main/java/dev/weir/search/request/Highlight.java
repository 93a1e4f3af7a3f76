package dev.weir.search.request;

import dev.weir.search.query.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which matches hits show in their text.
 *
 * @param fields in the order of the request
 */
public record Highlight(List<Field> fields) {
  /** Copies the fields. */
  public Highlight {
    fields = List.copyOf(fields);
  }

  /**
   * A field.
   *
   * @param pattern its name, or one with {@code *}
   */
  public record Field(String pattern, Options options) {}

  /** Which algorithm. */
  public enum Type {
    /** Passages that end with sentences, scored as documents are. */
    UNIFIED,
    /** Fragments of equal size around matches. */
    PLAIN
  }

  /** Whether the text between the tags is made safe for HTML. */
  public enum Encoder {
    DEFAULT,
    HTML
  }

  /** Order of the fragments of a field. */
  public enum Order {
    OF_TEXT,
    BEST_FIRST
  }

  /** Which terms count in a field. */
  public enum Matching {
    /** Those that the query looks for in the field. */
    SAME_FIELD,
    /** Those of any field. */
    ANY_FIELD
  }

  /**
   * How one field is shown.
   *
   * @param fragmentSize characters of a fragment
   * @param fragments how many fragments at most; 0 for the whole text
   * @param noMatchSize characters of the beginning that are shown where nothing matches
   * @param query what is highlighted; null: what the search looks for
   */
  public record Options(
      Type type,
      String preTag,
      String postTag,
      int fragmentSize,
      int fragments,
      int noMatchSize,
      Order order,
      Matching matching,
      Encoder encoder,
      @Nullable Query query) {
    /** Where nothing is said. */
    public static final Options DEFAULT =
        new Options(
            Type.UNIFIED,
            "<em>",
            "</em>",
            100,
            5,
            0,
            Order.OF_TEXT,
            Matching.SAME_FIELD,
            Encoder.DEFAULT,
            null);
  }
}
