package dev.weir.search.mapping;

import dev.weir.search.mapping.FieldType.Nested.Copy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final DocumentFields root;
  private final Map<String, Lines> linesByPath = new LinkedHashMap<>();
  private DocumentFields current;
  private Reach reach = Reach.ROOT; // of the fields of the current document
  private int begun;

  /** Whether the whole document has what a document has. */
  private enum Reach {
    ROOT,
    BELOW
  }

  DocumentBlock(Analyzers analyzers, int nestedMax) {
    this.analyzers = analyzers;
    this.nestedMax = nestedMax;
    this.root = new DocumentFields(analyzers);
    this.current = root;
  }

  /** The fields of the document that is being read. */
  DocumentFields current() {
    return current;
  }

  /**
   * Reads a nested document.
   *
   * @param path of its field
   * @param copies which of the documents around have its fields too
   * @throws IllegalArgumentException if there are too many of them
   */
  void nested(String path, Set<Copy> copies, Runnable reading) {
    begun++;
    if (begun > nestedMax) {
      throw new IllegalArgumentException(
          "The number of nested documents has exceeded the allowed limit of ["
              + nestedMax
              + "]. This limit can be set by changing the [index.mapping.nested_objects.limit]"
              + " index level setting.");
    }
    DocumentFields around = current;
    Reach reachAround = reach;
    boolean isViaParent = copies.contains(Copy.IN_PARENT) && reachAround == Reach.ROOT;
    reach = isViaParent || copies.contains(Copy.IN_ROOT) ? Reach.ROOT : Reach.BELOW;
    current = new DocumentFields(analyzers);
    reading.run();
    List<IndexableField> fields = current.finish();
    if (copies.contains(Copy.IN_PARENT)) {
      around.copy(fields);
    }
    if (copies.contains(Copy.IN_ROOT) && !isViaParent) { // once is enough: values are counted
      root.copy(fields);
    }
    fields.add(new StringField(MetadataField.NESTED_PATH, path, Field.Store.NO));
    nested.add(fields);
    current = around;
    reach = reachAround;
  }

  /**
   * Takes a text whose vectors are to be made; several of one field are one text in lines.
   *
   * @throws IllegalArgumentException if the text becomes too long
   */
  void semantic(String path, FieldType.Semantic type, String text) {
    linesByPath.computeIfAbsent(path, _ -> new Lines(type)).add(text);
  }

  /** What a document has in one semantic field so far. */
  private static final class Lines {
    private final FieldType.Semantic type;
    private final List<String> lines = new ArrayList<>();
    private long chars; // of the lines, and one between two

    private Lines(FieldType.Semantic type) {
      this.type = type;
    }

    private void add(String line) {
      chars += line.length() + (lines.isEmpty() ? 0 : 1);
      if (chars > SemanticText.CHARS_MAX) {
        throw new IllegalArgumentException(
            "the texts of a semantic field have "
                + SemanticText.CHARS_MAX
                + " characters at most in one document; cut the document into several, or put the"
                + " text into a field of type [text]");
      }
      lines.add(line);
    }
  }

  DocumentParse.Fields finish() {
    List<SemanticText> semantics = new ArrayList<>();
    linesByPath.forEach(
        (path, of) -> semantics.add(new SemanticText(path, of.type, String.join("\n", of.lines))));
    return new DocumentParse.Fields(current.finish(), nested, List.copyOf(semantics));
  }
}
