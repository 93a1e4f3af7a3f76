package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Partitions;
import dev.weir.log.LogConfig.CleanupPolicy;
import dev.weir.log.LogException;
import dev.weir.log.PartitionLog;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DeleteRecordsRequest;
import dev.weir.protocol.message.DeleteRecordsRequest.DeleteRecordsPartition;
import dev.weir.protocol.message.DeleteRecordsRequest.DeleteRecordsTopic;
import dev.weir.protocol.message.DeleteRecordsResponse;
import dev.weir.protocol.message.DeleteRecordsResponse.DeleteRecordsPartitionResult;
import dev.weir.protocol.message.DeleteRecordsResponse.DeleteRecordsTopicResult;
import java.util.ArrayList;
import java.util.List;

/** DeleteRecords: what lies before an offset is gone for readers, and its segments with it. */
public final class DeleteRecords implements RequestHandler<DeleteRecordsRequest> {
  /** Stands for the high watermark. */
  private static final long ALL_COMMITTED = -1;

  private static final long NO_OFFSET = -1;

  private final Partitions partitions;

  public DeleteRecords(Partitions partitions) {
    this.partitions = partitions;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.DELETE_RECORDS;
  }

  @Override
  public Class<DeleteRecordsRequest> requestType() {
    return DeleteRecordsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, DeleteRecordsRequest request) {
    List<DeleteRecordsTopicResult> topics = new ArrayList<>(request.topics().size());
    for (DeleteRecordsTopic topic : request.topics()) {
      List<DeleteRecordsPartitionResult> results = new ArrayList<>(topic.partitions().size());
      for (DeleteRecordsPartition wanted : topic.partitions()) {
        results.add(delete(topic.name(), wanted));
      }
      topics.add(new DeleteRecordsTopicResult(topic.name(), results));
    }
    exchange.reply(DeleteRecordsResponse.DEFAULT.withTopics(topics));
  }

  private DeleteRecordsPartitionResult delete(String topic, DeleteRecordsPartition wanted) {
    return switch (partitions.find(topic, wanted.partitionIndex())) {
      case Lookup.Missing(ErrorCode error) -> failed(wanted, error);
      case Lookup.Found(Partition partition) ->
          partitions.isInternal(topic)
              ? failed(wanted, ErrorCode.INVALID_TOPIC_EXCEPTION)
              : delete(partition, wanted);
    };
  }

  private static DeleteRecordsPartitionResult delete(
      Partition partition, DeleteRecordsPartition wanted) {
    PartitionLog log = partition.log();
    if (!log.config().cleanupPolicies().contains(CleanupPolicy.DELETE)) {
      return failed(wanted, ErrorCode.POLICY_VIOLATION);
    }
    long highWatermark = log.highWatermark();
    long offset = wanted.offset() == ALL_COMMITTED ? highWatermark : wanted.offset();
    if (offset < 0 || offset > highWatermark) {
      return failed(wanted, ErrorCode.OFFSET_OUT_OF_RANGE);
    }
    try {
      log.advanceLogStartOffset(offset);
    } catch (LogException e) {
      return failed(wanted, partition.errorOf(e));
    }
    return new DeleteRecordsPartitionResult(
        wanted.partitionIndex(), log.logStartOffset(), ErrorCode.NONE.code());
  }

  private static DeleteRecordsPartitionResult failed(
      DeleteRecordsPartition wanted, ErrorCode error) {
    return new DeleteRecordsPartitionResult(wanted.partitionIndex(), NO_OFFSET, error.code());
  }
}
