package dev.weir.log.segment;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import dev.weir.log.checkpoint.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The aborted transactions whose markers are in one segment ({@code .txnindex}), in the order of
 * the markers. The file exists only where there is one. An entry has 34 bytes, big-endian: version
 * (int16, 0), producer id, first offset, last offset, last stable offset (int64 each).
 */
public final class TransactionIndex {
  /** Size of an entry. */
  public static final int ENTRY_BYTES = 34;

  private static final short VERSION = 0;

  private final Path file;
  private final AtomicBoolean changed = new AtomicBoolean(); // since the last sync

  /** The index in {@code file}. */
  public TransactionIndex(Path file) {
    this.file = file;
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** Syncs the file if it has changed since it was last synced. */
  public void sync() {
    if (!changed.getAndSet(false)) {
      return;
    }
    try {
      AtomicFile.syncIfThere(file);
    } catch (LogException e) {
      changed.set(true); // where the file could not even be opened, the next sync has to cover it
      throw e;
    }
  }

  /** Makes an empty file, which then replaces one that is not. */
  public void createEmpty() {
    changed.set(true);
    try {
      Files.write(file, new byte[0]);
    } catch (IOException e) {
      throw new LogException("cannot create file=" + file, e);
    }
  }

  /** Adds an entry, without a sync. */
  public void append(AbortedTransaction aborted) {
    ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES).putShort(VERSION);
    entry.putLong(aborted.producerId()).putLong(aborted.firstOffset());
    entry.putLong(aborted.lastOffset()).putLong(aborted.lastStableOffset());
    changed.set(true);
    try {
      Files.write(file, entry.array(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new LogException("cannot append to file=" + file, e);
    }
  }

  /** All entries. */
  public List<AbortedTransaction> entries() {
    ByteBuffer in = read();
    List<AbortedTransaction> entries = new ArrayList<>();
    while (in.remaining() >= ENTRY_BYTES) {
      short version = in.getShort();
      if (version != VERSION) {
        throw new CorruptFileException(
            "transaction index entry has version "
                + version
                + ", expected "
                + VERSION
                + ", at position="
                + (in.position() - 2)
                + " of file="
                + file);
      }
      entries.add(new AbortedTransaction(in.getLong(), in.getLong(), in.getLong(), in.getLong()));
    }
    return entries;
  }

  private ByteBuffer read() {
    try {
      return ByteBuffer.wrap(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return ByteBuffer.allocate(0);
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file, e);
    }
  }

  /** Keeps the entries whose marker is below {@code endOffset}. */
  public void truncateTo(long endOffset) {
    int kept = 0;
    for (AbortedTransaction entry : entries()) {
      if (entry.lastOffset() >= endOffset) {
        break; // they are in the order of the markers
      }
      kept++;
    }
    cutTo(kept);
  }

  /**
   * Keeps the entries before the first that is no such: behind what was synced a power loss may
   * leave anything.
   *
   * @param baseOffset base offset of the segment
   * @param endOffset bound of the markers
   */
  public void keepSound(long baseOffset, long endOffset) {
    ByteBuffer in = read();
    long last = baseOffset - 1;
    int kept = 0;
    while (in.remaining() >= ENTRY_BYTES && in.getShort() == VERSION) {
      in.getLong();
      AbortedTransaction entry =
          new AbortedTransaction(0, in.getLong(), in.getLong(), in.getLong());
      if (entry.firstOffset() >= entry.lastOffset()
          || entry.lastOffset() <= last
          || entry.lastOffset() >= endOffset) {
        break;
      }
      last = entry.lastOffset();
      kept++;
    }
    cutTo(kept);
  }

  private void cutTo(int entries) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (channel.size() > (long) entries * ENTRY_BYTES) {
        changed.set(true);
        channel.truncate((long) entries * ENTRY_BYTES);
      }
    } catch (NoSuchFileException e) {
      return; // no entries
    } catch (IOException e) {
      throw new LogException("cannot cut file=" + file + " to " + entries + " entries", e);
    }
  }

  /** Removes the file. */
  public void clear() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new LogException("cannot delete file=" + file, e);
    }
  }
}
