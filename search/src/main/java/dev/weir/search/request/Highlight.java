package dev.weir.search.request;

import dev.weir.search.query.Query;
import java.util.List;
import java.util.function.UnaryOperator;
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

  /** The same with other queries in the place of those that look for meanings of their own. */
  public Highlight withQueriesOfMeaning(UnaryOperator<Query> rewriting) {
    return new Highlight(
        fields.stream()
            .map(field -> new Field(field.pattern, field.options.withQueryOfMeaning(rewriting)))
            .toList());
  }

  /**
   * A field.
   *
   * @param pattern its name, or one with {@code *}
   */
  public record Field(String pattern, Options options) {
    /** Whether it is the name of one field, which was asked for then, or not. */
    public boolean isName() {
      return pattern.indexOf('*') < 0;
    }
  }

  /** Which algorithm. */
  public enum Type {
    /** Passages that end with sentences, scored as documents are. */
    UNIFIED,
    /** Fragments of equal size around matches. */
    PLAIN,
    /** The chunks of a semantic field whose vectors are nearest to those of the query. */
    SEMANTIC
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

    Options withQueryOfMeaning(UnaryOperator<Query> rewriting) {
      return query == null || type != Type.SEMANTIC
          ? this
          : new Options(
              type,
              preTag,
              postTag,
              fragmentSize,
              fragments,
              noMatchSize,
              order,
              matching,
              encoder,
              rewriting.apply(query));
    }
  }
}
