package dev.weir.search.mapping;

import java.util.List;
import org.apache.lucene.index.IndexableField;

/** What reading a document came to. A refused document is a {@code SearchException} instead. */
public sealed interface DocumentParse {

  /**
   * The document's own Lucene fields; those of {@link MetadataField} are not among them, but for
   * the paths of nested documents.
   *
   * @param nested the fields of its nested documents, in the order of a block: each before the one
   *     around it
   * @param semantics texts whose vectors are still to be made
   */
  record Fields(
      List<IndexableField> fields, List<List<IndexableField>> nested, List<SemanticText> semantics)
      implements DocumentParse {
    /** Takes unmodifiable copies. */
    public Fields {
      fields = List.copyOf(fields);
      nested = nested.stream().map(List::copyOf).toList();
      semantics = List.copyOf(semantics);
    }
  }

  /**
   * The document has fields that the mapping does not know and shall learn. Merge the addition into
   * the mapping, and read the document again.
   */
  record UnknownFields(Mapping addition) implements DocumentParse {}
}
