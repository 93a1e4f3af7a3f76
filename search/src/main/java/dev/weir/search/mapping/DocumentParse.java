package dev.weir.search.mapping;

import java.util.List;
import org.apache.lucene.index.IndexableField;

/** What reading a document came to. A refused document is a {@code SearchException} instead. */
public sealed interface DocumentParse {

  /** The document's own Lucene fields; those of {@link MetadataField} are not among them. */
  record Fields(List<IndexableField> fields) implements DocumentParse {
    /** Takes an unmodifiable copy. */
    public Fields {
      fields = List.copyOf(fields);
    }
  }

  /**
   * The document has fields that the mapping does not know and shall learn. Merge the addition into
   * the mapping, and read the document again.
   */
  record UnknownFields(Mapping addition) implements DocumentParse {}
}
