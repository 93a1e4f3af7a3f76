package dev.weir.broker.fetch;

import dev.weir.broker.fetch.Look.Least;
import dev.weir.broker.partition.Lookup;
import dev.weir.broker.partition.Partition;
import dev.weir.broker.partition.Partitions;
import dev.weir.protocol.ErrorCode;
import java.util.concurrent.atomic.LongAdder;

/** The looks of one request of a session at the partitions of this broker. */
final class SessionReads implements SessionSource {
  private final Partitions partitions;
  private final Reader reader;
  private final TopicNaming naming;
  private final LongAdder looks;

  /**
   * @param looks counts the looks
   */
  SessionReads(Partitions partitions, Reader reader, TopicNaming naming, LongAdder looks) {
    this.partitions = partitions;
    this.reader = reader;
    this.naming = naming;
    this.looks = looks;
  }

  @Override
  public Look look(SessionPartition partition, int limitBytes, Least least) {
    looks.increment();
    SessionTopic topic = partition.topic();
    PartitionFetch fetch =
        new PartitionFetch(
            topic.name(), topic.id(), partition.wanted(), find(partition), reader.bound());
    fetch.read(limitBytes, least);
    return fetch;
  }

  private Lookup find(SessionPartition partition) {
    if (reader.isReplica()) {
      return Reader.NO_FOLLOWERS;
    }
    Partition linked = partition.partition();
    if (linked != null && linked.unusable() == ErrorCode.NONE) {
      return new Lookup.Found(linked);
    }
    return switch (find(partition.topic(), partition.number())) {
      case Lookup.Found(Partition found) -> {
        if (!found.equals(linked)) {
          partition.attach(found);
          partition.topic().isFoundAs(found.topicPartition().topic());
        }
        yield new Lookup.Found(found);
      }
      case Lookup.Missing(ErrorCode why) -> {
        partition.detach();
        yield new Lookup.Missing(inTermsOfSession(why, partition));
      }
    };
  }

  private Lookup find(SessionTopic topic, int number) {
    return switch (naming) {
      case NAME -> partitions.find(topic.name(), number);
      case ID -> partitions.find(topic.id(), number);
    };
  }

  /** A topic that the session once had, and whose name another one has now, was created anew. */
  private ErrorCode inTermsOfSession(ErrorCode why, SessionPartition partition) {
    String name = partition.topic().foundName();
    if (why != ErrorCode.UNKNOWN_TOPIC_ID || name == null) {
      return why;
    }
    return partitions.find(name, partition.number()) instanceof Lookup.Found
        ? ErrorCode.INCONSISTENT_TOPIC_ID
        : why;
  }
}
