package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.partition.Acknowledgement;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.timing.Timeout;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.ProduceRequest;
import dev.weir.protocol.message.ProduceRequest.PartitionProduceData;
import dev.weir.protocol.message.ProduceRequest.TopicProduceData;
import dev.weir.protocol.message.ProduceResponse;
import dev.weir.protocol.message.ProduceResponse.LeaderIdAndEpoch;
import dev.weir.protocol.message.ProduceResponse.PartitionProduceResponse;
import dev.weir.protocol.message.ProduceResponse.TopicProduceResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of each partition of one produce request, in the request's order; waits for those
 * that are to be committed first. Owned by the event loop of the connection.
 */
final class ProduceResult {
  /** Of one partition; {@code required} and {@code partition} where it was appended. */
  private static final class Entry {
    final ErrorCode appendError;
    final @Nullable String message;
    final long baseOffset;
    final long logAppendTimeMs;
    final long logStartOffset;
    final @Nullable Partition partition;
    final long requiredOffset;
    ErrorCode commitError = ErrorCode.NONE;
    @Nullable Acknowledgement waiting;

    private Entry(ErrorCode appendError, @Nullable String message) {
      this.appendError = appendError;
      this.message = message;
      this.baseOffset = -1;
      this.logAppendTimeMs = -1;
      this.logStartOffset = -1;
      this.partition = null;
      this.requiredOffset = -1;
    }

    private Entry(
        Partition partition,
        long lastOffset,
        long baseOffset,
        long logAppendTimeMs,
        long logStartOffset) {
      this.appendError = ErrorCode.NONE;
      this.message = null;
      this.baseOffset = baseOffset;
      this.logAppendTimeMs = logAppendTimeMs;
      this.logStartOffset = logStartOffset;
      this.partition = partition;
      this.requiredOffset = lastOffset + 1;
    }
  }

  private final Exchange exchange;
  private final ProduceRequest request;
  private final List<Entry> entries;
  private int unanswered;
  private @Nullable Timeout timeout;

  ProduceResult(Exchange exchange, ProduceRequest request) {
    this.exchange = exchange;
    this.request = request;
    this.entries = new ArrayList<>(Produce.partitionCount(request.topicData()));
  }

  /** The next partition failed. */
  void failed(ErrorCode error, @Nullable String message) {
    entries.add(new Entry(error, message));
  }

  /** The next partition's batch is in the log. */
  void appended(
      Partition partition,
      long lastOffset,
      long baseOffset,
      long logAppendTimeMs,
      long logStartOffset) {
    entries.add(new Entry(partition, lastOffset, baseOffset, logAppendTimeMs, logStartOffset));
  }

  boolean anyFailed() {
    return entries.stream().anyMatch(entry -> entry.appendError != ErrorCode.NONE);
  }

  /** Answers once everything appended is committed, or after {@code timeoutMs}. */
  void replyWhenCommitted(int timeoutMs) {
    for (Entry entry : entries) {
      Partition partition = entry.partition;
      if (partition != null && partition.log().highWatermark() < entry.requiredOffset) {
        entry.waiting =
            new Acknowledgement(
                entry.requiredOffset, exchange.loop(), outcome -> onOutcome(entry, outcome));
        unanswered++;
      }
    }
    if (unanswered == 0) {
      reply();
      return;
    }
    exchange.whenClientGone(this::cancel);
    timeout = exchange.timers().after(timeoutMs, this::onTimeout);
    for (Entry entry : entries) {
      if (entry.partition != null && entry.waiting != null) {
        entry.partition.await(entry.waiting);
      }
    }
    exchange.letNextBegin(); // everything is appended, so the order of appends is safe
  }

  /** Answers with what is known now. */
  void reply() {
    List<TopicProduceResponse> topics = new ArrayList<>(request.topicData().size());
    int next = 0;
    for (TopicProduceData topic : request.topicData()) {
      List<PartitionProduceResponse> partitions = new ArrayList<>(topic.partitionData().size());
      for (PartitionProduceData data : topic.partitionData()) {
        partitions.add(response(data.index(), entries.get(next)));
        next++;
      }
      topics.add(new TopicProduceResponse(topic.name(), topic.topicId(), partitions));
    }
    exchange.reply(new ProduceResponse(topics, 0, List.of()));
  }

  private void onOutcome(Entry entry, ErrorCode outcome) {
    if (entry.waiting == null) {
      return; // it timed out while the outcome was on its way
    }
    entry.waiting = null;
    entry.commitError = outcome;
    unanswered--;
    if (unanswered == 0) {
      Timeout running = timeout;
      if (running != null) {
        running.cancel();
      }
      reply();
    }
  }

  private void onTimeout() {
    for (Entry entry : entries) {
      if (entry.waiting != null) {
        entry.commitError = ErrorCode.REQUEST_TIMED_OUT;
      }
    }
    cancel();
    reply();
  }

  private void cancel() {
    Timeout running = timeout;
    if (running != null) {
      running.cancel();
    }
    for (Entry entry : entries) {
      Acknowledgement waiting = entry.waiting;
      if (entry.partition != null && waiting != null) {
        entry.partition.cancel(waiting);
        entry.waiting = null;
      }
    }
  }

  private static PartitionProduceResponse response(int index, Entry entry) {
    ErrorCode error = entry.appendError == ErrorCode.NONE ? entry.commitError : entry.appendError;
    boolean failed = error != ErrorCode.NONE;
    return new PartitionProduceResponse(
        index,
        error.code(),
        failed ? -1 : entry.baseOffset,
        failed ? -1 : entry.logAppendTimeMs,
        failed ? -1 : entry.logStartOffset,
        List.of(),
        entry.message,
        LeaderIdAndEpoch.DEFAULT);
  }
}
