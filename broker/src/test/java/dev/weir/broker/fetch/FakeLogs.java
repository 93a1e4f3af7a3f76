package dev.weir.broker.fetch;

import dev.weir.broker.fetch.Look.Bounds;
import dev.weir.broker.fetch.Look.Least;
import dev.weir.log.ReadUpTo;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchResponse.PartitionData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Logs in memory, of records of one byte count each, that mark who looks at them. */
final class FakeLogs implements SessionSource {
  /** What a look has found; records are the offsets from the one to before the other. */
  record FakeLook(
      String topic,
      UUID topicId,
      int number,
      long from,
      long to,
      int bytes,
      ErrorCode error,
      Bounds bounds,
      boolean mayHaveMore)
      implements Look {
    @Override
    public boolean isUrgent() {
      return error != ErrorCode.NONE;
    }

    @Override
    public PartitionData response() {
      return PartitionData.DEFAULT.withPartitionIndex(number).withErrorCode(error.code());
    }

    String name() {
      return topic + "-" + number;
    }
  }

  /** One log. */
  static final class FakeLog {
    private final List<Integer> sizes = new ArrayList<>();
    private final Set<SessionPartition> watchers = new LinkedHashSet<>();
    private long startOffset;
    private long unstable = Long.MAX_VALUE;
    private boolean gone;

    long endOffset() {
      return sizes.size();
    }

    Bounds bounds() {
      return new Bounds(endOffset(), Math.min(unstable, endOffset()), startOffset);
    }

    long bound(ReadUpTo upTo) {
      return upTo == ReadUpTo.LAST_STABLE ? bounds().lastStableOffset() : endOffset();
    }

    void append(int bytes) {
      sizes.add(bytes);
      moved();
    }

    /** A transaction begins, or ends. */
    void stableUpTo(long offset) {
      unstable = offset;
      moved();
    }

    void startAt(long offset) {
      startOffset = offset;
      moved();
    }

    private void moved() {
      for (SessionPartition watcher : List.copyOf(watchers)) {
        if (watcher.hasLeft()) {
          watchers.remove(watcher);
        } else if (watcher.note()) {
          watcher.tell();
        }
      }
    }
  }

  private final Map<String, FakeLog> logByName = new HashMap<>();
  private final Map<SessionPartition, FakeLog> linked = new HashMap<>();
  private ReadUpTo bound = ReadUpTo.HIGH_WATERMARK;
  private int looks;

  FakeLog create(String topic, int number) {
    FakeLog log = new FakeLog();
    logByName.put(topic + "-" + number, log);
    return log;
  }

  Optional<FakeLog> find(String topic, int number) {
    return Optional.ofNullable(logByName.get(topic + "-" + number));
  }

  void delete(String topic, int number) {
    FakeLog log = logByName.remove(topic + "-" + number);
    if (log != null) {
      log.gone = true;
      log.moved();
    }
  }

  void readUpTo(ReadUpTo newBound) {
    bound = newBound;
  }

  /** The number of looks since the last call. */
  int takeLooks() {
    int taken = looks;
    looks = 0;
    return taken;
  }

  @Override
  public Look look(SessionPartition partition, int limitBytes, Least least) {
    looks++;
    String topic = partition.topic().name();
    int number = partition.number();
    UUID id = partition.topic().id();
    FakeLog log = linked.get(partition);
    if (log == null || log.gone) {
      log = logByName.get(topic + "-" + number);
      if (log == null) {
        linked.remove(partition);
        return failed(topic, id, number, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
      }
      linked.put(partition, log);
      log.watchers.add(partition);
    }
    FetchPartition wanted = partition.wanted();
    long offset = wanted.fetchOffset();
    if (offset < log.startOffset || offset > log.endOffset()) {
      return failed(topic, id, number, ErrorCode.OFFSET_OUT_OF_RANGE);
    }
    int limit = Math.min(limitBytes, wanted.partitionMaxBytes());
    long end = log.bound(bound);
    long to = offset;
    int bytes = 0;
    while (to < end
        && (bytes + log.sizes.get((int) to) <= limit || (bytes == 0 && least == Least.ONE_BATCH))) {
      bytes += log.sizes.get((int) to);
      to++;
    }
    boolean mayHaveMore = bytes > 0 || (least == Least.NOTHING && offset < end);
    return new FakeLook(
        topic, id, number, offset, to, bytes, ErrorCode.NONE, log.bounds(), mayHaveMore);
  }

  private static FakeLook failed(String topic, UUID id, int number, ErrorCode why) {
    return new FakeLook(topic, id, number, 0, 0, 0, why, Bounds.UNKNOWN, /* mayHaveMore= */ false);
  }
}
