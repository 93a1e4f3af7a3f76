package dev.weir.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.machine.Backoff;
import dev.weir.machine.BatchTooLargeException;
import dev.weir.machine.MachineHost;
import dev.weir.machine.MachineLog;
import dev.weir.machine.MachineRunner;
import dev.weir.machine.MachineSettings;
import dev.weir.machine.NotLeaderException;
import dev.weir.machine.UnwritableRecordException;
import dev.weir.metadata.TopicNames;
import dev.weir.search.catalog.Catalog;
import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.CatalogRecord;
import dev.weir.search.catalog.CatalogRecordCodec;
import dev.weir.search.catalog.CatalogReply;
import dev.weir.search.catalog.SetAside;
import dev.weir.search.log.AppendResult;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.DocumentRecord;
import dev.weir.search.log.LogChunk;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.LogTopics;
import dev.weir.search.log.ReadUpTo;
import dev.weir.search.log.Subscription;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog over its topic: a machine whose log is the one partition of {@value #NAME}. Safe for
 * any thread.
 */
final class CatalogTopic implements CatalogLog, AutoCloseable {
  /** Name of the internal, compacted topic. */
  static final String NAME = TopicNames.WEIR_CATALOG;

  /** Definitions are read whole; a mapping of a thousand fields is some hundred kilobytes. */
  private static final String RECORD_BYTES_MAX = Integer.toString(16 << 20);

  /** Its log may be written to again soon, or only after the next start of the node. */
  private static final Backoff RELOAD = new Backoff(100, 10_000);

  private final MachineRunner<Catalog, CatalogCommand, CatalogRecord, CatalogReply> runner;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  private CatalogTopic(DocumentLog log, MachineHost host) {
    this.runner =
        new MachineRunner<>(
            new CatalogMachine(),
            new PartitionLog(log, host.clock()),
            host,
            MachineSettings.named("catalog").reloading(RELOAD));
    runner.addListener(
        (before, after) -> listeners.forEach(listener -> listener.changed(before, after)));
  }

  /**
   * Opens the catalog, creating its topic on first use, and replays it. Blocks until it is there.
   *
   * @throws StartFailure if the topic can neither be found nor created
   */
  static CatalogTopic open(LogTopics topics, MachineHost host) {
    if (topics.topic(NAME).isEmpty()) {
      LogTopics.Creation created =
          topics
              .create(
                  NAME,
                  1,
                  Map.of("cleanup.policy", "compact", "max.message.bytes", RECORD_BYTES_MAX))
              .join();
      if (created instanceof LogTopics.Creation.Refused(String message)) {
        throw new StartFailure(
            "cannot create the topic " + NAME + " of index definitions: " + message);
      }
    }
    CatalogTopic catalog = new CatalogTopic(topics.open(NAME, 0), host);
    catalog.runner.load().join();
    return catalog;
  }

  @Override
  public Catalog catalog() {
    return runner.state();
  }

  @Override
  public CompletableFuture<CatalogReply> submit(CatalogCommand command) {
    return runner.submit(command);
  }

  @Override
  public Subscription onChange(Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public void close() {
    runner.resign("the node stops").join();
  }

  /** The topic's partition as the log of the machine. */
  private static final class PartitionLog implements MachineLog<CatalogRecord> {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionLog.class);
    private static final int REPLAY_BYTES = 1 << 20;

    private final DocumentLog log;
    private final InstantSource clock;
    private Consumer<String> lost = _ -> {};
    private CompletableFuture<Void> lastAppend = CompletableFuture.completedFuture(null);
    private long lastEndOffset;

    PartitionLog(DocumentLog log, InstantSource clock) {
      this.log = log;
      this.clock = clock;
    }

    @Override
    public void whenLost(Consumer<String> told) {
      lost = told;
    }

    @Override
    public long append(List<CatalogRecord> records) {
      List<DocumentRecord> encoded = records.stream().map(this::encode).toList();
      long expected = log.appendedEndOffset();
      return switch (log.append(encoded, expected)) {
        case AppendResult.Appended(long baseOffset, _, CompletableFuture<Void> committed) -> {
          lastAppend = committed;
          lastEndOffset = baseOffset + records.size();
          yield lastEndOffset;
        }
        // Only this machine may write here; another's record was not decided by it.
        case AppendResult.EndOffsetMoved(long endOffset) ->
            throw new NotLeaderException(
                NAME + " was written by others: endOffset=" + endOffset + " expected=" + expected);
        case AppendResult.Refused(var refusal, String message) ->
            throw switch (refusal) {
              case TOO_LARGE -> new BatchTooLargeException(NAME + " refuses it: " + message);
              case INVALID, NOT_AVAILABLE ->
                  new NotLeaderException(NAME + " takes no records: " + refusal + ", " + message);
            };
      };
    }

    private DocumentRecord encode(CatalogRecord change) {
      try {
        return new DocumentRecord(
            clock.millis(),
            CatalogRecordCodec.key(change),
            CatalogRecordCodec.value(change),
            List.of());
      } catch (RuntimeException e) {
        // JSON may hold what our writer does not write, such as the last level of nesting.
        throw new UnwritableRecordException(e);
      }
    }

    @Override
    public void whenCommitted(long endOffset, Runnable done) {
      assert endOffset == lastEndOffset : endOffset + " is not the last append's " + lastEndOffset;
      var _ =
          lastAppend.whenComplete(
              (_, failure) -> {
                if (failure == null) {
                  done.run();
                } else {
                  lost.accept(NAME + " is lost: " + failure.getMessage());
                }
              });
    }

    @Override
    public void replay(Consumer<CatalogRecord> into) {
      Map<String, Long> offsetOfUnreadable = new TreeMap<>();
      Map<String, String> reasonByKey = new HashMap<>();
      if (log.endOffset() < log.appendedEndOffset()) {
        // What is not committed yet belongs to no state, and what is decided next follows on it.
        throw new NotLeaderException(
            NAME
                + " is not committed to its end: endOffset="
                + log.endOffset()
                + " appendedEndOffset="
                + log.appendedEndOffset());
      }
      long offset = log.startOffset();
      while (offset < log.endOffset()) {
        LogChunk chunk = log.read(offset, REPLAY_BYTES, ReadUpTo.COMMITTED);
        for (LogEntry entry : chunk.entries()) {
          Optional<CatalogRecord> record = record(entry);
          if (record.isEmpty()) {
            LOG.warn(
                "record that is no definition of a known kind is passed over topic={} offset={}",
                NAME,
                entry.offset());
            continue;
          }
          String key = UTF_8.decode(CatalogRecordCodec.key(record.get())).toString();
          if (record.get() instanceof CatalogRecord.Unreadable(SetAside definition)) {
            offsetOfUnreadable.put(key, entry.offset());
            reasonByKey.put(key, definition.reason());
          } else {
            offsetOfUnreadable.remove(key); // a later record stands in its place
          }
          into.accept(record.get());
        }
        offset = chunk.nextOffset();
      }
      offsetOfUnreadable.forEach(
          (key, unreadable) ->
              LOG.error(
                  "definition cannot be read and is set aside, requests for it get 503; delete it"
                      + " or put it again, its record stays until then definition={} topic={}"
                      + " offset={} reason=\"{}\"",
                  key,
                  NAME,
                  unreadable,
                  reasonByKey.get(key)));
    }

    private static Optional<CatalogRecord> record(LogEntry entry) {
      ByteBuffer key = entry.key();
      return key == null ? Optional.empty() : CatalogRecordCodec.read(key, entry.value());
    }
  }
}
