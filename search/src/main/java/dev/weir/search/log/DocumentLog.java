package dev.weir.search.log;

import java.util.List;

/**
 * One partition of a topic as a shard sees it: append, read, and be told of progress.
 *
 * <p>Two ends matter. Everything below {@link #appendedEndOffset()} has its place in the log, and a
 * conditional write is decided against it; everything below {@link #endOffset()} is committed as
 * well, and only that is indexed. {@code startOffset <= endOffset <= appendedEndOffset}.
 *
 * <p>Implementations are safe for use by any thread. {@link #append} and {@link #read} do not wait
 * for commits or for records to arrive.
 */
public interface DocumentLog extends AutoCloseable {

  /** Partition number, which is the shard number. */
  int partition();

  /** Offset of the first record that the log still holds, inclusive. */
  long startOffset();

  /** End of what is committed and belongs to no open transaction, exclusive. */
  long endOffset();

  /** End of what is appended, committed or not, exclusive. */
  long appendedEndOffset();

  /**
   * Appends the records as one unit if the log still ends where the caller thinks it does.
   *
   * @param records at least one; the log copies what it needs before it returns
   * @param expectedEndOffset the {@link #appendedEndOffset()} up to which the caller has decided
   */
  AppendResult append(List<DocumentRecord> records, long expectedEndOffset);

  /**
   * Reads whole records from an offset on, at least one where there is one below the bound,
   * whatever its size. Control batches, records of aborted transactions, and offsets removed by
   * compaction are passed over; so are records whose transaction is open, which the chunk tells.
   *
   * @param fromOffset first offset wanted; one below {@link #startOffset()} reads from there
   * @param bytesMax bound on keys and values of the chunk, beyond its first record
   * @throws DocumentLogException if the log cannot be read
   */
  LogChunk read(long fromOffset, int bytesMax, ReadUpTo bound);

  /**
   * Calls {@code listener} after each advance of either end. Calls may be merged, come from any
   * thread, and hold no lock of the log; the listener must return at once.
   */
  Subscription onAdvance(Runnable listener);

  /** Frees what the log holds for this reader. The partition itself stays. */
  @Override
  void close();
}
