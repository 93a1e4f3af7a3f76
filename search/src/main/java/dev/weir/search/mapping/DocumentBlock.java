package dev.weir.search.mapping;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexableField;

/**
 * A document with its nested ones while it is read: keeps the fields of the one that is being read
 * apart from those of the ones around it. One object a document, one thread.
 */
final class DocumentBlock {

  private final Analyzers analyzers;
  private final int nestedMax;
  private final List<List<IndexableField>> nested = new ArrayList<>();
  private DocumentFields current;
  private int begun;

  DocumentBlock(Analyzers analyzers, int nestedMax) {
    this.analyzers = analyzers;
    this.nestedMax = nestedMax;
    this.current = new DocumentFields(analyzers);
  }

  /** The fields of the document that is being read. */
  DocumentFields current() {
    return current;
  }

  /**
   * Reads a nested document.
   *
   * @param path of its field
   * @throws IllegalArgumentException if there are too many of them
   */
  void nested(String path, Runnable reading) {
    begun++;
    if (begun > nestedMax) {
      throw new IllegalArgumentException(
          "The number of nested documents has exceeded the allowed limit of ["
              + nestedMax
              + "]. This limit can be set by changing the [index.mapping.nested_objects.limit]"
              + " index level setting.");
    }
    DocumentFields around = current;
    current = new DocumentFields(analyzers);
    reading.run();
    List<IndexableField> fields = current.finish();
    fields.add(new StringField(MetadataField.NESTED_PATH, path, Field.Store.NO));
    nested.add(fields);
    current = around;
  }

  DocumentParse.Fields finish() {
    return new DocumentParse.Fields(current.finish(), nested);
  }
}
