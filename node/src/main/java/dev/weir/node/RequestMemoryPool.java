package dev.weir.node;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory for requests that come in, of both faces together: a count of bytes, which the
 * connections take before they read. Who finds none waits in line and leaves its socket unread, so
 * that waiting costs the sender and not the node.
 *
 * <p>Nobody starves. A reservation is for a whole request, so that one which has it can be finished
 * without any more. Requests of one size class are served in the order in which they asked. Large
 * ones leave a share to small ones, so that those get through while large ones wait; while large
 * ones wait, small ones keep to that share, so that the largest has its turn too. What lies behind
 * a request that is being answered gets memory only while half of it is free. Bodies whose length
 * nobody told grow in steps, and these go before what has not begun; should all memory be in
 * growing bodies, those who wait give up after a while.
 *
 * <p>Thread-safe.
 */
final class RequestMemoryPool
    implements dev.weir.broker.memory.RequestMemory, dev.weir.rest.RequestMemory {
  /** Below this no batch of the usual size would get in. */
  static final long BYTES_MIN = 4L << 20;

  /** A request up to this size is small: heartbeats, fetches, searches, single documents. */
  private static final int SMALL_BYTES_MAX = 64 << 10;

  /** The part of the memory, one in so many, that large requests leave to small ones. */
  private static final int SMALL_SHARE = 8;

  private final long bytesMax;
  private final long smallShareBytes;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock. In the order of arrival; each holds only what waits.
  private final SequencedSet<Lease> small = new LinkedHashSet<>();
  private final SequencedSet<Lease> growing = new LinkedHashSet<>();
  private final SequencedSet<Lease> large = new LinkedHashSet<>();

  private long smallUsed;

  private long used; // 0 <= smallUsed <= used, and used <= bytesMax but for what is held
  private int waiting;

  // What follows from those, for who looks without the lock.
  private volatile boolean isScarce;
  private volatile boolean isAwaited;

  /**
   * @param bytesMax at least {@link #BYTES_MIN}
   */
  RequestMemoryPool(long bytesMax) {
    if (bytesMax < BYTES_MIN) {
      throw new IllegalArgumentException(
          "memory for requests is " + bytesMax + " bytes, expected at least " + BYTES_MIN);
    }
    this.bytesMax = bytesMax;
    this.smallShareBytes = bytesMax / SMALL_SHARE;
  }

  /** Which part of the memory is used first. */
  private enum Share {
    SMALL,
    GROWING,
    LARGE
  }

  /** A piece of the memory, or a place in line. */
  final class Lease
      implements dev.weir.broker.memory.RequestMemory.Reservation,
          dev.weir.rest.RequestMemory.Reservation {
    private enum State {
      WAITING,
      GRANTED,
      RELEASED
    }

    private final int bytes;
    private final Share share;
    private final Executor executor;
    private final Runnable onGranted;
    private volatile State state; // written under the lock

    private Lease(int bytes, Share share, State state, Executor executor, Runnable onGranted) {
      this.bytes = bytes;
      this.share = share;
      this.state = state;
      this.executor = executor;
      this.onGranted = onGranted;
    }

    @Override
    public boolean isGranted() {
      return state == State.GRANTED;
    }

    @Override
    public void release() {
      RequestMemoryPool.this.release(this);
    }
  }

  @Override
  public int requestBytesMax() {
    return (int) Math.min(bytesMax - smallShareBytes, Integer.MAX_VALUE);
  }

  @Override
  public boolean isScarce() {
    return isScarce;
  }

  @Override
  public boolean isAwaited() {
    return isAwaited;
  }

  /** Bytes in use. */
  long used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Lease reserve(int bytes, Executor executor, Runnable onGranted) {
    return bytes <= SMALL_BYTES_MAX
        ? reserve(new Lease(bytes, Share.SMALL, Lease.State.WAITING, executor, onGranted), small)
        : reserve(new Lease(bytes, Share.LARGE, Lease.State.WAITING, executor, onGranted), large);
  }

  @Override
  public Lease reserveMore(int bytes, Executor executor, Runnable onGranted) {
    return reserve(
        new Lease(bytes, Share.GROWING, Lease.State.WAITING, executor, onGranted), growing);
  }

  @Override
  public Lease reserveAhead(int bytes) {
    Lease lease = atOnce(bytes);
    lock.lock();
    try {
      if (waiting == 0 && used + bytes <= bytesMax / 2) {
        grant(lease);
      } else {
        lease.state = Lease.State.RELEASED;
      }
    } finally {
      lock.unlock();
    }
    return lease;
  }

  @Override
  public Lease hold(int bytes) {
    Lease lease = atOnce(bytes);
    lock.lock();
    try {
      grant(lease);
    } finally {
      lock.unlock();
    }
    return lease;
  }

  private Lease atOnce(int bytes) {
    return new Lease(bytes, Share.LARGE, Lease.State.WAITING, Runnable::run, () -> {});
  }

  private Lease reserve(Lease lease, SequencedSet<Lease> line) {
    assert lease.bytes >= 0 && lease.bytes <= requestBytesMax()
        : "bytes=" + lease.bytes + " of " + this;
    lock.lock();
    try {
      if (line.isEmpty() && fits(lease)) {
        grant(lease);
      } else {
        line.addLast(lease);
        waiting++;
        publish();
      }
    } finally {
      lock.unlock();
    }
    return lease;
  }

  private void release(Lease lease) {
    List<Lease> served;
    lock.lock();
    try {
      switch (lease.state) {
        case RELEASED -> {
          return;
        }
        case WAITING -> {
          boolean waited = small.remove(lease) || growing.remove(lease) || large.remove(lease);
          assert waited : "a lease waits in no line of " + this;
          waiting--;
        }
        case GRANTED -> {
          used -= lease.bytes;
          smallUsed -= lease.share == Share.SMALL ? lease.bytes : 0;
        }
      }
      lease.state = Lease.State.RELEASED;
      assert 0 <= smallUsed && smallUsed <= used : this;
      served = serve();
      publish();
    } finally {
      lock.unlock();
    }
    served.forEach(RequestMemoryPool::tell);
  }

  /** Grants to those in line what there is for them. */
  private List<Lease> serve() {
    List<Lease> served = new ArrayList<>();
    serve(growing, served);
    serve(large, served);
    serve(small, served);
    return served;
  }

  private void serve(SequencedSet<Lease> line, List<Lease> served) {
    while (!line.isEmpty() && fits(line.getFirst())) {
      Lease first = line.removeFirst();
      waiting--;
      grant(first);
      served.add(first);
    }
  }

  private boolean fits(Lease lease) {
    long bytes = lease.bytes;
    return used + bytes <= bytesMax
        && switch (lease.share) {
          case SMALL ->
              smallUsed + bytes <= smallShareBytes || (growing.isEmpty() && large.isEmpty());
          case GROWING -> fitsBesideSmall(bytes);
          case LARGE -> growing.isEmpty() && fitsBesideSmall(bytes);
        };
  }

  private boolean fitsBesideSmall(long bytes) {
    return used - smallUsed + bytes <= bytesMax - smallShareBytes;
  }

  private void grant(Lease lease) {
    lease.state = Lease.State.GRANTED;
    used += lease.bytes;
    smallUsed += lease.share == Share.SMALL ? lease.bytes : 0;
    publish();
  }

  private void publish() {
    isScarce = used > bytesMax / 2;
    isAwaited = waiting > 0;
  }

  private static void tell(Lease lease) {
    try {
      lease.executor.execute(lease.onGranted);
    } catch (RejectedExecutionException _) {
      lease.release(); // its event loop is at an end, and so is the connection
    }
  }

  @Override
  public String toString() {
    return "RequestMemoryPool(used="
        + used
        + ", bytesMax="
        + bytesMax
        + ", waiting="
        + waiting
        + ")";
  }
}
