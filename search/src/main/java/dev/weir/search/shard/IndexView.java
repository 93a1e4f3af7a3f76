package dev.weir.search.shard;

import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MetadataField;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BitSet;

/**
 * All shards of one index at one moment, so that a document that moves between shards is seen in
 * one of them, never in both or none. A view does not change; close it after use, since it keeps
 * index segments open. Its searchers are safe for use by any thread.
 */
public final class IndexView implements AutoCloseable {

  /**
   * One shard of the view.
   *
   * @param searcher sees visible whole documents only; nested ones come in by joins
   * @param endOffset end of the records that the shard had applied, exclusive
   */
  public record ShardView(int shard, IndexSearcher searcher, long endOffset) {}

  private final String index;
  private final UUID uuid;
  private final Mapping mapping;
  private final NestedLevels levels;
  private final List<ShardView> shards;
  private final Runnable release;

  IndexView(
      String index,
      UUID uuid,
      Mapping mapping,
      NestedLevels levels,
      List<ShardView> shards,
      Runnable release) {
    this.index = index;
    this.uuid = uuid;
    this.mapping = mapping;
    this.levels = levels;
    this.shards = List.copyOf(shards);
    this.release = release;
  }

  /** Name of the index. */
  public String index() {
    return index;
  }

  /** Identity of the index: differs from that of a deleted index of the same name. */
  public UUID uuid() {
    return uuid;
  }

  /** A mapping that knows every field of the documents in the view. */
  public Mapping mapping() {
    return mapping;
  }

  /** Which Lucene documents are whole documents, and which are nested. */
  public NestedLevels levels() {
    return levels;
  }

  /** The shards, by their number. */
  public List<ShardView> shards() {
    return shards;
  }

  /**
   * How many whole documents of a shard are deleted and not merged away yet, tombstones and
   * documents that others stand for among them. Nested ones go with theirs and do not count.
   */
  public long deletedDocuments(ShardView shard) {
    long deleted = 0;
    try {
      for (LeafReaderContext leaf : shard.searcher().getIndexReader().leaves()) {
        LeafReader reader = leaf.reader();
        if (reader.terms(MetadataField.NESTED_PATH) == null) {
          deleted += reader.numDeletedDocs();
        } else {
          BitSet whole = levels.at(null).getBitSet(leaf);
          deleted += (whole == null ? 0 : whole.cardinality()) - reader.numDocs();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return deleted;
  }

  @Override
  public void close() {
    release.run();
  }
}
