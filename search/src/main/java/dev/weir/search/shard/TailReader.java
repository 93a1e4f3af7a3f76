package dev.weir.search.shard;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.RecordHeader;
import dev.weir.search.shard.DocumentState.Presence;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes tail entries of log entries. Safe for use by any thread. */
final class TailReader {

  /**
   * Header that carries the version of a document that was written through REST: decimal digits in
   * ASCII. Records without it count on from the version before.
   */
  static final String VERSION_HEADER = "_version";

  /** Longest document id, in bytes of UTF-8; OpenSearch's bound. */
  static final int ID_BYTES_MAX = 512;

  private final ContentReader reader;

  TailReader(ContentReader reader) {
    this.reader = reader;
  }

  /** What the shard knew of an id before a record. */
  interface Before {
    @Nullable DocumentState of(String id);
  }

  /** Reads a record, and its document under the current mapping. */
  TailEntry read(LogEntry entry, Before before) {
    try {
      String id = id(entry.key());
      ByteBuffer value = entry.value();
      Content content = value == null ? null : reader.read(id, value);
      DocumentState known = before.of(id);
      long version = version(entry, known);
      DocumentState state =
          new DocumentState(
              entry.offset(),
              entry.leaderEpoch() + 1L,
              version,
              entry.timestampMs(),
              value == null ? Presence.DELETED : Presence.VISIBLE);
      return new TailEntry.Change(id, state, content, entry);
    } catch (SearchException e) {
      return new TailEntry.Unreadable(entry, e);
    }
  }

  /** The entry under the current mapping, if the mapping has changed since it was read. */
  TailEntry renew(TailEntry.Change change) {
    Content content = change.content();
    if (content == null || reader.isCurrent(content)) {
      return change;
    }
    try {
      Content now = reader.read(change.id(), content.source());
      return new TailEntry.Change(change.id(), change.state(), now, change.entry());
    } catch (SearchException e) {
      return new TailEntry.Unreadable(change.entry(), e);
    }
  }

  /** The record of a document that an index knows, under the current mapping. */
  TailEntry again(String id, DocumentState state, LogEntry entry) {
    ByteBuffer value = entry.value();
    try {
      Content content = value == null ? null : reader.read(id, value);
      return new TailEntry.Change(id, state, content, entry);
    } catch (SearchException e) {
      return new TailEntry.Unreadable(entry, e);
    }
  }

  private static long version(LogEntry entry, @Nullable DocumentState known) {
    for (RecordHeader header : entry.headers()) {
      if (header.name().equals(VERSION_HEADER)) {
        try {
          return Long.parseLong(header.text());
        } catch (NumberFormatException _) {
          break; // some other producer's header of that name
        }
      }
    }
    return known == null ? 1 : known.version() + 1;
  }

  private static String id(@Nullable ByteBuffer key) {
    if (key == null) {
      throw refusal("the record has no key, which would be the document id");
    }
    if (!key.hasRemaining() || key.remaining() > ID_BYTES_MAX) {
      throw refusal(
          "the key, which is the document id, has "
              + key.remaining()
              + " bytes, allowed are 1 to "
              + ID_BYTES_MAX);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(key.duplicate()).toString();
    } catch (CharacterCodingException _) {
      throw refusal("the key, which is the document id, is not UTF-8");
    }
  }

  private static SearchException refusal(String reason) {
    return new SearchException(ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, reason));
  }
}
