package dev.weir.search.mapping;

import java.util.Set;

/** What tells whether a document has a value for a field. */
public enum FieldExistence {
  /** Norms, doc values or vectors: Lucene's {@code FieldExistsQuery} over the field's path. */
  BY_FIELD,
  /** The term of the field's path in {@link MetadataField#FIELD_NAMES}. */
  BY_NAME_TERM;

  /** How to ask for a field of this type. */
  public static FieldExistence of(FieldType.Leaf type) {
    return switch (type) {
      case FieldType.Text text ->
          text.traits().containsAll(Set.of(Trait.INDEXED, Trait.NORMS)) ? BY_FIELD : BY_NAME_TERM;
      case FieldType.KnnVector _ -> BY_FIELD;
      case FieldType.Keyword _,
          FieldType.Numeric _,
          FieldType.Bool _,
          FieldType.DateTime _,
          FieldType.Geo _ ->
          type.hasDocValues() ? BY_FIELD : BY_NAME_TERM;
    };
  }
}
