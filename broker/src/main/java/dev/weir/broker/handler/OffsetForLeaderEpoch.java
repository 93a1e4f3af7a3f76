package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Partitions;
import dev.weir.log.EpochEnd;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderPartition;
import dev.weir.protocol.message.OffsetForLeaderEpochRequest.OffsetForLeaderTopic;
import dev.weir.protocol.message.OffsetForLeaderEpochResponse;
import dev.weir.protocol.message.OffsetForLeaderEpochResponse.EpochEndOffset;
import dev.weir.protocol.message.OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult;
import java.util.ArrayList;
import java.util.List;

/** OffsetForLeaderEpoch: where a leader epoch ends, by which a client sees a cut-off log. */
public final class OffsetForLeaderEpoch implements RequestHandler<OffsetForLeaderEpochRequest> {
  private final Partitions partitions;

  public OffsetForLeaderEpoch(Partitions partitions) {
    this.partitions = partitions;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.OFFSET_FOR_LEADER_EPOCH;
  }

  @Override
  public Class<OffsetForLeaderEpochRequest> requestType() {
    return OffsetForLeaderEpochRequest.class;
  }

  @Override
  public void handle(Exchange exchange, OffsetForLeaderEpochRequest request) {
    List<OffsetForLeaderTopicResult> topics = new ArrayList<>(request.topics().size());
    for (OffsetForLeaderTopic topic : request.topics()) {
      List<EpochEndOffset> ends = new ArrayList<>(topic.partitions().size());
      for (OffsetForLeaderPartition wanted : topic.partitions()) {
        ends.add(find(topic.topic(), wanted));
      }
      topics.add(new OffsetForLeaderTopicResult(topic.topic(), ends));
    }
    exchange.reply(new OffsetForLeaderEpochResponse(0, topics));
  }

  private EpochEndOffset find(String topic, OffsetForLeaderPartition wanted) {
    return switch (partitions.find(topic, wanted.partition())) {
      case Lookup.Missing(ErrorCode error) -> failed(wanted, error);
      case Lookup.Found(Partition partition) -> {
        ErrorCode error = partition.checkLeaderEpoch(wanted.currentLeaderEpoch());
        if (error != ErrorCode.NONE) {
          yield failed(wanted, error);
        }
        EpochEnd end = partition.log().endOffsetForEpoch(wanted.leaderEpoch());
        yield new EpochEndOffset(
            ErrorCode.NONE.code(), wanted.partition(), end.epoch(), end.endOffset());
      }
    };
  }

  private static EpochEndOffset failed(OffsetForLeaderPartition wanted, ErrorCode error) {
    return new EpochEndOffset(
        error.code(), wanted.partition(), EpochEnd.UNKNOWN.epoch(), EpochEnd.UNKNOWN.endOffset());
  }
}
