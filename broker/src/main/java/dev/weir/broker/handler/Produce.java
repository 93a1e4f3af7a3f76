package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.partition.AppendErrors;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Partitions;
import dev.weir.log.AppendOrigin;
import dev.weir.log.AppendOutcome;
import dev.weir.log.LogException;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Records;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Produce: appends each partition's batch in the request's own buffer, and answers when the batches
 * are as safe as {@code acks} asks. Each partition succeeds or fails for itself.
 */
public final class Produce implements RequestHandler<ProduceRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(Produce.class);

  private static final short ACKS_NONE = 0;
  private static final short ACKS_LEADER = 1;
  private static final short ACKS_ALL = -1;

  /** The first version that names topics by id. */
  private static final short TOPIC_IDS = 13;

  private final Partitions partitions;

  public Produce(Partitions partitions) {
    this.partitions = partitions;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.PRODUCE;
  }

  @Override
  public Class<ProduceRequest> requestType() {
    return ProduceRequest.class;
  }

  /** The log copies the batches into the page cache before {@link #handle} returns. */
  @Override
  public RequestBytes requestBytes() {
    return RequestBytes.SHARED;
  }

  @Override
  public void handle(Exchange exchange, ProduceRequest request) {
    ProduceResult result = new ProduceResult(exchange, request);
    for (TopicProduceData topic : request.topicData()) {
      for (PartitionProduceData data : topic.partitionData()) {
        produce(exchange, request, topic, data, result);
      }
    }
    switch (request.acks()) {
      case ACKS_NONE -> {
        if (result.anyFailed()) {
          // There is no answer that could tell it: a closed connection makes the client look anew.
          LOG.debug("produce with acks=0 failed, connection closed: {}", exchange);
          exchange.close();
        } else {
          exchange.endWithoutReply();
        }
      }
      // The leader is the only replica: its acknowledgement and everybody's are the same, and both
      // stand for what the topic's flush policy makes of the append.
      case ACKS_LEADER, ACKS_ALL -> result.replyWhenCommitted(request.timeoutMs());
      default -> result.reply();
    }
  }

  private void produce(
      Exchange exchange,
      ProduceRequest request,
      TopicProduceData topic,
      PartitionProduceData data,
      ProduceResult result) {
    if (request.acks() < ACKS_ALL || request.acks() > ACKS_LEADER) {
      result.failed(ErrorCode.INVALID_REQUIRED_ACKS, null);
      return;
    }
    Lookup lookup =
        exchange.apiVersion() >= TOPIC_IDS
            ? partitions.find(topic.topicId(), data.index())
            : partitions.find(topic.name(), data.index());
    switch (lookup) {
      case Lookup.Missing(ErrorCode error) -> result.failed(error, null);
      case Lookup.Found(Partition partition) -> {
        Optional<BatchCheck.Fault> fault =
            BatchCheck.fault(data.records(), exchange.apiVersion(), request.transactionalId());
        if (partition.unusable() != ErrorCode.NONE) {
          result.failed(partition.unusable(), null);
        } else if (fault.isPresent()) {
          result.failed(fault.get().error(), fault.get().message());
        } else if (partitions.isInternal(partition.topicPartition().topic())) {
          result.failed(
              ErrorCode.INVALID_TOPIC_EXCEPTION, "clients may not write to an internal topic");
        } else {
          append(partition, buffer(data.records()), result);
        }
      }
    }
  }

  private static void append(Partition partition, ByteBuffer batch, ProduceResult result) {
    try {
      AppendOutcome outcome = partition.append(batch, AppendOrigin.CLIENT);
      switch (outcome) {
        case AppendOutcome.Appended(
                long baseOffset,
                long lastOffset,
                long logAppendTimeMs,
                long logStartOffset) ->
            result.appended(partition, lastOffset, baseOffset, logAppendTimeMs, logStartOffset);
        case AppendOutcome.Duplicate(
                long baseOffset,
                long lastOffset,
                long timestampMs,
                long logStartOffset) ->
            result.appended(partition, lastOffset, baseOffset, timestampMs, logStartOffset);
        case AppendOutcome.Refused refused ->
            result.failed(AppendErrors.codeOf(refused.reason()), refused.message());
        case AppendOutcome.EndOffsetMoved moved ->
            throw new IllegalStateException("unconditional append answered " + moved);
      }
    } catch (LogException e) {
      result.failed(partition.errorOf(e), null);
    }
  }

  private static ByteBuffer buffer(@Nullable Records records) {
    if (records instanceof BufferRecords buffered) {
      return buffered.buffer();
    }
    throw new IllegalStateException("records of a request are not in its buffer: " + records);
  }

  /** The partitions of a request, for the size of its result. */
  static int partitionCount(List<TopicProduceData> topics) {
    int count = 0;
    for (TopicProduceData topic : topics) {
      count += topic.partitionData().size();
    }
    return count;
  }
}
