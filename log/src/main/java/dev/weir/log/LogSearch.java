package dev.weir.log;

import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.batch.LogRecord;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.log.batch.RecordReader;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.LogSegment.Place;
import dev.weir.log.segment.SegmentList;
import java.util.Optional;
import java.util.OptionalLong;

/** Look-ups in a list of segments, without a lock: by offset and by time. */
final class LogSearch {
  private LogSearch() {}

  /** How much a read gives where one batch is larger than the limit. */
  enum Least {
    ONE_BATCH,
    NOTHING
  }

  /** The place of the batch that holds {@code offset}, or of the next one. */
  static LogOffset locate(SegmentList segments, long offset) {
    int index = segments.floor(offset);
    while (true) {
      LogSegment segment = segments.get(index);
      long size = segment.sizeBytes();
      long position = segment.positionOf(offset, size);
      // Compaction leaves gaps at the end of a segment: the next one has what follows.
      if (position < size || index + 1 == segments.size()) {
        return new LogOffset(offset, segment.baseOffset(), position);
      }
      index++;
    }
  }

  /** Whole batches from the one that holds {@code offset} on, below {@code end}. */
  static LogSlice read(
      SegmentList segments, long offset, int maxBytes, LogOffset end, Least least) {
    int index = segments.floor(offset);
    while (true) {
      LogSegment segment = segments.get(index);
      long limit = segment.sizeBytes();
      if (segment.baseOffset() == end.segmentBase()) {
        limit = Math.min(limit, end.position());
      } else if (segment.baseOffset() > end.segmentBase()) {
        limit = 0;
      }
      Place first =
          offset < end.offset() ? segment.placeOf(offset, limit) : new Place(limit, limit);
      long start = first.start();
      if (start >= limit && offset < end.offset() && index + 1 < segments.size()) {
        index++;
        continue;
      }
      long stop = start;
      if (first.end() - start <= maxBytes) {
        stop = segment.wholeBatchesEnd(start, Math.max(maxBytes, 0), limit);
      } else if (least == Least.ONE_BATCH) {
        stop = first.end();
      }
      return new LogSlice(segment.shared(), start, Math.toIntExact(stop - start), offset);
    }
  }

  /** The first record from {@code logStartOffset} on that is not earlier. */
  static Optional<TimestampOffset> firstNotBefore(
      SegmentList segments, long timestampMs, long logStartOffset) {
    for (LogSegment segment : segments.all()) {
      OptionalLong largest = segment.largestTimestamp();
      if (largest.isPresent() && largest.getAsLong() >= timestampMs) {
        Optional<TimestampOffset> found =
            firstNotBefore(
                segment, segment.positionBefore(timestampMs), timestampMs, logStartOffset);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<TimestampOffset> firstNotBefore(
      LogSegment segment, long position, long timestampMs, long logStartOffset) {
    BatchScan headers = segment.scanHeaders(position);
    while (segment.next(headers)) {
      RecordBatchView header = headers.batch();
      if (header.maxTimestamp() >= timestampMs && header.lastOffset() >= logStartOffset) {
        BatchScan whole = segment.scanBatches(headers.position());
        if (!segment.next(whole)) {
          return Optional.empty(); // cut off meanwhile
        }
        Optional<TimestampOffset> found;
        try {
          found = firstInBatch(whole.batch(), timestampMs, logStartOffset);
        } catch (CorruptBatchException e) {
          // Its checksum may be right: nobody has looked into a client's records so far.
          throw new CorruptFileException(
              e.getMessage()
                  + ", at position="
                  + headers.position()
                  + " of file="
                  + segment.file());
        }
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<TimestampOffset> firstInBatch(
      RecordBatchView batch, long timestampMs, long logStartOffset) {
    try (RecordReader records = batch.records()) {
      while (records.hasNext()) {
        LogRecord record = records.next();
        if (record.timestampMs() >= timestampMs && record.offset() >= logStartOffset) {
          return Optional.of(
              new TimestampOffset(record.timestampMs(), record.offset(), batch.leaderEpoch()));
        }
      }
    }
    return Optional.empty();
  }

  /** The first of the records with the largest timestamp. */
  static Optional<TimestampOffset> ofLargestTimestamp(SegmentList segments, long logStartOffset) {
    Optional<LogSegment> latest = Optional.empty();
    long largest = -1;
    for (LogSegment segment : segments.all()) {
      OptionalLong candidate = segment.largestTimestamp();
      if (candidate.isPresent() && candidate.getAsLong() > largest) {
        latest = Optional.of(segment);
        largest = candidate.getAsLong();
      }
    }
    if (latest.isEmpty()) {
      return Optional.empty();
    }
    LogSegment segment = latest.get();
    return firstNotBefore(
        segment, segment.positionBeforeLargestTimestamp(), largest, logStartOffset);
  }
}
