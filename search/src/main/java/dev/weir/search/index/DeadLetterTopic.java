package dev.weir.search.index;

import dev.weir.search.catalog.IndexName;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.AppendResult;
import dev.weir.search.log.DocumentLog;
import dev.weir.search.log.DocumentLogException;
import dev.weir.search.log.DocumentRecord;
import dev.weir.search.log.LogChunk;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.LogTopics;
import dev.weir.search.log.ReadUpTo;
import dev.weir.search.log.RecordHeader;
import dev.weir.search.shard.DeadLetters;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
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
 * A record is there once, also if a crash has it indexed again: what the end of the topic holds is
 * read when the first record comes, and those are passed over. (After a rebuild of the index from
 * its beginning, records of which there are more than {@value #REMEMBERED_MAX} may be there twice;
 * partition and offset tell.) Where the topic cannot be written the record is logged, and stays in
 * the index's own topic at least until compaction. Safe for use by any thread; waits for the topic
 * to be made.
 */
final class DeadLetterTopic implements DeadLetters {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterTopic.class);

  /** Appends tried before a record is given up; each failure means that another got through. */
  private static final int ATTEMPTS_MAX = 100;

  /**
   * Records at the end of the topic that are looked at. A crash has at most those applied again
   * that came after the shards' last index commits, 100,000 each, and few of them are bad.
   */
  private static final int REMEMBERED_MAX = 200_000;

  private static final int READ_BYTES = 1 << 20;

  private static final String TOPIC_HEADER = "weir.topic";
  private static final String PARTITION_HEADER = "weir.partition";
  private static final String OFFSET_HEADER = "weir.offset";

  private final LogTopics topics;
  private final InstantSource clock;
  private final String indexTopic;
  private final String topic;
  private @Nullable DocumentLog log; // guarded by this

  /**
   * Offsets that an earlier process has put there, by partition; those of a partition are forgotten
   * once its shard is beyond them. Guarded by this.
   */
  private final Map<Integer, NavigableSet<Long>> writtenByPartition = new HashMap<>();

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
      DocumentLog open = opened();
      if (!wasWritten(shard, entry.offset())) {
        append(open, record(shard, entry, reason));
      }
    } catch (DocumentLogException | CompletionException e) {
      LOG.error(
          "dead letter lost topic={} of partition={} offset={}", topic, shard, entry.offset(), e);
    }
  }

  private DocumentLog opened() {
    DocumentLog open = log;
    if (open == null) {
      open = open();
      log = open;
      remember(open);
    }
    return open;
  }

  private boolean wasWritten(int shard, long offset) {
    NavigableSet<Long> written = writtenByPartition.get(shard);
    if (written == null) {
      return false;
    }
    if (written.last() < offset) {
      writtenByPartition.remove(shard);
      return false;
    }
    return written.contains(offset);
  }

  /** Reads the end of the topic. Where that fails records may be there twice: better than never. */
  private void remember(DocumentLog open) {
    long end = open.appendedEndOffset();
    long offset = Math.max(open.startOffset(), end - REMEMBERED_MAX);
    try {
      while (offset < end) {
        LogChunk chunk = open.read(offset, READ_BYTES, ReadUpTo.APPENDED);
        chunk.entries().forEach(this::remember);
        if (chunk.nextOffset() <= offset) {
          return;
        }
        offset = chunk.nextOffset();
      }
    } catch (DocumentLogException e) {
      LOG.warn("dead letters cannot be read topic={} offset={}", topic, offset, e);
    }
  }

  /** Others may write to the topic too: what does not say where it came from is passed over. */
  private void remember(LogEntry entry) {
    Map<String, String> origin = new HashMap<>();
    entry.headers().forEach(header -> origin.put(header.name(), header.text()));
    if (!indexTopic.equals(origin.get(TOPIC_HEADER))) {
      return;
    }
    try {
      int partition = Integer.parseInt(origin.getOrDefault(PARTITION_HEADER, ""));
      long offset = Long.parseLong(origin.getOrDefault(OFFSET_HEADER, ""));
      writtenByPartition.computeIfAbsent(partition, _ -> new TreeSet<>()).add(offset);
    } catch (NumberFormatException e) {
      LOG.debug("a record of another's topic={} offset={}", topic, entry.offset(), e);
    }
  }

  private void append(DocumentLog open, DocumentRecord record) {
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
    headers.add(RecordHeader.of(TOPIC_HEADER, indexTopic));
    headers.add(RecordHeader.of(PARTITION_HEADER, Integer.toString(shard)));
    headers.add(RecordHeader.of(OFFSET_HEADER, Long.toString(entry.offset())));
    ByteBuffer key = entry.key();
    return new DocumentRecord(
        clock.millis(), key == null ? ByteBuffer.allocate(0) : key, entry.value(), headers);
  }

  synchronized void close() {
    writtenByPartition.clear();
    if (log != null) {
      log.close();
      log = null;
    }
  }
}
