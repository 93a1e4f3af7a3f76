package dev.weir.broker.fetch;

import dev.weir.protocol.message.FetchResponse.PartitionData;
import java.util.UUID;

/** What one look at a partition has found. */
interface Look {
  /** What a look gives at least, where there is something to read. */
  enum Least {
    /** One batch whatever its size: the answer has no records yet. */
    ONE_BATCH,
    NOTHING
  }

  /** As the request named the topic; empty where it gave the id. */
  String topic();

  UUID topicId();

  /** Bytes of records. */
  int bytes();

  /** True if the client has to learn something other than records, at once. */
  boolean isUrgent();

  /** True if there are records that did not fit, or may be. */
  boolean mayHaveMore();

  /** Where the partition was when it was looked at, or where it had been: never later. */
  Bounds bounds();

  /** What the answer says of the partition. */
  PartitionData response();

  /** The offsets that an answer tells of a partition. */
  record Bounds(long highWatermark, long lastStableOffset, long logStartOffset) {
    private static final long NO_OFFSET = -1;

    /** Of a partition that cannot be read, or of which nothing was told. */
    static final Bounds UNKNOWN = new Bounds(NO_OFFSET, NO_OFFSET, NO_OFFSET);
  }
}
