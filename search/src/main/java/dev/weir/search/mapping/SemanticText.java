package dev.weir.search.mapping;

import dev.weir.search.chunk.Chunking;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexableField;

/**
 * A text of a document whose vectors are still to be made.
 *
 * @param path of the semantic field
 * @param text all that the document has in the field
 */
public record SemanticText(String path, FieldType.Semantic type, String text) {

  /**
   * Characters that a document may have in one semantic field: a long book. All of them are read
   * into words and, with chunks, given to a model, while the shard's other records wait.
   */
  static final int CHARS_MAX = 1 << 20;

  /**
   * How texts are cut: as many words as the model of the product takes whole. Part of what is in an
   * index, so another number needs another field type.
   */
  private static final Chunking CHUNKS =
      new Chunking.ByTokens(Chunking.Tokens.STANDARD, 180, 0, Chunking.CHUNKS_MAX_DEFAULT);

  /** What the model is given; nothing of a blank text. */
  public List<String> passages() {
    return spans().stream().map(span -> text.substring(span.start(), span.end())).toList();
  }

  /** Where {@link #passages} stand in the text, in order. */
  public List<Chunking.Span> spans() {
    if (text.isBlank()) {
      return List.of();
    }
    return switch (type.division()) {
      case WHOLE -> List.of(new Chunking.Span(0, text.length()));
      case CHUNKS -> CHUNKS.spans(text);
    };
  }

  /** Fields for the document, and nested documents for it. */
  public record Vectors(List<IndexableField> fields, List<List<IndexableField>> nested) {}

  /**
   * The vectors as Lucene has them. One of zeros has no direction, and is left out; a nested
   * document stands for its chunk all the same, so that the n-th one is of the n-th chunk.
   *
   * @param vectors of {@link #passages}, in order
   */
  public Vectors vectors(List<float[]> vectors) {
    List<IndexableField> fields = new ArrayList<>();
    List<List<IndexableField>> nested = new ArrayList<>();
    for (float[] vector : vectors) {
      List<IndexableField> field =
          isZero(vector)
              ? List.of()
              : List.of(
                  new KnnFloatVectorField(
                      type.vectorPath(path), vector, type.vector().space().similarity()));
      switch (type.division()) {
        case WHOLE -> fields.addAll(field);
        case CHUNKS -> nested.add(chunk(field));
      }
    }
    return new Vectors(fields, nested);
  }

  private List<IndexableField> chunk(List<IndexableField> vector) {
    List<IndexableField> chunk = new ArrayList<>(vector);
    chunk.add(new StringField(MetadataField.NESTED_PATH, type.chunksPath(path), Field.Store.NO));
    return chunk;
  }

  private static boolean isZero(float[] vector) {
    for (float component : vector) {
      if (component != 0) {
        return false;
      }
    }
    return true;
  }
}
