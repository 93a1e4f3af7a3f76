package dev.weir.search.shard;

import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.SemanticText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexableField;

/**
 * A document that was read under a mapping.
 *
 * @param source the document as it was given
 * @param fields its Lucene fields
 * @param nested those of its nested documents, each before the one around it
 * @param semantics texts whose vectors are still to be made, see {@link #with}
 * @param mapping the mapping that they follow; under a newer one the source is read again
 */
public record Content(
    ByteBuffer source,
    List<IndexableField> fields,
    List<List<IndexableField>> nested,
    List<SemanticText> semantics,
    Mapping mapping) {

  /** The same with the vectors of its texts, in the order of the texts. */
  Content with(List<SemanticText.Vectors> vectors) {
    List<IndexableField> allFields = new ArrayList<>(fields);
    List<List<IndexableField>> allNested = new ArrayList<>(nested);
    for (SemanticText.Vectors each : vectors) {
      allFields.addAll(each.fields());
      allNested.addAll(each.nested());
    }
    return new Content(source, List.copyOf(allFields), List.copyOf(allNested), List.of(), mapping);
  }

  /** The same with bytes of its own, for keeping it longer than the request that it came with. */
  Content detached() {
    ByteBuffer copy = ByteBuffer.allocate(source.remaining());
    copy.put(source.duplicate()).flip();
    return new Content(copy, fields, nested, semantics, mapping);
  }
}
