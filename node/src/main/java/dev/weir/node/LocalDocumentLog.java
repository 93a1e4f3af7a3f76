package dev.weir.node;

import dev.weir.broker.LocalPartition;
import dev.weir.log.LogException;
import dev.weir.log.LogSlice;
import dev.weir.log.ReadOutcome;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.protocol.ErrorCode;
import dev.weir.search.log.AppendResult;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.DocumentLogException;
import dev.weir.search.log.DocumentRecord;
import dev.weir.search.log.LogChunk;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.ReadUpTo;
import dev.weir.search.log.RecordHeader;
import dev.weir.search.log.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A partition of this node as the log of a shard: in process, without a network between. Safe for
 * any thread.
 */
final class LocalDocumentLog implements DocumentLog {
  /** What is taken off the disk at once, at least; one batch is always taken whole. */
  private static final int READ_BYTES_MIN = 64 * 1024;

  private final LocalPartition partition;

  LocalDocumentLog(LocalPartition partition) {
    this.partition = partition;
  }

  @Override
  public int partition() {
    return partition.number();
  }

  @Override
  public long startOffset() {
    return partition.startOffset();
  }

  @Override
  public long endOffset() {
    return partition.endOffset();
  }

  @Override
  public long appendedEndOffset() {
    return partition.logEndOffset();
  }

  @Override
  public AppendResult append(List<DocumentRecord> records, long expectedEndOffset) {
    RecordBatchBuilder batch = RecordBatchBuilder.data(Compression.NONE);
    for (DocumentRecord document : records) {
      batch.add(
          document.timestampMs(),
          document.key(),
          document.value(),
          document.headers().stream()
              .map(header -> new dev.weir.log.batch.RecordHeader(header.name(), header.value()))
              .toList());
    }
    return switch (partition.append(batch.build(), expectedEndOffset)) {
      case LocalPartition.Append.Appended appended ->
          new AppendResult.Appended(
              appended.baseOffset(), partition.leaderEpoch(), committed(appended.committed()));
      case LocalPartition.Append.EndOffsetMoved(long endOffset) ->
          new AppendResult.EndOffsetMoved(endOffset);
      case LocalPartition.Append.Refused(ErrorCode error, String message) ->
          new AppendResult.Refused(refusal(error), message);
    };
  }

  /** The port promises its own exception where acknowledged records are lost. */
  private CompletableFuture<Void> committed(CompletableFuture<Void> appended) {
    CompletableFuture<Void> translated = new CompletableFuture<>();
    var _ =
        appended.whenComplete(
            (_, failure) -> {
              if (failure == null) {
                translated.complete(null);
              } else {
                translated.completeExceptionally(
                    new DocumentLogException("records of " + partition + " are lost", failure));
              }
            });
    return translated;
  }

  @SuppressWarnings("EnumOrdinal")
  private static AppendResult.Refusal refusal(ErrorCode error) {
    return switch (error) {
      case MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE -> AppendResult.Refusal.TOO_LARGE;
      case INVALID_RECORD, CORRUPT_MESSAGE, INVALID_TIMESTAMP -> AppendResult.Refusal.INVALID;
      default -> AppendResult.Refusal.NOT_AVAILABLE;
    };
  }

  @Override
  public LogChunk read(long fromOffset, int bytesMax, ReadUpTo bound) {
    long from = Math.max(fromOffset, startOffset());
    long stable = endOffset(); // before the read: what lies below it is decided by then
    long end = bound == ReadUpTo.COMMITTED ? stable : appendedEndOffset();
    try {
      return switch (partition.read(from, Math.max(bytesMax, READ_BYTES_MIN), bound(bound))) {
        // Compaction may have removed the last records below the end: a reader that stayed where
        // it is would ask for ever.
        case LogSlice slice when slice.sizeBytes() == 0 ->
            new LogChunk(List.of(), Math.max(from, end));
        case LogSlice slice -> chunk(slice, from, stable);
        case ReadOutcome.OutOfRange range -> outOfRange(from, range);
      };
    } catch (LogException | CorruptBatchException e) {
      throw new DocumentLogException("cannot read " + partition + " at offset " + from, e);
    }
  }

  private static dev.weir.log.ReadUpTo bound(ReadUpTo bound) {
    return switch (bound) {
      case COMMITTED -> dev.weir.log.ReadUpTo.LAST_STABLE;
      case APPENDED -> dev.weir.log.ReadUpTo.LOG_END;
    };
  }

  /** Retention may move the start between our look and the read; then reading goes on there. */
  private LogChunk outOfRange(long from, ReadOutcome.OutOfRange range) {
    if (from < range.logStartOffset()) {
      return new LogChunk(List.of(), range.logStartOffset());
    }
    throw new DocumentLogException("offset " + from + " is beyond the end of " + partition);
  }

  private LogChunk chunk(LogSlice slice, long from, long stable) {
    List<LogEntry> entries = new ArrayList<>();
    long next = from;
    long undecidedFrom = LogChunk.NOTHING_UNDECIDED;
    TransactionalRead transactions =
        new TransactionalRead(stable, partition.abortedTransactions(from, stable));
    for (RecordBatchView batch : slice.batches()) {
      if (!batch.checksumMatches()) {
        throw new CorruptBatchException("checksum does not match: " + batch + " in " + slice);
      }
      next = batch.nextOffset();
      switch (transactions.of(batch)) {
        case STANDS -> add(batch, from, entries);
        case NEVER -> {}
        case UNDECIDED -> undecidedFrom = Math.min(undecidedFrom, batch.baseOffset());
      }
    }
    return new LogChunk(entries, next, undecidedFrom);
  }

  private static void add(RecordBatchView batch, long from, List<LogEntry> entries) {
    int epoch = batch.leaderEpoch();
    batch.forEachRecord(
        decoded -> {
          if (decoded.offset() >= from) {
            entries.add(entry(decoded, epoch));
          }
        });
  }

  private static LogEntry entry(LogRecord decoded, int epoch) {
    return new LogEntry(
        decoded.offset(),
        epoch,
        decoded.timestampMs(),
        decoded.key(),
        decoded.value(),
        decoded.headers().stream()
            .map(
                header ->
                    new RecordHeader(
                        header.key(),
                        header.value() == null ? java.nio.ByteBuffer.allocate(0) : header.value()))
            .toList());
  }

  @Override
  public Subscription onAdvance(Runnable listener) {
    return partition.onAdvance(Runnable::run, listener)::close;
  }

  @Override
  public void close() {
    // The partition belongs to the broker; a reader of it holds nothing.
  }

  @Override
  public String toString() {
    return "LocalDocumentLog[" + partition + "]";
  }
}
