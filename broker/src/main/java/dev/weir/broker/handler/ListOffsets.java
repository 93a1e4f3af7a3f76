package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Partitions;
import dev.weir.log.LogException;
import dev.weir.log.PartitionLog;
import dev.weir.log.ReadUpTo;
import dev.weir.log.TimestampOffset;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.ListOffsetsRequest;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.weir.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.weir.protocol.message.ListOffsetsResponse;
import dev.weir.protocol.message.ListOffsetsResponse.ListOffsetsPartitionResponse;
import dev.weir.protocol.message.ListOffsetsResponse.ListOffsetsTopicResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * ListOffsets: the offset of a partition at a time, or at one of the special places that negative
 * times stand for. What a client cannot fetch yet, it is not told of.
 */
public final class ListOffsets implements RequestHandler<ListOffsetsRequest> {
  private static final long LATEST = -1;
  private static final long EARLIEST = -2;
  private static final long MAX_TIMESTAMP = -3;
  private static final long EARLIEST_LOCAL = -4;
  private static final long LATEST_TIERED = -5;
  private static final long EARLIEST_PENDING_UPLOAD = -6;

  private static final byte READ_COMMITTED = 1;
  private static final long NONE = -1;
  private static final int NO_EPOCH = -1;

  private final Partitions partitions;

  /** Older answers have no room for the epoch. */
  private static final short FIRST_WITH_LEADER_EPOCH = 4;

  public ListOffsets(Partitions partitions) {
    this.partitions = partitions;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.LIST_OFFSETS;
  }

  @Override
  public Class<ListOffsetsRequest> requestType() {
    return ListOffsetsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, ListOffsetsRequest request) {
    ReadUpTo bound =
        request.replicaId() != -1
            ? ReadUpTo.LOG_END
            : request.isolationLevel() == READ_COMMITTED
                ? ReadUpTo.LAST_STABLE
                : ReadUpTo.HIGH_WATERMARK;
    List<ListOffsetsTopicResponse> topics = new ArrayList<>(request.topics().size());
    for (ListOffsetsTopic topic : request.topics()) {
      List<ListOffsetsPartitionResponse> found = new ArrayList<>(topic.partitions().size());
      for (ListOffsetsPartition wanted : topic.partitions()) {
        ListOffsetsPartitionResponse answer =
            find(topic.name(), wanted, bound, exchange.apiVersion());
        found.add(
            exchange.apiVersion() < FIRST_WITH_LEADER_EPOCH
                ? answer.withLeaderEpoch(NO_EPOCH)
                : answer);
      }
      topics.add(new ListOffsetsTopicResponse(topic.name(), found));
    }
    exchange.reply(new ListOffsetsResponse(0, topics));
  }

  private ListOffsetsPartitionResponse find(
      String topic, ListOffsetsPartition wanted, ReadUpTo bound, short version) {
    if (version < sinceVersion(wanted.timestamp())) {
      return failed(wanted, ErrorCode.UNSUPPORTED_VERSION);
    }
    return switch (partitions.find(topic, wanted.partitionIndex())) {
      case Lookup.Missing(ErrorCode error) -> failed(wanted, error);
      case Lookup.Found(Partition partition) -> {
        ErrorCode epochError = partition.checkLeaderEpoch(wanted.currentLeaderEpoch());
        yield epochError == ErrorCode.NONE
            ? find(partition, wanted, bound)
            : failed(wanted, epochError);
      }
    };
  }

  private static ListOffsetsPartitionResponse find(
      Partition partition, ListOffsetsPartition wanted, ReadUpTo bound) {
    PartitionLog log = partition.log();
    long boundOffset =
        switch (bound) {
          case HIGH_WATERMARK -> log.highWatermark();
          case LAST_STABLE -> log.lastStableOffset();
          case LOG_END -> log.logEndOffset();
        };
    long timestamp = wanted.timestamp();
    try {
      if (timestamp == LATEST) {
        return found(wanted, NONE, boundOffset, partition.leaderEpoch());
      }
      if (timestamp == EARLIEST || timestamp == EARLIEST_LOCAL) {
        long start = log.logStartOffset();
        return found(wanted, NONE, start, EpochLookup.epochAt(log, start));
      }
      if (timestamp == LATEST_TIERED || timestamp == EARLIEST_PENDING_UPLOAD) {
        return found(wanted, NONE, NONE, NO_EPOCH); // nothing is tiered, nothing waits to be
      }
      return (timestamp == MAX_TIMESTAMP
              ? log.offsetOfMaxTimestamp()
              : log.offsetForTimestamp(timestamp))
          .filter(record -> record.offset() < boundOffset)
          .map(record -> found(wanted, record))
          .orElseGet(() -> found(wanted, NONE, NONE, NO_EPOCH));
    } catch (LogException e) {
      return failed(wanted, partition.errorOf(e));
    }
  }

  /** The first version of the request that knows a special time; the lowest one for ordinary. */
  private static short sinceVersion(long timestamp) {
    if (timestamp >= EARLIEST) {
      return ListOffsetsRequest.LOWEST_VERSION;
    }
    if (timestamp == MAX_TIMESTAMP) {
      return 7;
    }
    if (timestamp == EARLIEST_LOCAL) {
      return 8;
    }
    if (timestamp == LATEST_TIERED) {
      return 9;
    }
    if (timestamp == EARLIEST_PENDING_UPLOAD) {
      return 11;
    }
    return Short.MAX_VALUE; // no version knows it
  }

  private static ListOffsetsPartitionResponse found(
      ListOffsetsPartition wanted, TimestampOffset record) {
    return found(wanted, record.timestampMs(), record.offset(), record.leaderEpoch());
  }

  private static ListOffsetsPartitionResponse found(
      ListOffsetsPartition wanted, long timestamp, long offset, int leaderEpoch) {
    return new ListOffsetsPartitionResponse(
        wanted.partitionIndex(), ErrorCode.NONE.code(), timestamp, offset, leaderEpoch);
  }

  private static ListOffsetsPartitionResponse failed(ListOffsetsPartition wanted, ErrorCode error) {
    return new ListOffsetsPartitionResponse(
        wanted.partitionIndex(), error.code(), NONE, NONE, NO_EPOCH);
  }
}
