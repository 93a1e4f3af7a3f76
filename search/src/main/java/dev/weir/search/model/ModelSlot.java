package dev.weir.search.model;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The place of one model in memory. Who runs the model holds the lock shared, so that it is not
 * closed under a run in native memory. Safe for use by any thread.
 */
final class ModelSlot {

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile @Nullable LoadedModel loaded; // changes under the write lock

  boolean isLoaded() {
    return loaded != null;
  }

  /**
   * Runs something with the model, which is loaded first where it is not there. Others that come
   * meanwhile wait for the one loading. What fails to load is tried again by the next call.
   */
  <T> T with(Supplier<LoadedModel> loader, Function<LoadedModel, T> use) {
    lock.readLock().lock();
    try {
      LoadedModel model = loaded;
      if (model != null) {
        return use.apply(model);
      }
    } finally {
      lock.readLock().unlock();
    }
    lock.writeLock().lock();
    try {
      if (loaded == null) {
        loaded = loader.get();
      }
      lock.readLock().lock(); // held on to while the write lock is given up: nobody can close it
    } finally {
      lock.writeLock().unlock();
    }
    try {
      LoadedModel model = loaded;
      if (model == null) {
        throw new AssertionError("a loaded model is gone under the read lock");
      }
      return use.apply(model);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Closes the model when its runs are done; false if there was none. */
  boolean close() {
    lock.writeLock().lock();
    try {
      LoadedModel model = loaded;
      loaded = null;
      if (model != null) {
        model.close();
      }
      return model != null;
    } finally {
      lock.writeLock().unlock();
    }
  }
}
