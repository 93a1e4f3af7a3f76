package dev.weir.search.execute;

import dev.weir.search.chunk.Chunking.Span;
import dev.weir.search.mapping.FieldType.Semantic;
import dev.weir.search.mapping.SemanticText;
import dev.weir.search.query.QueryVector;
import dev.weir.search.shard.NestedLevels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.BitSet;
import tools.jackson.databind.JsonNode;

/**
 * Which parts of a semantic field are nearest to the vectors of a query. The vectors of a document
 * are those that lie in the index, compared one by one, so the same document has the same answer
 * whatever found it, and no model is run. Used by one thread.
 */
final class NearestChunks {
  private final String path;
  private final Semantic type;
  private final List<float[]> vectors;
  private final NestedLevels levels;

  /** A part of a text and how near it is. */
  private record Near(Span span, float similarity) {}

  private NearestChunks(String path, Semantic type, List<float[]> vectors, NestedLevels levels) {
    this.path = path;
    this.type = type;
    this.vectors = vectors;
    this.levels = levels;
  }

  /**
   * The nearest of one field.
   *
   * @param vectors of the query; the nearest one counts
   */
  static NearestChunks of(
      String path, Semantic type, List<QueryVector> vectors, NestedLevels levels) {
    return new NearestChunks(
        path, type, vectors.stream().map(QueryVector::toArray).toList(), levels);
  }

  /** What a document has in the field, put together as it was when its vectors were made. */
  SemanticText text(JsonNode document) {
    List<String> texts = new ArrayList<>();
    collect(document, path, texts);
    return new SemanticText(path, type, String.join("\n", texts));
  }

  /** In the order of the document, as it was read: a key may hold dots itself. */
  private static void collect(JsonNode node, String path, List<String> texts) {
    if (node.isArray()) {
      node.forEach(element -> collect(element, path, texts));
    } else if (path.isEmpty()) {
      if (node.isString()) {
        texts.add(node.stringValue());
      }
    } else {
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        String name = member.getKey();
        if (path.equals(name)) {
          collect(member.getValue(), "", texts);
        } else if (path.startsWith(name + ".")) {
          collect(member.getValue(), path.substring(name.length() + 1), texts);
        }
      }
    }
  }

  /**
   * The chunks of a document, the nearest first and of equal ones the earlier; those without a
   * direction are left out. The whole of a text that is not cut.
   *
   * @param text what the document has in the field
   * @param doc its number in the segment
   */
  List<Span> in(SemanticText text, LeafReaderContext leaf, int doc) throws IOException {
    return switch (type.division()) {
      case WHOLE -> text.spans();
      case CHUNKS -> nearest(text.spans(), chunks(leaf, doc), leaf);
    };
  }

  /** The nested documents of the chunks, in the order of the text. */
  private List<Integer> chunks(LeafReaderContext leaf, int doc) throws IOException {
    BitSet ends = levels.at(null).getBitSet(leaf);
    BitSet chunks = levels.at(type.chunksPath(path)).getBitSet(leaf);
    if (ends == null || chunks == null || doc == 0) {
      return List.of();
    }
    List<Integer> found = new ArrayList<>();
    int first = ends.prevSetBit(doc - 1) + 1;
    for (int each = chunks.nextSetBit(first); each < doc; each = chunks.nextSetBit(each + 1)) {
      found.add(each);
    }
    return found;
  }

  private List<Span> nearest(List<Span> spans, List<Integer> chunks, LeafReaderContext leaf)
      throws IOException {
    FloatVectorValues values = leaf.reader().getFloatVectorValues(type.vectorPath(path));
    // Of a document without vectors there are no chunks. Of one that an earlier version indexed
    // some may be missing, and which is not known: it is better to show none than another one.
    if (values == null || chunks.size() != spans.size()) {
      return List.of();
    }
    VectorSimilarityFunction similarity = type.vector().space().similarity();
    KnnVectorValues.DocIndexIterator documents = values.iterator();
    List<Near> found = new ArrayList<>();
    for (int i = 0; i < spans.size(); i++) {
      int chunk = chunks.get(i);
      if (documents.docID() < chunk) {
        documents.advance(chunk);
      }
      if (documents.docID() == chunk) {
        float[] vector = values.vectorValue(documents.index());
        float best = Float.NEGATIVE_INFINITY;
        for (float[] wanted : vectors) {
          best = Math.max(best, similarity.compare(wanted, vector));
        }
        found.add(new Near(spans.get(i), best));
      }
    }
    found.sort(Comparator.comparingDouble(Near::similarity).reversed()); // stable
    return found.stream().map(Near::span).toList();
  }
}
