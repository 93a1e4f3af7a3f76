package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Partitions;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DescribeLogDirsRequest;
import dev.weir.protocol.message.DescribeLogDirsRequest.DescribableLogDirTopic;
import dev.weir.protocol.message.DescribeLogDirsResponse;
import dev.weir.protocol.message.DescribeLogDirsResponse.DescribeLogDirsPartition;
import dev.weir.protocol.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import dev.weir.protocol.message.DescribeLogDirsResponse.DescribeLogDirsTopic;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DescribeLogDirs: the data directory, its file system's room, and the size of each log in it. */
public final class DescribeLogDirs implements RequestHandler<DescribeLogDirsRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(DescribeLogDirs.class);

  private static final long UNKNOWN = -1;
  private static final long NO_LAG = 0;

  private final Partitions partitions;

  public DescribeLogDirs(Partitions partitions) {
    this.partitions = partitions;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.DESCRIBE_LOG_DIRS;
  }

  @Override
  public Class<DescribeLogDirsRequest> requestType() {
    return DescribeLogDirsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, DescribeLogDirsRequest request) {
    Map<String, List<DescribeLogDirsPartition>> byTopic = new TreeMap<>();
    List<DescribableLogDirTopic> asked = request.topics();
    Map<String, Set<Integer>> wanted = new HashMap<>();
    if (asked != null) {
      for (DescribableLogDirTopic topic : asked) {
        wanted.computeIfAbsent(topic.topic(), _ -> new HashSet<>()).addAll(topic.partitions());
      }
    }
    for (Partition partition : partitions.all()) {
      String topic = partition.topicPartition().topic();
      int number = partition.topicPartition().partition();
      if (asked == null || wanted.getOrDefault(topic, Set.of()).contains(number)) {
        byTopic
            .computeIfAbsent(topic, _ -> new ArrayList<>())
            .add(
                new DescribeLogDirsPartition(
                    number, partition.log().sizeBytes(), NO_LAG, /* isFutureKey= */ false));
      }
    }
    List<DescribeLogDirsTopic> topics = new ArrayList<>(byTopic.size());
    byTopic.forEach((name, found) -> topics.add(new DescribeLogDirsTopic(name, found)));
    exchange.reply(DescribeLogDirsResponse.DEFAULT.withResults(List.of(result(topics))));
  }

  private DescribeLogDirsResult result(List<DescribeLogDirsTopic> topics) {
    Path path = partitions.directory().path().toAbsolutePath();
    long totalBytes = UNKNOWN;
    long usableBytes = UNKNOWN;
    try {
      FileStore store = Files.getFileStore(path);
      totalBytes = store.getTotalSpace();
      usableBytes = store.getUsableSpace();
    } catch (IOException e) {
      LOG.warn("the room of the file system is not known: directory={}", path, e);
    }
    return DescribeLogDirsResult.DEFAULT
        .withErrorCode(ErrorCode.NONE.code())
        .withLogDir(path.toString())
        .withTopics(topics)
        .withTotalBytes(totalBytes)
        .withUsableBytes(usableBytes);
  }
}
