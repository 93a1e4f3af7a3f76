package dev.weir.search.shard;

import dev.weir.search.error.SearchException;
import dev.weir.search.log.LogEntry;
import dev.weir.search.shard.DocumentState.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows documents again that another shard's record has hidden and hides no more, where they need
 * vectors for it. That comes to light under the locks of {@link Applying}, and a model takes long;
 * so an id waits, and a later turn of its shard has the vectors made and shows the document. Until
 * then it is not seen: never without its vectors, and never beside another record of its id.
 *
 * <p>An index commit that is made while ids wait says that the shard has not seen the records that
 * brought them, so a start after a crash finds them again.
 */
final class Returning {

  /** What documents are read, placed and refused with. */
  record Surroundings(
      IdStates ids,
      Placement placement,
      TailReader reader,
      Vectorizing vectorizing,
      DeadLetters deadLetters) {}

  private final Surroundings surroundings;
  private final List<ReturnQueue> queues = new ArrayList<>(); // of each shard
  private final Lock move;
  private final IntConsumer touched;

  /**
   * Documents of this many shards.
   *
   * @param move held while a document is shown
   * @param touched told of a shard whose index was changed
   */
  Returning(Surroundings surroundings, int shards, Lock move, IntConsumer touched) {
    this.surroundings = surroundings;
    this.move = move;
    this.touched = touched;
    for (int i = 0; i < shards; i++) {
      queues.add(new ReturnQueue());
    }
  }

  /** Takes a document of the shard that is to be shown; under the id's lock. */
  void add(Shard shard, String id) {
    queues.get(shard.number()).add(id);
  }

  /** Whether documents of the shard are still to be shown. */
  boolean isAwaited(int shard) {
    return !queues.get(shard).isEmpty();
  }

  /** Shows documents whose vectors are made, and has those of the next ones made; in a turn. */
  void turn(Shard shard) {
    ReturnQueue queue = queues.get(shard.number());
    ReturnQueue.Batch arrived = queue.arrived();
    if (arrived != null) {
      List<TailEntry> entries = arrived.entries().join();
      for (int i = 0; i < entries.size(); i++) {
        show(shard, arrived.ids().get(i), entries.get(i));
      }
    }
    List<String> ids = new ArrayList<>();
    List<TailEntry> entries = new ArrayList<>();
    // Those that are not to be shown any more leave the queue, and others come next.
    for (List<String> next = queue.next(); ids.isEmpty() && !next.isEmpty(); next = queue.next()) {
      for (String id : next) {
        TailEntry entry = entry(shard, id);
        if (entry != null) {
          ids.add(id);
          entries.add(entry);
        }
      }
    }
    if (!ids.isEmpty()) {
      CompletableFuture<List<TailEntry>> prepared =
          surroundings.vectorizing.prepared(entries, shard::isOver);
      queue.begin(ids, prepared);
      var _ = prepared.whenComplete((_, _) -> shard.wake());
    }
  }

  /** The document of an id that is to be shown, or null if it is not any more. */
  private @Nullable TailEntry entry(Shard shard, String id) {
    DocumentState state;
    LogEntry record;
    Lock stripe = surroundings.ids.lockOf(id);
    stripe.lock();
    try {
      state = hiddenWinner(shard, id);
      record = state == null ? null : ShardedIndex.recordInLog(shard.log(), state.seqNo());
      if (state == null || record == null) {
        queues.get(shard.number()).remove(id);
        return null;
      }
    } finally {
      stripe.unlock();
    }
    return surroundings.reader.again(id, state.as(Presence.VISIBLE), record);
  }

  /** The shard's record of an id, if it stands for the id and is not seen. Under the id's lock. */
  private @Nullable DocumentState hiddenWinner(Shard shard, String id) {
    List<@Nullable DocumentState> states = surroundings.ids.of(id);
    DocumentState own = states.get(shard.number());
    return own != null
            && own.presence() == Presence.SHADOWED
            && IdStates.winner(states, home(id)) == shard.number()
        ? own
        : null;
  }

  private int home(String id) {
    return surroundings.placement.home(id);
  }

  /** Shows a document, unless its id has changed since it was read. */
  private void show(Shard shard, String id, TailEntry prepared) {
    TailEntry entry = surroundings.vectorizing.current(prepared);
    Lock stripe = surroundings.ids.lockOf(id);
    stripe.lock();
    move.lock();
    try {
      DocumentState state = hiddenWinner(shard, id);
      if (state != null && state.seqNo() != entry.offset()) {
        return; // a newer record came, was hidden and is to be shown: the id waits for that one
      }
      queues.get(shard.number()).remove(id);
      if (state != null) {
        show(shard, entry, home(id));
        touched.accept(shard.number());
      }
    } finally {
      move.unlock();
      stripe.unlock();
    }
  }

  private void show(Shard shard, TailEntry entry, int home) {
    switch (entry) {
      case TailEntry.Change change -> {
        try {
          Applying.put(shard, change.id(), change.state(), change.content(), home);
        } catch (IllegalArgumentException e) {
          surroundings.deadLetters.add(shard.number(), change.entry(), Applying.refusal(e));
        }
      }
      case TailEntry.Unreadable(var record, SearchException reason) ->
          surroundings.deadLetters.add(shard.number(), record, reason);
    }
  }
}
