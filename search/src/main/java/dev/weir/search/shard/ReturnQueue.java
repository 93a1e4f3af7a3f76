package dev.weir.search.shard;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a shard that are to be shown again, since what hid them is gone, and that need
 * vectors for it, see {@link Returning}.
 *
 * <p>Ids are added and removed under their stripe locks, by any thread; batches belong to the turns
 * of the shard.
 */
final class ReturnQueue {

  /** Documents read again and given to a model at a time. */
  private static final int BATCH_MAX = 16;

  /** Documents on their way. */
  record Batch(List<String> ids, CompletableFuture<List<TailEntry>> entries) {}

  private final Set<String> ids = new LinkedHashSet<>(); // guarded by this
  private @Nullable Batch underWay; // of ids that are in the set; touched by turns only

  synchronized void add(String id) {
    ids.add(id);
  }

  synchronized void remove(String id) {
    ids.remove(id);
  }

  /** Whether none is to be shown, and none on its way. */
  synchronized boolean isEmpty() {
    return ids.isEmpty();
  }

  /** Those that come next; none while others are on their way. */
  synchronized List<String> next() {
    List<String> next = new ArrayList<>();
    if (underWay == null) {
      ids.stream().limit(BATCH_MAX).forEach(next::add);
    }
    return next;
  }

  /**
   * Takes documents that are on their way from now on.
   *
   * @param entries of the ids, in order
   */
  void begin(List<String> batch, CompletableFuture<List<TailEntry>> entries) {
    underWay = new Batch(List.copyOf(batch), entries);
  }

  /** Those that have arrived, or null; others may be begun then. */
  @Nullable Batch arrived() {
    Batch batch = underWay;
    if (batch == null || !batch.entries.isDone()) {
      return null;
    }
    underWay = null;
    return batch;
  }

  @Override
  public synchronized String toString() {
    return "ReturnQueue(" + ids.size() + ")";
  }
}
