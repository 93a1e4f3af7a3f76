package dev.weir.search.aggregation;

import dev.weir.search.query.Literal;
import org.jspecify.annotations.Nullable;

/**
 * The values of a field.
 *
 * @param missing what a document without a value counts for; null: for nothing
 * @param format how dates appear in the answer; null: as the field has it
 */
public record FieldValues(String field, @Nullable Literal missing, @Nullable String format) {
  /** The values as they are. */
  public static FieldValues of(String field) {
    return new FieldValues(field, null, null);
  }
}
