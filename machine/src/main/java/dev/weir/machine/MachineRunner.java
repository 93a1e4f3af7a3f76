package dev.weir.machine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link StateMachine} over one {@link MachineLog}.
 *
 * <p>A command is decided against the newest state, which may not be committed yet; its records are
 * applied and appended as one batch; its replies wait until the batch, and everything decided
 * before, is committed. Then the listeners run, then the replies go out. So an answer never tells
 * of a state that could still be lost, and whoever has an answer finds the listeners' work done.
 *
 * <p>When the log is lost the machine resigns: the state returns to the last committed one, every
 * waiter gets a {@link NotLeaderException}, timers are cancelled. {@link #load} makes it work
 * again; so does the machine itself, after a while, where its settings say so, until {@link
 * #resign} takes that back.
 *
 * <p>All public methods are thread-safe and do not block. Futures complete on the machine's
 * executor: what depends on them must be short, or go elsewhere.
 */
public final class MachineRunner<S, C, R, P> {

  /** Where the machine is in its life. */
  public enum Status {
    /** Made, or resigned: every command is refused. */
    RESIGNED,
    /** The log is being replayed: commands wait. */
    LOADING,
    /** Commands are decided. */
    ACTIVE
  }

  private static final Logger LOG = LoggerFactory.getLogger(MachineRunner.class);

  /** A decision whose commit is awaited. A decision without records waits for those before it. */
  private record Undelivered<S, P>(long endOffset, S stateAfter, List<Reply<P>> replies) {}

  /** A set timer; a fired one whose object is no longer in the map was replaced meanwhile. */
  private static final class SetTimer {
    private Timers.Cancellable handle = () -> {};
  }

  private final StateMachine<S, C, R, P> machine;
  private final MachineLog<R> log;
  private final MachineHost host;
  private final MachineSettings settings;
  private final Mailbox mailbox;
  private final List<StateListener<S>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicInteger waitingCommands = new AtomicInteger();

  private volatile Status status = Status.RESIGNED;
  private volatile S committed;

  // What follows belongs to the mailbox.
  // Invariant: newest equals the last undelivered stateAfter, or committed where there is none.
  private S newest;
  private final ArrayDeque<Undelivered<S, P>> undelivered = new ArrayDeque<>();
  private long appendedOffset;
  private long committedOffset;

  /** Rises with every load and resignation, so that commits of an earlier life are told apart. */
  private int life;

  private final Map<Long, CompletableFuture<P>> waiters = new HashMap<>();
  private long nextReplyTo;
  private final Map<String, SetTimer> timers = new HashMap<>();

  /** Whether a machine that has to resign is to load again: from its first load on. */
  private boolean wanted;

  private int failedLives; // resignations since the last commit
  private Timers.Cancellable nextLoad = () -> {};

  public MachineRunner(
      StateMachine<S, C, R, P> machine,
      MachineLog<R> log,
      MachineHost host,
      MachineSettings settings) {
    this.machine = machine;
    this.log = log;
    this.host = host;
    this.settings = settings;
    this.mailbox = new Mailbox(host.executor());
    this.committed = machine.empty();
    this.newest = committed;
    log.whenLost(this::lost);
  }

  private void lost(String reason) {
    mailbox.postFirst(() -> giveWay(reason, null));
  }

  /**
   * Replays the log into the empty state, tells the listeners of the whole, sets the timers and
   * begins to decide. Commands submitted after this call wait for it. Fails, and leaves the machine
   * resigned, where the replay fails.
   */
  public CompletableFuture<Void> load() {
    CompletableFuture<Void> loaded = new CompletableFuture<>();
    mailbox.post(() -> timed("load", () -> doLoad(loaded)));
    return loaded;
  }

  /** Submits a command that needs no time. */
  public CompletableFuture<P> submit(C command) {
    return submit(_ -> command);
  }

  /**
   * Submits a command that is made when its turn comes.
   *
   * @param command from the time then, in milliseconds since the epoch
   * @return the reply once it is committed; fails with {@link NotLeaderException}, {@link
   *     MailboxFullException}, {@link BatchTooLargeException}, or with what {@code decide} threw
   */
  public CompletableFuture<P> submit(LongFunction<? extends C> command) {
    if (waitingCommands.incrementAndGet() > settings.mailboxMax()) {
      waitingCommands.decrementAndGet();
      return CompletableFuture.failedFuture(
          new MailboxFullException(
              "machine="
                  + settings.name()
                  + " has mailboxMax="
                  + settings.mailboxMax()
                  + " commands waiting; try again later"));
    }
    CompletableFuture<P> reply = new CompletableFuture<>();
    mailbox.post(
        () -> {
          waitingCommands.decrementAndGet();
          if (status != Status.ACTIVE) {
            reply.completeExceptionally(notLeader("it is " + status, null));
            return;
          }
          long replyTo = nextReplyTo++;
          waiters.put(replyTo, reply);
          process(command, replyTo);
        });
    return reply;
  }

  /** The last committed state, at no cost. Never older than a reply that the caller has seen. */
  public S state() {
    return committed;
  }

  public Status status() {
    return status;
  }

  /** Adds a listener for commits from now on. See {@link StateListener} for its duties. */
  public void addListener(StateListener<S> listener) {
    listeners.add(listener);
  }

  /**
   * Gives up the lead, before any waiting command: the state returns to the last committed one, and
   * all waiters fail with {@link NotLeaderException}.
   *
   * @return completes when it is done
   */
  public CompletableFuture<Void> resign(String reason) {
    CompletableFuture<Void> resigned = new CompletableFuture<>();
    mailbox.postFirst(
        () -> {
          wanted = false;
          nextLoad.cancel();
          doResign(reason, null);
          resigned.complete(null);
        });
    return resigned;
  }

  private void doLoad(CompletableFuture<Void> loaded) {
    nextLoad.cancel();
    doResign("its log is loaded anew", null);
    status = Status.LOADING;
    S before = committed;
    try {
      newest = machine.empty();
      log.replay(record -> newest = machine.apply(newest, record));
    } catch (RuntimeException e) {
      giveWay("the replay of its log failed", e);
      loaded.completeExceptionally(e);
      return;
    }
    status = Status.ACTIVE;
    wanted = true;
    publish(before, newest);
    machine.timersAfterReplay(newest, host.clock().millis()).forEach(this::set);
    loaded.complete(null);
  }

  /** Resigns because it has to, and loads again later where that is wanted. */
  private void giveWay(String reason, @Nullable Throwable cause) {
    doResign(reason, cause);
    if (!wanted || settings.reload().isEmpty()) {
      return;
    }
    long delayMs = settings.reload().get().delayMs(failedLives++);
    LOG.warn(
        "machine loads its log again: machine={} afterMs={} reason=\"{}\"",
        settings.name(),
        delayMs,
        reason);
    nextLoad.cancel();
    int resignedIn = life;
    nextLoad =
        host.timers()
            .at(
                host.clock().millis() + delayMs,
                () ->
                    mailbox.post(
                        () -> {
                          if (life == resignedIn && wanted) {
                            timed("load", () -> doLoad(new CompletableFuture<>()));
                          }
                        }));
  }

  private void doResign(String reason, @Nullable Throwable cause) {
    life++;
    status = Status.RESIGNED;
    newest = committed;
    undelivered.clear();
    appendedOffset = 0;
    committedOffset = 0;
    timers.values().forEach(timer -> timer.handle.cancel());
    timers.clear();
    List<CompletableFuture<P>> failed = new ArrayList<>(waiters.values());
    waiters.clear();
    if (cause != null) {
      LOG.error("machine resigned: machine={} reason=\"{}\"", settings.name(), reason, cause);
    } else if (!failed.isEmpty()) {
      LOG.info(
          "machine resigned: machine={} reason=\"{}\" waiters={}",
          settings.name(),
          reason,
          failed.size());
    }
    failed.forEach(waiter -> waiter.completeExceptionally(notLeader(reason, cause)));
  }

  private void process(LongFunction<? extends C> maker, long replyTo) {
    long startMs = host.clock().millis();
    String kind = "command";
    try {
      C command = maker.apply(startMs);
      kind = command.getClass().getSimpleName();
      carryOut(machine.decide(newest, command, replyTo));
    } catch (BatchTooLargeException | UnwritableRecordException e) {
      fail(replyTo, e);
    } catch (RuntimeException e) {
      LOG.error("command failed: machine={} kind={}", settings.name(), kind, e);
      fail(replyTo, e);
    }
    logIfSlow(kind, startMs);
  }

  private void carryOut(Decision<R, C, P> decision) {
    S after = newest;
    for (R record : decision.records()) {
      after = machine.apply(after, record);
    }
    for (R soft : decision.transients()) {
      after = machine.apply(after, soft);
    }
    if (!decision.records().isEmpty()) {
      try {
        appendedOffset = log.append(decision.records());
      } catch (BatchTooLargeException | UnwritableRecordException e) {
        throw e; // nothing was written, so the log and the newest state still agree
      } catch (NotLeaderException e) {
        giveWay(String.valueOf(e.getMessage()), null);
        return;
      } catch (RuntimeException e) {
        // What the log holds now is unknown, so the newest state is too.
        giveWay("an append to its log failed", e);
        return;
      }
    }
    newest = after;
    decision.timers().forEach(this::set);
    undelivered.add(new Undelivered<>(appendedOffset, after, decision.replies()));
    if (decision.records().isEmpty()) {
      deliver();
    } else {
      int appendedIn = life;
      long endOffset = appendedOffset;
      log.whenCommitted(endOffset, () -> mailbox.post(() -> onCommitted(appendedIn, endOffset)));
    }
  }

  private void onCommitted(int appendedIn, long endOffset) {
    if (appendedIn == life) {
      committedOffset = Math.max(committedOffset, endOffset);
      failedLives = 0;
      timed("commit", this::deliver);
    }
  }

  private void deliver() {
    List<Reply<P>> replies = new ArrayList<>();
    S after = committed;
    while (!undelivered.isEmpty() && undelivered.getFirst().endOffset() <= committedOffset) {
      Undelivered<S, P> delivered = undelivered.removeFirst();
      after = delivered.stateAfter();
      replies.addAll(delivered.replies());
    }
    publish(committed, after);
    for (Reply<P> reply : replies) {
      CompletableFuture<P> waiter = waiters.remove(reply.replyTo());
      if (waiter != null) {
        waiter.complete(reply.value());
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // an equal state of another identity is told, at no harm
  private void publish(S before, S after) {
    if (before == after) {
      return;
    }
    committed = after;
    for (StateListener<S> listener : listeners) {
      try {
        listener.committed(before, after);
      } catch (RuntimeException e) {
        LOG.error("listener failed: machine={} listener={}", settings.name(), listener, e);
      }
    }
  }

  private void set(Timer<C> timer) {
    SetTimer old = timers.remove(timer.key());
    if (old != null) {
      old.handle.cancel();
    }
    C command = timer.command();
    if (command != null) {
      SetTimer set = new SetTimer();
      timers.put(timer.key(), set);
      set.handle =
          host.timers()
              .at(timer.deadlineMs(), () -> mailbox.post(() -> fire(timer.key(), set, command)));
    }
  }

  private void fire(String key, SetTimer set, C command) {
    if (timers.remove(key, set)) {
      process(_ -> command, Reply.NO_WAITER);
    }
  }

  private void fail(long replyTo, RuntimeException cause) {
    CompletableFuture<P> waiter = waiters.remove(replyTo);
    if (waiter != null) {
      waiter.completeExceptionally(cause);
    }
  }

  private void timed(String kind, Runnable event) {
    long startMs = host.clock().millis();
    event.run();
    logIfSlow(kind, startMs);
  }

  private void logIfSlow(String kind, long startMs) {
    long tookMs = host.clock().millis() - startMs;
    if (tookMs >= settings.slowEventMs()) {
      LOG.warn("slow event: machine={} kind={} tookMs={}", settings.name(), kind, tookMs);
    }
  }

  private NotLeaderException notLeader(String reason, @Nullable Throwable cause) {
    return new NotLeaderException(
        "machine=" + settings.name() + " does not lead its log: " + reason, cause);
  }

  @Override
  public String toString() {
    return "MachineRunner[" + settings.name() + ", " + status + "]";
  }
}
