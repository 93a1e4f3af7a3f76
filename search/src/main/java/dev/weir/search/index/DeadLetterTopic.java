package dev.weir.search.index;

import dev.weir.search.catalog.IndexName;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.AppendResult;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.DocumentLogException;
import dev.weir.search.log.DocumentRecord;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.LogTopics;
import dev.weir.search.log.RecordHeader;
import dev.weir.search.shard.DeadLetters;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topic {@code <index>.dlq}, made when it is first needed, with one partition. A record keeps
 * its key, value and headers and gets these (UTF-8):
 *
 * <pre>
 * weir.error.type    type of the error, as the REST face names it
 * weir.error.reason  what was wrong
 * weir.topic, weir.partition, weir.offset  where the record is
 * </pre>
 *
 * A record may be there twice after a crash; partition and offset tell. Where the topic cannot be
 * written the record is logged, and stays in the index's own topic at least until compaction. Safe
 * for use by any thread; waits for the topic to be made.
 */
final class DeadLetterTopic implements DeadLetters {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterTopic.class);

  /** Appends tried before a record is given up; each failure means that another got through. */
  private static final int ATTEMPTS_MAX = 100;

  private final LogTopics topics;
  private final InstantSource clock;
  private final String indexTopic;
  private final String topic;
  private @Nullable DocumentLog log; // guarded by this

  DeadLetterTopic(LogTopics topics, InstantSource clock, String indexTopic) {
    this.topics = topics;
    this.clock = clock;
    this.indexTopic = indexTopic;
    this.topic = indexTopic + IndexName.DEAD_LETTERS;
  }

  @Override
  public synchronized void add(int shard, LogEntry entry, SearchException reason) {
    LOG.info(
        "record cannot be indexed topic={} partition={} offset={} type={}",
        indexTopic,
        shard,
        entry.offset(),
        reason.error().type().typeName());
    try {
      append(record(shard, entry, reason));
    } catch (DocumentLogException | CompletionException e) {
      LOG.error(
          "dead letter lost topic={} of partition={} offset={}", topic, shard, entry.offset(), e);
    }
  }

  private void append(DocumentRecord record) {
    DocumentLog open = log;
    if (open == null) {
      open = open();
      log = open;
    }
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      switch (open.append(List.of(record), open.appendedEndOffset())) {
        case AppendResult.Appended _ -> {
          return;
        }
        case AppendResult.EndOffsetMoved _ -> {} // somebody else writes there; again
        case AppendResult.Refused(_, String message) -> throw new DocumentLogException(message);
      }
    }
    throw new DocumentLogException("others appended before each of " + ATTEMPTS_MAX + " attempts");
  }

  private DocumentLog open() {
    return switch (topics.create(topic, 1, Map.of()).join()) {
      case LogTopics.Creation.Created _, LogTopics.Creation.Exists _ -> topics.open(topic, 0);
      case LogTopics.Creation.Refused(String message) -> throw new DocumentLogException(message);
    };
  }

  private DocumentRecord record(int shard, LogEntry entry, SearchException reason) {
    List<RecordHeader> headers = new ArrayList<>(entry.headers());
    String cause = reason.error().root().reason();
    String message = String.valueOf(reason.getMessage());
    headers.add(RecordHeader.of("weir.error.type", reason.error().type().typeName()));
    headers.add(
        RecordHeader.of(
            "weir.error.reason", message.equals(cause) ? message : message + ": " + cause));
    headers.add(RecordHeader.of("weir.topic", indexTopic));
    headers.add(RecordHeader.of("weir.partition", Integer.toString(shard)));
    headers.add(RecordHeader.of("weir.offset", Long.toString(entry.offset())));
    ByteBuffer key = entry.key();
    return new DocumentRecord(
        clock.millis(), key == null ? ByteBuffer.allocate(0) : key, entry.value(), headers);
  }

  synchronized void close() {
    if (log != null) {
      log.close();
      log = null;
    }
  }
}
