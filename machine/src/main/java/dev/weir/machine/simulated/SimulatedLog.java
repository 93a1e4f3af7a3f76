package dev.weir.machine.simulated;

import dev.weir.machine.MachineLog;
import dev.weir.machine.NotLeaderException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log in memory that commits and loses on command. An offset counts records. Single-threaded.
 *
 * <p>Invariant: {@code 0 <= committedOffset <= records.size()}.
 */
public final class SimulatedLog<R> implements MachineLog<R> {

  /** When appended records become committed. */
  public enum Commit {
    /** As soon as they are appended. */
    AT_ONCE,
    /** By {@link SimulatedLog#commitTo} or {@link SimulatedLog#commitAll}. */
    BY_HAND
  }

  private record Waiter(long endOffset, Runnable done) {}

  private final Commit commit;
  private final List<List<R>> batches = new ArrayList<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private long endOffset;
  private long committedOffset;
  private @Nullable RuntimeException nextFailure;
  private Consumer<String> lost = _ -> {};

  public SimulatedLog(Commit commit) {
    this.commit = commit;
  }

  /** Has the next append throw this. */
  public void failNextAppend(RuntimeException failure) {
    nextFailure = failure;
  }

  /** Has the next append find that another node leads. */
  public void loseLeadership() {
    failNextAppend(new NotLeaderException("another node leads"));
  }

  @Override
  public long append(List<R> records) {
    if (records.isEmpty()) {
      throw new IllegalArgumentException("a batch has at least one record");
    }
    RuntimeException failure = nextFailure;
    if (failure != null) {
      nextFailure = null;
      throw failure;
    }
    batches.add(List.copyOf(records));
    endOffset += records.size();
    if (commit == Commit.AT_ONCE) {
      committedOffset = endOffset;
    }
    return endOffset;
  }

  @Override
  public void whenCommitted(long offset, Runnable done) {
    if (offset <= committedOffset) {
      done.run();
    } else {
      waiters.add(new Waiter(offset, done));
    }
  }

  @Override
  public void whenLost(Consumer<String> told) {
    lost = told;
  }

  /** Loses what is not committed, and says so. */
  public void fail(String reason) {
    truncate();
    lost.accept(reason);
  }

  @Override
  public void replay(Consumer<R> into) {
    truncate();
    batches.forEach(batch -> batch.forEach(into));
  }

  /** Commits everything below the offset, which must be the end of a batch. */
  public void commitTo(long offset) {
    if (offset < committedOffset || offset > endOffset) {
      throw new IllegalArgumentException(
          "offset is " + offset + ", expected " + committedOffset + ".." + endOffset);
    }
    committedOffset = offset;
    List<Waiter> ready = new ArrayList<>();
    for (Iterator<Waiter> i = waiters.iterator(); i.hasNext(); ) {
      Waiter waiter = i.next();
      if (waiter.endOffset() <= offset) {
        i.remove();
        ready.add(waiter);
      }
    }
    ready.forEach(waiter -> waiter.done().run());
  }

  public void commitAll() {
    commitTo(endOffset);
  }

  /** Drops what is not committed, and who waits for it: what a change of leaders may do. */
  public void truncate() {
    waiters.clear();
    while (endOffset > committedOffset) {
      endOffset -= batches.removeLast().size();
    }
  }

  /** Batches, in order, that are committed. */
  public List<List<R>> committedBatches() {
    List<List<R>> result = new ArrayList<>();
    long offset = 0;
    for (List<R> batch : batches) {
      offset += batch.size();
      if (offset <= committedOffset) {
        result.add(batch);
      }
    }
    return result;
  }

  /** Records, in order, that are committed. */
  public List<R> committedRecords() {
    return committedBatches().stream().flatMap(List::stream).toList();
  }

  /** End offsets of the batches that are not committed. */
  public List<Long> uncommittedEnds() {
    List<Long> result = new ArrayList<>();
    long offset = 0;
    for (List<R> batch : batches) {
      offset += batch.size();
      if (offset > committedOffset) {
        result.add(offset);
      }
    }
    return result;
  }

  public long endOffset() {
    return endOffset;
  }
}
