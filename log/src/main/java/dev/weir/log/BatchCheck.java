package dev.weir.log;

import static dev.weir.log.batch.RecordBatchView.HEADER_BYTES;
import static dev.weir.log.batch.RecordBatchView.NO_TIMESTAMP;
import static dev.weir.log.batch.RecordBatchView.PREFIX_BYTES;

import dev.weir.log.LogConfig.TimestampSource;
import dev.weir.log.batch.BatchRewrite;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.InflatedTooLargeException;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checks of an append that need no lock: of each batch its size, format, checksum, counts and
 * timestamps. Records are decoded only where the topic is compacted (keys) or asks for another
 * codec than the producer's.
 */
final class BatchCheck {
  /** What the checks found. */
  sealed interface Result {}

  /**
   * Batches to append.
   *
   * @param bytes the batches, between position and limit; shares the bytes that the caller gave,
   *     unless they had to be written anew
   * @param batches views of them
   * @param maxTimestamp largest timestamp
   * @param logAppendTimeMs what was stamped, or {@link AppendOutcome#NO_TIMESTAMP}
   */
  record Sound(
      ByteBuffer bytes, List<RecordBatchView> batches, long maxTimestamp, long logAppendTimeMs)
      implements Result {
    int sizeBytes() {
      return bytes.remaining();
    }

    RecordBatchView first() {
      return batches.getFirst();
    }
  }

  /** Batches to refuse. */
  record Unsound(AppendOutcome.Refused refused) implements Result {}

  private static final int MAGIC_AT = 16;

  /**
   * Where a client's batch has to be decoded, its records may inflate to this much, or to {@code
   * max.message.bytes} where that is more: the usual batch of 1 MiB may shrink to a thirtieth.
   */
  static final long INFLATED_BYTES_MAX = 32 << 20;

  private final LogConfig config;
  private final AppendOrigin origin;
  private final long nowMs;
  private final List<RecordBatchView> batches = new ArrayList<>(1);
  private long maxTimestamp = NO_TIMESTAMP;
  private long spanOffsets;
  private AppendOutcome.@Nullable Refused refusal; // the first

  private BatchCheck(LogConfig config, AppendOrigin origin, long nowMs) {
    this.config = config;
    this.origin = origin;
    this.nowMs = nowMs;
  }

  /** Checks the batches between position and limit, which stay; stamps the append time. */
  static Result of(ByteBuffer given, LogConfig config, AppendOrigin origin, long nowMs) {
    return new BatchCheck(config, origin, nowMs).check(given.duplicate());
  }

  private Result check(ByteBuffer bytes) {
    int start = bytes.position();
    int end = start;
    while (refusal == null) {
      long available = (long) bytes.limit() - end;
      if (available <= MAGIC_AT) {
        break;
      }
      long size = PREFIX_BYTES + (long) bytes.getInt(end + Long.BYTES);
      if (size > available) {
        break; // a client may send a cut-off batch at the end; it is left out
      }
      if (!checkFormat(bytes, end, size)) {
        break;
      }
      RecordBatchView batch = RecordBatchView.at(bytes, end);
      if (!checkBatch(batch)) {
        break;
      }
      batches.add(batch);
      maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
      end += batch.sizeInBytes();
    }
    checkWhole(bytes.limit() - start, end - start);
    if (refusal != null) {
      return new Unsound(refusal);
    }
    return origin == AppendOrigin.REPLICATION
        ? new Sound(bytes.limit(end), batches, maxTimestamp, NO_TIMESTAMP)
        : rewriteWhereNeeded(bytes.limit(end));
  }

  private boolean checkFormat(ByteBuffer bytes, int at, long size) {
    byte magic = bytes.get(at + MAGIC_AT);
    if (magic == 0 || magic == 1) {
      return refuse(
          Refusal.UNSUPPORTED_FORMAT, "message format is " + magic + ", expected 2" + place());
    }
    if (magic != RecordBatchView.MAGIC || size < HEADER_BYTES) {
      return refuse(
          Refusal.CORRUPT_BATCH,
          "batch has magic "
              + magic
              + " and size "
              + size
              + ", expected magic 2 and size of at"
              + " least "
              + HEADER_BYTES
              + place());
    }
    return true;
  }

