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
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DeleteRecords: what lies before an offset is gone for readers, and its segments with it. */
public final class DeleteRecords implements RequestHandler<DeleteRecordsRequest> {
  /** Stands for the high watermark. */
  private static final long ALL_COMMITTED = -1;

  private static final long NO_OFFSET = -1;

  private static final Logger LOG = LoggerFactory.getLogger(DeleteRecords.class);

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
    DeleteRecordsResponse response = DeleteRecordsResponse.DEFAULT.withTopics(topics);
    if (topics.stream().noneMatch(DeleteRecords::hasDeleted)) {
      exchange.reply(response);
      return;
    }
    // A sync must not hold up the event loop.
    exchange.replyWith(
        CompletableFuture.supplyAsync(() -> durable(response), Thread::startVirtualThread));
  }

  private static boolean hasDeleted(DeleteRecordsTopicResult topic) {
    return topic.partitions().stream()
        .anyMatch(partition -> partition.errorCode() == ErrorCode.NONE.code());
  }

  /** What was deleted must not come back after a crash: the new starts are on the disk first. */
  private DeleteRecordsResponse durable(DeleteRecordsResponse response) {
    try {
      partitions.directory().writeLogStartOffsets();
      return response;
    } catch (LogException e) {
      LOG.error("new log start offsets cannot be made durable", e);
      return response.withTopics(
          response.topics().stream()
              .map(
                  topic ->
                      topic.withPartitions(
                          topic.partitions().stream().map(DeleteRecords::notDurable).toList()))
              .toList());
    }
  }

  private static DeleteRecordsPartitionResult notDurable(DeleteRecordsPartitionResult result) {
    return result.errorCode() == ErrorCode.NONE.code()
        ? new DeleteRecordsPartitionResult(
            result.partitionIndex(), NO_OFFSET, ErrorCode.KAFKA_STORAGE_ERROR.code())
        : result;
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
      partition.advanceLogStartOffset(offset);
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
