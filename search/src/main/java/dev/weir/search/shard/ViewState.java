package dev.weir.search.shard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * The readers of all shards at one moment, counted. Starts with one reference, that of the index
 * that shows it; the readers are let go with the last one. Safe for use by any thread.
 */
final class ViewState {

  /** A shard's reader with the end of what it covers. */
  record Part(DirectoryReader raw, VisibleReader visible, IndexView.ShardView view) {}

  private final List<Part> parts;
  private final AtomicInteger references = new AtomicInteger(1);

  private ViewState(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * A view over these readers, whose references it takes over.
   *
   * @param levels of the index, the same for all its views
   * @param previous the view before, whose segments are used again where they are the same
   */
  static ViewState of(
      List<DirectoryReader> raws,
      List<Long> endOffsets,
      NestedLevels levels,
      @Nullable ViewState previous) {
    List<Part> parts = new ArrayList<>(raws.size());
    for (int shard = 0; shard < raws.size(); shard++) {
      DirectoryReader raw = raws.get(shard);
      Part before = previous == null ? null : previous.parts.get(shard);
      parts.add(part(shard, raw, endOffsets.get(shard), levels, before));
    }
    return new ViewState(parts);
  }

  private static Part part(
      int shard, DirectoryReader raw, long endOffset, NestedLevels levels, @Nullable Part before) {
    try {
      if (before != null && before.raw.equals(raw)) {
        before.visible.incRef();
        raw.decRef();
        return new Part(
            raw, before.visible, new IndexView.ShardView(shard, before.view.searcher(), endOffset));
      }
      VisibleReader visible = VisibleReader.of(raw, levels, before == null ? null : before.visible);
      return new Part(
          raw, visible, new IndexView.ShardView(shard, new IndexSearcher(visible), endOffset));
    } catch (IOException e) {
      throw new ShardFailureException("cannot open a reader of shard=" + shard, e);
    }
  }

  List<IndexView.ShardView> views() {
    return parts.stream().map(Part::view).toList();
  }

  long endOffset(int shard) {
    return parts.get(shard).view.endOffset();
  }

  /** Takes a reference; false if the last one is gone. */
  boolean tryAcquire() {
    int now = references.get();
    while (now > 0) {
      if (references.compareAndSet(now, now + 1)) {
        return true;
      }
      now = references.get();
    }
    return false;
  }

  /** Gives a reference back. */
  void release() {
    int left = references.decrementAndGet();
    assert left >= 0 : "a view was released more often than acquired";
    if (left == 0) {
      for (Part part : parts) {
        try {
          part.visible.decRef();
        } catch (IOException e) {
          throw new ShardFailureException("cannot close a reader of " + part.view, e);
        }
      }
    }
  }
}
