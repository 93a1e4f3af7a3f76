package dev.weir.search.shard;

import dev.weir.search.mapping.Mapping;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.lucene.index.IndexableField;

/**
 * A document that was read under a mapping.
 *
 * @param source the document as it was given
 * @param fields its Lucene fields
 * @param nested those of its nested documents, each before the one around it
 * @param mapping the mapping that they follow; under a newer one the source is read again
 */
public record Content(
    ByteBuffer source,
    List<IndexableField> fields,
    List<List<IndexableField>> nested,
    Mapping mapping) {

  /** The same with bytes of its own, for keeping it longer than the request that it came with. */
  Content detached() {
    ByteBuffer copy = ByteBuffer.allocate(source.remaining());
    copy.put(source.duplicate()).flip();
    return new Content(copy, fields, nested, mapping);
  }
}
