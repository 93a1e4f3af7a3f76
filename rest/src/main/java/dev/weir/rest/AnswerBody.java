package dev.weir.rest;

import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The bytes of an answer, in pieces: a page of large documents lies in memory once, not a second
 * time for each time that one array grows. Not changed any more once it is written.
 */
final class AnswerBody {
  private static final AnswerBody EMPTY = of(new byte[0]);

  private final List<byte[]> pieces; // all but the last are full
  private final int lastBytes; // used in the last piece
  private final long size;

  private AnswerBody(List<byte[]> pieces, int lastBytes) {
    this.pieces = List.copyOf(pieces);
    this.lastBytes = lastBytes;
    long whole = 0;
    for (byte[] piece : pieces) {
      whole += piece.length;
    }
    this.size = whole - (pieces.getLast().length - lastBytes);
  }

  /** These bytes, which belong to the body from here on. */
  static AnswerBody of(byte[] bytes) {
    return new AnswerBody(List.of(bytes), bytes.length);
  }

  static AnswerBody empty() {
    return EMPTY;
  }

  /** Number of bytes. */
  long size() {
    return size;
  }

  /** These bytes, and then the body. */
  AnswerBody after(byte[] head) {
    List<byte[]> both = new ArrayList<>(pieces);
    both.addFirst(head);
    return new AnswerBody(both, lastBytes);
  }

  /** The bytes in one array. */
  byte[] bytes() {
    return pieces.size() == 1 && lastBytes == pieces.getFirst().length
        ? pieces.getFirst()
        : ByteBufUtil.getBytes(buffer());
  }

  /** Reads the bytes, piece by piece. */
  InputStream input() {
    List<ByteArrayInputStream> parts = new ArrayList<>();
    for (byte[] piece : pieces.subList(0, pieces.size() - 1)) {
      parts.add(new ByteArrayInputStream(piece));
    }
    parts.add(new ByteArrayInputStream(pieces.getLast(), 0, lastBytes));
    return new SequenceInputStream(Collections.enumeration(parts));
  }

  /**
   * The bytes for the wire, which are the body's own. The transport copies them into memory beside
   * the heap as soon as they are written to it, or what they are compressed to; these are garbage
   * then.
   */
  ByteBuf buffer() {
    ByteBuf[] parts = new ByteBuf[pieces.size()];
    for (int i = 0; i < parts.length; i++) {
      byte[] piece = pieces.get(i);
      parts[i] = Unpooled.wrappedBuffer(piece, 0, i == parts.length - 1 ? lastBytes : piece.length);
    }
    return Unpooled.wrappedBuffer(parts);
  }

  /** Writes a body; takes the memory of each piece before it is there. Used by one thread. */
  static final class Writer extends OutputStream {
    /** Enough for an acknowledgement. */
    private static final int FIRST_PIECE_BYTES = 512;

    /** Pieces double up to this, which is small beside an answer that needs many. */
    private static final int PIECE_BYTES_MAX = 64 << 10;

    private final AnswerBudget budget;
    private final List<byte[]> pieces = new ArrayList<>();
    private byte[] last;
    private int used;

    /**
     * @param budget takes the memory
     */
    Writer(AnswerBudget budget) {
      this.budget = budget;
      this.last = piece(FIRST_PIECE_BYTES);
    }

    private byte[] piece(int bytes) {
      budget.take(AnswerPart.JSON, bytes);
      byte[] piece = new byte[bytes];
      pieces.add(piece);
      return piece;
    }

    /**
     * Writes one byte.
     *
     * @throws dev.weir.search.error.SearchException with 429 if there is no memory for it
     */
    @Override
    public void write(int b) {
      if (used == last.length) {
        grow();
      }
      last[used++] = (byte) b;
    }

    /**
     * Writes bytes.
     *
     * @throws dev.weir.search.error.SearchException with 429 if there is no memory for them
     */
    @Override
    public void write(byte[] bytes, int start, int length) {
      int from = start;
      int left = length;
      while (left > 0) {
        if (used == last.length) {
          grow();
        }
        int count = Math.min(left, last.length - used);
        System.arraycopy(bytes, from, last, used, count);
        used += count;
        from += count;
        left -= count;
      }
    }

    @Override
    public void write(byte[] bytes) {
      write(bytes, 0, bytes.length);
    }

    private void grow() {
      last = piece(Math.min(2 * last.length, PIECE_BYTES_MAX));
      used = 0;
    }

    /** Number of bytes that were written. */
    long size() {
      return fullBytes() + used;
    }

    private long fullBytes() {
      return pieces.subList(0, pieces.size() - 1).stream().mapToLong(piece -> piece.length).sum();
    }

    /**
     * Takes back what was written after so many bytes; its memory is for the caller to give back.
     */
    void truncateTo(long bytes) {
      assert bytes <= size() : "bytes=" + bytes + " size=" + size();
      // A piece that would be empty goes too: it came with what is taken back, and is given back.
      while (pieces.size() > 1 && fullBytes() >= bytes) {
        pieces.removeLast();
      }
      last = pieces.getLast();
      used = (int) (bytes - fullBytes());
    }

    /** What was written; nothing may be written any more. */
    AnswerBody body() {
      if (pieces.size() == 1) {
        return of(Arrays.copyOf(last, used));
      }
      return new AnswerBody(pieces, used);
    }
  }
}
