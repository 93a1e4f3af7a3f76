package dev.weir.search.shard;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.shard.DocumentState.Presence;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The Lucene index of one shard. It holds at most one document for each id: the newest record of
 * that id in the partition, be it visible, shadowed by another shard, or a tombstone.
 *
 * <p>A document with nested ones is a block: each nested document before the one around it, and the
 * whole document last. All of a block have the term of its id, by which it is replaced and deleted
 * as one; only the last has anything else that this class reads.
 *
 * <p>Documents lie in the order in which they were written, before and after merges and restarts.
 * That is the order of their offsets, {@code _seq_no}, since a shard applies its log in order; but
 * for a document that is shown again, see {@link ShardField#AGAIN}. So where hits are equal, the
 * lower document number is the lower offset, and their order stays the same from one view to the
 * next.
 *
 * <p>Beside its own fields a document has those of {@code MetadataField}; hidden ones have nothing
 * but these and {@code ShardField}'s, and no source. Commit user data: {@code next_offset}, the
 * first offset of the log that is not in the index, and {@code seen}, see {@link CommitPoint}; both
 * decimal; {@code order}, always {@code seq_no}: an index without it was written by a version that
 * mixed documents when it merged.
 *
 * <p>Writes to one id must not run at the same time (the owner has a lock for each id); everything
 * else is safe for use by any thread.
 */
final class ShardIndex implements AutoCloseable {

  /**
   * What an index commit covers.
   *
   * @param nextOffset first offset of this shard's log that is not applied
   * @param seen for each shard, an offset below which the effects of that shard's records on this
   *     index are in the commit
   */
  record CommitPoint(long nextOffset, List<Long> seen) {
    CommitPoint {
      seen = List.copyOf(seen);
    }
  }

  private static final String NEXT_OFFSET = "next_offset";
  private static final String SEEN = "seen";
  private static final String ORDER = "order";
  private static final String ORDER_BY_SEQ_NO = "seq_no";

  private final Directory directory;
  private final IndexWriter writer;

  /**
   * Held while documents are written. Two threads at once would each fill a segment of its own, and
   * documents between which there are others would end up side by side.
   */
  private final ReentrantLock writing = new ReentrantLock();

  private long writtenTo; // the highest offset of a record that was written; guarded by writing
  private final ShardBuffer buffer;

  private final RecentStates recent = new RecentStates();
  private final AtomicReference<DirectoryReader> raw;

  private ShardIndex(Directory directory, IndexWriter writer, WriteBuffer shared)
      throws IOException {
    this.directory = directory;
    this.writer = writer;
    DirectoryReader reader = DirectoryReader.open(writer);
    this.raw = new AtomicReference<>(reader);
    this.writtenTo = LogOrder.last(reader);
    this.buffer = new ShardBuffer(writer, writing, shared);
  }

  /**
   * Opens the index at its last commit, or makes an empty one.
   *
   * @throws ShardFailureException if the files cannot be read
   */
  static ShardIndex open(
      IndexFiles files, Path path, LiveDefinition definition, WriteBuffer shared) {
    Directory directory = null;
    try {
      directory = files.open(path);
      IndexWriterConfig config = new IndexWriterConfig(new GapAnalyzer());
      config.setCodec(
          new IndexCodec(new ShardCodec(definition::mapping, definition::graphThreshold)));
      config.setRAMBufferSizeMB((double) shared.shardBytesMax() / (1 << 20));
      config.setCommitOnClose(false);
      config.setMergePolicy(new LogOrderMerges());
      return new ShardIndex(directory, new IndexWriter(directory, config), shared);
    } catch (IOException e) {
      closeQuietly(directory, e);
      throw new ShardFailureException("cannot open the index of a shard at path=" + path, e);
    }
  }

  /**
   * Whether the last commit, if there is one, holds the documents in the order of their offsets.
   */
  boolean isInLogOrder() {
    Map<String, String> data = commitData();
    return data.isEmpty() || ORDER_BY_SEQ_NO.equals(data.get(ORDER));
  }

  private Map<String, String> commitData() {
    Map<String, String> data = new TreeMap<>();
    Iterable<Map.Entry<String, String>> committed = writer.getLiveCommitData();
    if (committed != null) {
      committed.forEach(entry -> data.put(entry.getKey(), entry.getValue()));
    }
    return data;
  }

  /** What the last commit covers; offset 0 where there is none. */
  CommitPoint commitPoint(int shards) {
    Map<String, String> data = commitData();
    List<Long> seen = new ArrayList<>();
    String text = data.getOrDefault(SEEN, "");
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      seen.add(Long.parseLong(part));
    }
    while (seen.size() < shards) {
      seen.add(0L);
    }
    return new CommitPoint(Long.parseLong(data.getOrDefault(NEXT_OFFSET, "0")), seen);
  }

  /** The newest record of the id that was applied here. */
  @Nullable DocumentState state(String id) {
    DocumentState state = recent.get(id);
    return state == null ? withReader(reader -> DocumentLookup.stateIn(reader, id)) : state;
  }

  /** The source of a record, if the open reader has it visible. */
  @Nullable ByteBuffer source(String id, long seqNo) {
    return withReader(reader -> DocumentLookup.sourceIn(reader, id, seqNo));
  }

  /** Makes the document the visible one of its id. */
  void show(String id, DocumentState state, Content content, Residence residence) {
    List<IndexableField> fields = new ArrayList<>(content.fields().size() + 8);
    fields.addAll(content.fields());
    ByteBuffer source = content.source();
    byte[] bytes = new byte[source.remaining()];
    source.get(source.position(), bytes);
    fields.add(new StoredField(MetadataField.SOURCE, bytes));
    replace(id, state.as(Presence.VISIBLE), content.nested(), fields, residence);
    buffer.grewBy(bytes.length);
  }

  /** Makes the id invisible here, and keeps in mind which record it was. */
  void hide(String id, DocumentState state, Residence residence) {
    List<IndexableField> fields = new ArrayList<>(8);
    long value = state.isLive() ? ShardField.SHADOWED : ShardField.DELETED;
    fields.add(new NumericDocValuesField(ShardField.HIDDEN, value));
    Presence presence = state.isLive() ? Presence.SHADOWED : Presence.DELETED;
    replace(id, state.as(presence), List.of(), fields, residence);
  }

  private void replace(
      String id,
      DocumentState state,
      List<List<IndexableField>> nested,
      List<IndexableField> fields,
      Residence residence) {
    fields.add(new StringField(MetadataField.ID, id, Field.Store.YES));
    fields.add(new BinaryDocValuesField(MetadataField.ID_VALUE, new BytesRef(id)));
    fields.add(NumericDocValuesField.indexedField(MetadataField.SEQ_NO, state.seqNo()));
    fields.add(new NumericDocValuesField(MetadataField.PRIMARY_TERM, state.primaryTerm()));
    fields.add(new NumericDocValuesField(MetadataField.VERSION, state.version()));
    fields.add(new NumericDocValuesField(MetadataField.RECORD_TIME, state.recordTimeMs()));
    if (residence == Residence.STRAY) {
      fields.add(new StringField(ShardField.STRAY, ShardField.STRAY_TERM, Field.Store.NO));
    }
    writing.lock();
    try {
      if (state.seqNo() <= writtenTo) {
        fields.add(new StringField(ShardField.AGAIN, ShardField.AGAIN_TERM, Field.Store.NO));
      }
      writer.updateDocuments(new Term(MetadataField.ID, id), block(id, nested, fields));
      writtenTo = Math.max(writtenTo, state.seqNo());
    } catch (IOException e) {
      throw new ShardFailureException("cannot index document id=" + id + " in " + directory, e);
    } finally {
      writing.unlock();
    }
    recent.put(id, state);
  }

  private static List<List<IndexableField>> block(
      String id, List<List<IndexableField>> nested, List<IndexableField> whole) {
    List<List<IndexableField>> block = new ArrayList<>(nested.size() + 1);
    for (List<IndexableField> fields : nested) {
      List<IndexableField> named = new ArrayList<>(fields);
      named.add(new StringField(MetadataField.ID, id, Field.Store.NO));
      block.add(named);
    }
    block.add(whole);
    return block;
  }

  /** Whether documents are here, visible or not, whose home is elsewhere. */
  boolean hasStrays() {
    return withReader(
        reader -> reader.docFreq(new Term(ShardField.STRAY, ShardField.STRAY_TERM)) > 0);
  }

  /** Whether tombstones or shadowed documents are here. */
  boolean hasHidden() {
    return withReader(
        reader -> {
          for (LeafReaderContext leaf : reader.leaves()) {
            if (leaf.reader().getNumericDocValues(ShardField.HIDDEN) != null) {
              return Boolean.TRUE;
            }
          }
          return Boolean.FALSE;
        });
  }

  /** Calls {@code each} with the ids of all records at or after an offset. */
  void forEachIdFrom(long offset, Consumer<String> each) {
    forEachId(recordsFrom(offset), each);
  }

  /** Calls {@code each} with the ids of hidden records at or after an offset. */
  void forEachHiddenFrom(long offset, Consumer<String> each) {
    Query hidden =
        NumericDocValuesField.newSlowRangeQuery(
            ShardField.HIDDEN, ShardField.SHADOWED, ShardField.DELETED);
    forEachId(both(hidden, recordsFrom(offset)), each);
  }

  /** Calls {@code each} with the ids of tombstones whose records are older than a time, in ms. */
  void forEachTombstoneBefore(long timeMs, Consumer<String> each) {
    Query old =
        NumericDocValuesField.newSlowRangeQuery(
            MetadataField.RECORD_TIME, Long.MIN_VALUE, timeMs - 1);
    forEachId(
        both(NumericDocValuesField.newSlowExactQuery(ShardField.HIDDEN, ShardField.DELETED), old),
        each);
  }

  private static Query recordsFrom(long offset) {
    return NumericDocValuesField.newSlowRangeQuery(MetadataField.SEQ_NO, offset, Long.MAX_VALUE);
  }

  private static Query both(Query one, Query other) {
    return new BooleanQuery.Builder()
        .add(one, BooleanClause.Occur.FILTER)
        .add(other, BooleanClause.Occur.FILTER)
        .build();
  }

  private void forEachId(Query query, Consumer<String> each) {
    withReader(
        reader -> {
          IndexSearcher searcher = new IndexSearcher(reader);
          searcher.setQueryCache(null);
          Weight weight =
              searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1f);
          for (LeafReaderContext leaf : reader.leaves()) {
            Scorer scorer = weight.scorer(leaf);
            if (scorer != null) {
              ids(leaf.reader(), scorer.iterator(), each);
            }
          }
          return Boolean.TRUE;
        });
  }

  private static void ids(LeafReader leaf, DocIdSetIterator docs, Consumer<String> each)
      throws IOException {
    Bits live = leaf.getLiveDocs();
    var stored = leaf.storedFields();
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if (live == null || live.get(doc)) {
        each.accept(stored.document(doc, Set.of(MetadataField.ID)).get(MetadataField.ID));
      }
    }
  }

  /** Takes out what is known of an id. */
  void forget(String id) {
    try {
      writer.deleteDocuments(new Term(MetadataField.ID, id));
    } catch (IOException e) {
      throw new ShardFailureException("cannot delete a tombstone id=" + id + " in " + directory, e);
    }
  }

  /** Writes an index commit and syncs it. */
  void commit(CommitPoint point) {
    Map<String, String> data = new TreeMap<>();
    data.put(NEXT_OFFSET, Long.toString(point.nextOffset()));
    data.put(ORDER, ORDER_BY_SEQ_NO);
    data.put(SEEN, String.join(",", point.seen().stream().map(Object::toString).toList()));
    writer.setLiveCommitData(data.entrySet());
    try {
      writer.commit();
    } catch (IOException e) {
      throw new ShardFailureException(
          "cannot commit nextOffset=" + point.nextOffset() + " in " + directory, e);
    }
  }

  /**
   * Merges segments and returns when it is done, which may take minutes; writes and reads go on.
   *
   * @throws AlreadyClosedException if the index is closed meanwhile
   */
  void merge(Merge wanted) {
    try {
      switch (wanted) {
        case Merge.ByPolicy _ -> writer.maybeMerge();
        case Merge.ToSegments(int segmentsMax) -> writer.forceMerge(segmentsMax);
        case Merge.ExpungeDeletes _ -> writer.forceMergeDeletes();
      }
    } catch (MergePolicy.MergeAbortedException e) {
      throw new AlreadyClosedException("closed while it merged: " + directory, e);
    } catch (IOException e) {
      throw new ShardFailureException("cannot merge " + directory, e);
    }
  }

  /** Size of the files, those of old commits that a reader holds too. */
  long sizeBytes() {
    try {
      long sum = 0;
      for (String file : directory.listAll()) {
        try {
          sum += directory.fileLength(file);
        } catch (NoSuchFileException | FileNotFoundException _) {
          // deleted by a merge since it was listed
        }
      }
      return sum;
    } catch (IOException e) {
      throw new ShardFailureException("cannot list " + directory, e);
    }
  }

  /** States held until the next refresh. */
  int recentCount() {
    return recent.count();
  }

  /**
   * Opens a reader on all that is written so far. The caller gets a reference of its own to the
   * reader. One call at a time.
   */
  DirectoryReader reopen() {
    recent.beforeRefresh();
    try {
      DirectoryReader before = raw.get();
      DirectoryReader now = DirectoryReader.openIfChanged(before, writer);
      if (now != null) {
        assert LogOrder.fault(now).isEmpty() : LogOrder.fault(now);
        raw.set(now);
        before.decRef();
      }
      recent.afterRefresh();
      DirectoryReader current = raw.get();
      current.incRef();
      return current;
    } catch (IOException e) {
      throw new ShardFailureException("cannot open a reader in " + directory, e);
    }
  }

  /** Closes without a commit; what was not committed is read from the log again. */
  @Override
  public void close() {
    buffer.close();
    try {
      raw.get().decRef();
      writer.rollback();
      directory.close();
    } catch (IOException e) {
      throw new ShardFailureException("cannot close the index in " + directory, e);
    }
  }

  private interface Reading<T extends @Nullable Object> {
    T in(DirectoryReader reader) throws IOException;
  }

  @SuppressWarnings("ReferenceEquality") // whether it is the very reader that was let go
  private <T extends @Nullable Object> T withReader(Reading<T> reading) {
    DirectoryReader reader = raw.get();
    while (!reader.tryIncRef()) {
      DirectoryReader next = raw.get(); // a refresh put it in the other's place before letting go
      if (next == reader) {
        throw new SearchException(ErrorType.UNAVAILABLE, this + " is closed");
      }
      reader = next;
    }
    try {
      try {
        return reading.in(reader);
      } finally {
        reader.decRef();
      }
    } catch (IOException e) {
      throw new ShardFailureException("cannot read the index in " + directory, e);
    }
  }

  private static void closeQuietly(@Nullable Directory directory, IOException reason) {
    if (directory != null) {
      try {
        directory.close();
      } catch (IOException e) {
        reason.addSuppressed(e);
      }
    }
  }

  /** Whether a document lies in its home shard. */
  enum Residence {
    /** It does. */
    HOME,
    /** Some writer put it here. */
    STRAY
  }

  @Override
  public String toString() {
    return "ShardIndex(" + directory + ")";
  }
}
