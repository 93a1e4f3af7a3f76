package dev.weir.search.shard;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;

/** The documents of one shard that are in no segment yet. Safe for use by any thread. */
final class ShardBuffer implements WriteBuffer.Holder, AutoCloseable {
  /** Bytes of sources between two looks at what all shards hold. */
  private static final int LOOK_BYTES = 64 * 1024;

  private final IndexWriter writer;
  private final Lock writing;
  private final WriteBuffer shared;
  private final AtomicLong unlookedBytes = new AtomicLong(); // of sources, since the last look

  /**
   * A part of what all shards share.
   *
   * @param writing held while documents are written
   */
  ShardBuffer(IndexWriter writer, Lock writing, WriteBuffer shared) {
    this.writer = writer;
    this.writing = writing;
    this.shared = shared;
    shared.enter(this);
  }

  /** A document was written. Called without {@code writing}: another shard may have to write. */
  void grewBy(int sourceBytes) {
    if (unlookedBytes.addAndGet(sourceBytes) >= LOOK_BYTES) {
      unlookedBytes.set(0);
      shared.grown();
    }
  }

  @Override
  public long heldBytes() {
    try {
      return writer.ramBytesUsed();
    } catch (AlreadyClosedException _) {
      return 0;
    }
  }

  /** Holds up who writes documents: those that come meanwhile are to be in a later segment. */
  @Override
  public void writeOut() {
    writing.lock();
    try {
      writer.flushNextBuffer();
    } catch (AlreadyClosedException _) {
      return; // closed since it was asked, and holds nothing
    } catch (IOException e) {
      throw new ShardFailureException("cannot write a segment in " + this, e);
    } finally {
      writing.unlock();
    }
  }

  @Override
  public void close() {
    shared.leave(this);
  }

  @Override
  public String toString() {
    return "ShardBuffer(" + writer.getDirectory() + ")";
  }
}
