package dev.weir.broker.fetch;

import dev.weir.broker.timing.LoopTask;
import dev.weir.log.ReadUpTo;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchPartition;
import dev.weir.protocol.message.FetchRequest.FetchTopic;
import dev.weir.protocol.message.FetchRequest.ForgottenTopic;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fetch session (KIP-227): the partitions that a client has named and not forgotten, and which of
 * them are to be looked at.
 *
 * <p>Invariant: a partition is dirty, or is marked, or what the client was last told of it is what
 * it says now and has no records for it. A move happens first and marks then; a look takes the mark
 * back first and reads then. So between a move and its mark the invariant waits for the mark, and
 * no move is lost.
 *
 * <p>Owned by the event loop of its connection; others only mark partitions.
 */
final class FetchSession {
  /** For whose sake it is there. */
  enum Owner {
    CONSUMER,
    /** A broker that follows: it is never refused a session, nor has to give one up. */
    REPLICA
  }

  /** Epoch that a session expects first, and again after the greatest. */
  private static final int FIRST_EPOCH = 1;

  /** The map is made anew when so few of the partitions that it once had are left. */
  private static final int SHRINK_FACTOR = 4;

  private static final int SHRINK_FROM = 64;

  private static final Logger LOG = LoggerFactory.getLogger(FetchSession.class);

  private record TopicKey(String name, UUID id) {}

  /** The topic is compared by identity: there is one object for each in a session. */
  private record PartitionKey(SessionTopic topic, int number) {}

  private final int id;
  private final Owner owner;
  private final TopicNaming naming;
  private final Executor loop;
  private final Runnable wakeTask = new LoopTask(this::awake);
  private final Map<TopicKey, SessionTopic> topicByKey = new HashMap<>();
  private Map<PartitionKey, SessionPartition> partitionByKey = new HashMap<>();
  private int mostPartitions;
  private long nameBytes;
  private final DirtyList dirty = new DirtyList();
  private final Marks marks = new Marks();

  private int expectedEpoch = FIRST_EPOCH;
  private @Nullable ReadUpTo bound;
  private @Nullable Runnable onMark;

  FetchSession(int id, Owner owner, TopicNaming naming, Executor loop) {
    assert id > FetchAnswer.NO_SESSION : "id=" + id;
    this.id = id;
    this.owner = owner;
    this.naming = naming;
    this.loop = loop;
  }

  int id() {
    return id;
  }

  Owner owner() {
    return owner;
  }

  boolean isEmpty() {
    return partitionByKey.isEmpty();
  }

  int size() {
    return partitionByKey.size();
  }

  /** In no particular order. */
  Collection<SessionPartition> partitions() {
    return Collections.unmodifiableCollection(partitionByKey.values());
  }

  /** What it is held to cost; see {@link SessionBytes}. */
  long costBytes() {
    return SessionBytes.of(topicByKey.size(), mostPartitions, nameBytes);
  }

  /**
   * Takes an incremental request in, or says why not, with nothing changed.
   *
   * @param requestNaming how the version of the request names topics
   */
  ErrorCode accept(FetchRequest request, TopicNaming requestNaming) {
    if (request.sessionEpoch() != expectedEpoch) {
      return ErrorCode.INVALID_FETCH_SESSION_EPOCH;
    }
    if (requestNaming != naming) {
      return ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR;
    }
    expectedEpoch = epochAfter(expectedEpoch);
    want(request);
    return ErrorCode.NONE;
  }

  /** Epoch 0 begins a session, so it is left out when they begin again. */
  static int epochAfter(int epoch) {
    return epoch == Integer.MAX_VALUE ? FIRST_EPOCH : epoch + 1;
  }

  /** Adds and changes what a request names, and removes what it forgets. */
  void want(FetchRequest request) {
    for (FetchTopic topic : request.topics()) {
      for (FetchPartition wanted : topic.partitions()) {
        SessionPartition partition = partition(topic, wanted.partition());
        partition.want(wanted);
        dirty.add(partition);
      }
    }
    for (ForgottenTopic forgotten : request.forgottenTopicsData()) {
      forget(forgotten);
    }
    mostPartitions = Math.max(mostPartitions, partitionByKey.size());
    if (mostPartitions >= SHRINK_FROM && partitionByKey.size() < mostPartitions / SHRINK_FACTOR) {
      partitionByKey = new HashMap<>(partitionByKey); // a map does not give its table back
      mostPartitions = partitionByKey.size();
    }
  }

  private SessionPartition partition(FetchTopic named, int number) {
    SessionTopic topic =
        topicByKey.computeIfAbsent(new TopicKey(named.topic(), named.topicId()), this::newTopic);
    return partitionByKey.computeIfAbsent(
        new PartitionKey(topic, number),
        _ -> {
          topic.partitions++;
          return new SessionPartition(this, topic, number);
        });
  }

  private SessionTopic newTopic(TopicKey key) {
    nameBytes += SessionBytes.ofName(key.name);
    return new SessionTopic(key.name, key.id);
  }

  private void forget(ForgottenTopic forgotten) {
    TopicKey key = new TopicKey(forgotten.topic(), forgotten.topicId());
    for (int number : forgotten.partitions()) {
      SessionTopic topic = topicByKey.get(key);
      if (topic == null) {
        return;
      }
      SessionPartition partition = partitionByKey.remove(new PartitionKey(topic, number));
      if (partition != null) {
        dirty.remove(partition);
        partition.leave();
        topic.partitions--;
        if (topic.partitions == 0) {
          topicByKey.remove(key);
          nameBytes -= SessionBytes.ofName(key.name);
        }
      }
    }
  }

  /**
   * Says how far requests read from now on; where that is new all partitions are to be looked at.
   */
  void readUpTo(ReadUpTo newBound) {
    if (newBound != bound) {
      bound = newBound;
      partitionByKey.values().forEach(dirty::add);
    }
  }

  DirtyList dirty() {
    return dirty;
  }

  Marks marks() {
    return marks;
  }

  /** Calls {@code act} on the loop at the next mark, once; false if there is one already. */
  boolean awaitMark(Runnable act) {
    onMark = act;
    return marks.await();
  }

  void stopWaiting() {
    onMark = null;
    marks.stopWaiting();
  }

  /** Tells the loop of a mark. Any thread. */
  void wake() {
    try {
      loop.execute(wakeTask);
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop has ended, and the connection of {} with it", this, e);
    }
  }

  private void awake() {
    Runnable act = onMark;
    if (act != null) { // else the answer has left while this was on its way
      act.run();
    }
  }

  /** Leaves all partitions. */
  void end() {
    stopWaiting();
    partitionByKey.values().forEach(SessionPartition::leave);
  }

  @Override
  public String toString() {
    return "FetchSession[id="
        + id
        + ", owner="
        + owner
        + ", naming="
        + naming
        + ", expectedEpoch="
        + expectedEpoch
        + ", partitions="
        + partitionByKey.size()
        + ", dirty="
        + dirty.size()
        + "]";
  }
}