  private boolean checkBatch(RecordBatchView batch) {
    if (!batch.checksumMatches()) {
      return refuse(
          Refusal.CORRUPT_BATCH,
          "checksum is " + batch.computeChecksum() + ", expected " + batch.checksum() + place());
    }
    int codec = batch.attributes() & 7;
    Optional<Compression> compression = Compression.ofId(codec);
    if (compression.isEmpty()) {
      return refuse(Refusal.CORRUPT_BATCH, "codec is " + codec + ", expected 0..4" + place());
    }
    spanOffsets += batch.lastOffsetDelta() + 1L;
    if (batch.lastOffsetDelta() < 0 || spanOffsets > Integer.MAX_VALUE) {
      return refuse(
          Refusal.INVALID_RECORD,
          "last offset delta is " + batch.lastOffsetDelta() + ", expected 0 or more" + place());
    }
    if (origin == AppendOrigin.REPLICATION) {
      return true;
    }
    if (batch.sizeInBytes() > config.maxMessageBytes()) {
      return refuse(
          Refusal.RECORD_TOO_LARGE,
          "batch has "
              + batch.sizeInBytes()
              + " bytes, max.message.bytes="
              + config.maxMessageBytes()
              + place());
    }
    if (origin == AppendOrigin.CLIENT && !checkClient(batch, compression.get())) {
      return false;
    }
    if (!config.compacted() || batch.isControl()) {
      return true;
    }
    return origin == AppendOrigin.CLIENT ? checkRecords(batch) : checkKeys(batch);
  }

  private boolean checkClient(RecordBatchView batch, Compression compression) {
    if (batch.isControl()) {
      return refuse(Refusal.INVALID_RECORD, "a client sent a control batch" + place());
    }
    int count = batch.recordCount();
    int bytes = batch.sizeInBytes() - HEADER_BYTES;
    if (count != batch.lastOffsetDelta() + 1
        || (compression == Compression.NONE && count > bytes)) {
      return refuse(
          Refusal.INVALID_RECORD,
          "batch has "
              + count
              + " records, last offset delta "
              + batch.lastOffsetDelta()
              + " and "
              + bytes
              + " bytes of records"
              + place());
    }
    if (batch.hasProducerId() && batch.baseSequence() < 0) {
      return refuse(
          Refusal.INVALID_RECORD,
          "base sequence is "
              + batch.baseSequence()
              + " with producerId="
              + batch.producerId()
              + place());
    }
    return config.timestampSource() == TimestampSource.LOG_APPEND_TIME || checkTimestamps(batch);
  }

  private boolean checkTimestamps(RecordBatchView batch) {
    if (batch.isLogAppendTime()) {
      return refuse(
          Refusal.INVALID_TIMESTAMP, "a client claims the log-append time for a batch" + place());
    }
    long oldest = batch.baseTimestamp();
    long newest = batch.maxTimestamp();
    // Not the age against the bound: of a time far before the epoch it is more than a long holds.
    boolean tooOld = oldest != NO_TIMESTAMP && oldest < nowMs - config.timestampBeforeMaxMs();
    boolean tooNew = newest != NO_TIMESTAMP && newest - nowMs > config.timestampAfterMaxMs();
    if (tooOld || tooNew) {
      return refuse(
          Refusal.INVALID_TIMESTAMP,
          "timestamps are "
              + oldest
              + ".."
              + newest
              + " at "
              + nowMs
              + ", message.timestamp.before.max.ms="
              + config.timestampBeforeMaxMs()
              + ", message.timestamp.after.max.ms="
              + config.timestampAfterMaxMs()
              + place());
    }
    return true;
  }

