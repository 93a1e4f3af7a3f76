package dev.weir.search.shard;

import dev.weir.search.mapping.MetadataField;
import dev.weir.search.shard.DocumentState.Presence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Finds what a reader of a shard holds of an id: the whole document at the end of its block. */
final class DocumentLookup {

  private DocumentLookup() {}

  /** The newest record of an id. */
  static @Nullable DocumentState stateIn(DirectoryReader reader, String id) throws IOException {
    BytesRef term = new BytesRef(id);
    List<LeafReaderContext> leaves = reader.leaves();
    // The newest segments last: an id that is written often is found there.
    for (int i = leaves.size() - 1; i >= 0; i--) {
      LeafReader leaf = leaves.get(i).reader();
      int doc = live(leaf, term);
      if (doc >= 0) {
        return stateOf(leaf, doc);
      }
    }
    return null;
  }

  /** The source of a record of an id; null if it is not there. */
  static @Nullable ByteBuffer sourceIn(DirectoryReader reader, String id, long seqNo)
      throws IOException {
    BytesRef term = new BytesRef(id);
    for (LeafReaderContext context : reader.leaves()) {
      LeafReader leaf = context.reader();
      int doc = live(leaf, term);
      if (doc >= 0) {
        if (value(leaf, MetadataField.SEQ_NO, doc) != seqNo) {
          return null;
        }
        BytesRef source =
            leaf.storedFields()
                .document(doc, Set.of(MetadataField.SOURCE))
                .getBinaryValue(MetadataField.SOURCE);
        return source == null
            ? null
            : ByteBuffer.wrap(source.bytes, source.offset, source.length).slice();
      }
    }
    return null;
  }

  /** The live document of an id: the last of its block. */
  private static int live(LeafReader leaf, BytesRef id) throws IOException {
    Terms terms = leaf.terms(MetadataField.ID);
    if (terms == null) {
      return -1;
    }
    TermsEnum found = terms.iterator();
    if (!found.seekExact(id)) {
      return -1;
    }
    Bits live = leaf.getLiveDocs();
    PostingsEnum docs = found.postings(null, PostingsEnum.NONE);
    int last = -1;
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if (live == null || live.get(doc)) {
        last = doc;
      }
    }
    return last;
  }

  private static DocumentState stateOf(LeafReader leaf, int doc) throws IOException {
    NumericDocValues hidden = leaf.getNumericDocValues(ShardField.HIDDEN);
    Presence presence = Presence.VISIBLE;
    if (hidden != null && hidden.advanceExact(doc)) {
      presence = hidden.longValue() == ShardField.DELETED ? Presence.DELETED : Presence.SHADOWED;
    }
    return new DocumentState(
        value(leaf, MetadataField.SEQ_NO, doc),
        value(leaf, MetadataField.PRIMARY_TERM, doc),
        value(leaf, MetadataField.VERSION, doc),
        value(leaf, MetadataField.RECORD_TIME, doc),
        presence);
  }

  private static long value(LeafReader leaf, String field, int doc) throws IOException {
    NumericDocValues values = leaf.getNumericDocValues(field);
    if (values == null || !values.advanceExact(doc)) {
      throw new IOException("document doc=" + doc + " has no field=" + field + " in " + leaf);
    }
    return values.longValue();
  }
}
