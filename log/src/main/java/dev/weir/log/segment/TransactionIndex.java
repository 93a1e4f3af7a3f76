package dev.weir.log.segment;

import dev.weir.log.CorruptFileException;
import dev.weir.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

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

  /** The index in {@code file}. */
  public TransactionIndex(Path file) {
    this.file = file;
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** Makes an empty file, which then replaces one that is not. */
  public void createEmpty() {
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
    try {
      Files.write(file, entry.array(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new LogException("cannot append to file=" + file, e);
    }
  }

  /** All entries. */
  public List<AbortedTransaction> entries() {
    ByteBuffer in;
    try {
      in = ByteBuffer.wrap(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file, e);
    }
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

  /** Keeps the entries whose marker is below {@code endOffset}. */
  public void truncateTo(long endOffset) {
    List<AbortedTransaction> all = entries();
    List<AbortedTransaction> kept =
        all.stream().filter(entry -> entry.lastOffset() < endOffset).toList();
    if (kept.size() < all.size()) {
      clear();
      kept.forEach(this::append);
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
