package dev.weir.broker.fetch;

import dev.weir.broker.partition.Lookup;
import dev.weir.log.ReadUpTo;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.FetchRequest;

/**
 * Who fetches, and how far he may read.
 *
 * @param replicaId id of the broker that follows; negative for consumers
 */
record Reader(int replicaId, ReadUpTo bound) {
  /** No partition has followers. */
  static final Lookup NO_FOLLOWERS = new Lookup.Missing(ErrorCode.NOT_LEADER_OR_FOLLOWER);

  private static final byte READ_COMMITTED = 1;
  private static final int CONSUMER = -1;
  private static final int DEBUGGING_CONSUMER = -2;

  static Reader of(FetchRequest request) {
    int replicaId =
        request.replicaId() == CONSUMER ? request.replicaState().replicaId() : request.replicaId();
    return new Reader(replicaId, bound(request, replicaId));
  }

  boolean isReplica() {
    return replicaId >= 0;
  }

  private static ReadUpTo bound(FetchRequest request, int replicaId) {
    if (replicaId == DEBUGGING_CONSUMER) {
      return ReadUpTo.LOG_END;
    }
    return request.isolationLevel() == READ_COMMITTED
        ? ReadUpTo.LAST_STABLE
        : ReadUpTo.HIGH_WATERMARK;
  }
}