  /**
   * Decodes all of a client's records. A compacted topic is read inside the node too, by compaction
   * and by indexes, which could not go on behind a batch that nobody can decode.
   */
  private boolean checkRecords(RecordBatchView batch) {
    try (RecordReader records = batch.records(inflatedBytesMax())) {
      long expected = batch.baseOffset();
      while (records.hasNext()) {
        LogRecord next = records.next();
        if (next.key() == null) {
          return refuse(Refusal.KEY_REQUIRED, "a record of a compacted topic has no key" + place());
        }
        if (next.offset() != expected) {
          return refuse(
              Refusal.INVALID_RECORD,
              "a record has offset delta "
                  + (next.offset() - batch.baseOffset())
                  + ", expected "
                  + (expected - batch.baseOffset())
                  + place());
        }
        expected++;
      }
      return true;
    } catch (CorruptBatchException e) {
      return refuse(Refusal.CORRUPT_BATCH, String.valueOf(e.getMessage()));
    } catch (InflatedTooLargeException e) {
      return refuse(Refusal.RECORD_TOO_LARGE, e.getMessage() + place());
    }
  }

  /** The records of one batch are decoded by the thread that serves other clients, in its heap. */
  private long inflatedBytesMax() {
    return Math.max(INFLATED_BYTES_MAX, config.maxMessageBytes());
  }

  private boolean checkKeys(RecordBatchView batch) {
    try {
      return BatchRewrite.allRecordsHaveKeys(batch, Long.MAX_VALUE)
          || refuse(Refusal.KEY_REQUIRED, "a record of a compacted topic has no key" + place());
    } catch (CorruptBatchException e) {
      return refuse(Refusal.CORRUPT_BATCH, String.valueOf(e.getMessage()));
    }
  }

  private void checkWhole(int givenBytes, int wholeBytes) {
    if (refusal != null) {
      return;
    }
    if (batches.isEmpty()) {
      refuse(Refusal.CORRUPT_BATCH, "no whole batch in " + givenBytes + " bytes");
    } else if (wholeBytes > config.segmentBytes() && origin != AppendOrigin.REPLICATION) {
      refuse(
          Refusal.BATCHES_TOO_LARGE,
          "batches have " + wholeBytes + " bytes, segment.bytes=" + config.segmentBytes());
    }
  }

  private Result rewriteWhereNeeded(ByteBuffer bytes) {
    ByteBuffer toWrite = bytes;
    List<RecordBatchView> views = batches;
    if (config.compression().isPresent() && origin == AppendOrigin.CLIENT) {
      Compression wanted = config.compression().get();
      if (views.stream().anyMatch(batch -> batch.compression() != wanted)) {
        try {
          toWrite = BatchRewrite.recompress(views, wanted, inflatedBytesMax());
          views = BatchRewrite.views(toWrite);
        } catch (CorruptBatchException e) {
          return new Unsound(
              new AppendOutcome.Refused(Refusal.CORRUPT_BATCH, String.valueOf(e.getMessage())));
        } catch (InflatedTooLargeException e) {
          return new Unsound(
              new AppendOutcome.Refused(Refusal.RECORD_TOO_LARGE, String.valueOf(e.getMessage())));
        }
        checkRewritten(views, toWrite.remaining());
        if (refusal != null) {
          return new Unsound(refusal);
        }
      }
    }
    if (config.timestampSource() == TimestampSource.CREATE_TIME || views.getFirst().isControl()) {
      return new Sound(toWrite, views, maxTimestamp, NO_TIMESTAMP);
    }
    views.forEach(batch -> batch.stampLogAppendTime(nowMs));
    return new Sound(toWrite, views, nowMs, nowMs);
  }

  /** Under another codec the batches may be larger than those that came. */
  private void checkRewritten(List<RecordBatchView> views, int wholeBytes) {
    for (RecordBatchView batch : views) {
      if (refusal == null && batch.sizeInBytes() > config.maxMessageBytes()) {
        refuse(
            Refusal.RECORD_TOO_LARGE,
            "batch has "
                + batch.sizeInBytes()
                + " bytes under compression.type="
                + batch.compression().text()
                + ", max.message.bytes="
                + config.maxMessageBytes());
      }
    }
    checkWhole(wholeBytes, wholeBytes);
  }

  private boolean refuse(Refusal reason, String message) {
    refusal = new AppendOutcome.Refused(reason, message);
    return false;
  }

  private String place() {
    return ", in batch " + batches.size() + " of the append";
  }
}
