package dev.weir.rest;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A body sent with {@code Content-Encoding}, and what it holds. gzip is RFC 1952: one or more
 * members to the very end, each with a header, deflate data, the CRC-32 of what it holds and its
 * size, both little-endian; anything else is refused, since a body that was cut would otherwise be
 * taken for a shorter one. deflate is RFC 1950.
 */
final class PackedBody {
  private static final int GZIP_HEADER_BYTES = 10;
  private static final int GZIP_TRAILER_BYTES = 8;
  private static final int METHOD_DEFLATE = 8;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int FLAGS_RESERVED = 0xe0;
  private static final int STEP_BYTES = 8192;

  private final ByteBuffer in;
  private final int bytesMax;
  private final ByteArrayOutputStream out;

  private PackedBody(byte[] packed, int bytesMax) {
    this.in = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    this.bytesMax = bytesMax;
    this.out = new ByteArrayOutputStream(Math.min(bytesMax, Math.max(STEP_BYTES, packed.length)));
  }

  /** What unpacking came to. */
  sealed interface Outcome {
    /** All of it. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Unpacked(byte[] body) implements Outcome {}

    /** It holds more than the limit. */
    record TooLarge() implements Outcome {}

    /** It is not what the header says; with the reason. */
    record Corrupt(String reason) implements Outcome {}
  }

  /**
   * Unpacks a body.
   *
   * @param encoding value of {@code Content-Encoding}
   * @param bytesMax the most that it may hold
   */
  static Outcome unpack(String encoding, byte[] packed, int bytesMax) {
    PackedBody body = new PackedBody(packed, bytesMax);
    try {
      switch (encoding.strip().toLowerCase(Locale.ROOT)) {
        case "", "identity" -> {
          return new Outcome.Unpacked(packed);
        }
        case "gzip", "x-gzip" -> {
          do {
            body.gzipMember();
          } while (body.in.hasRemaining());
        }
        case "deflate" -> body.zlib();
        default -> {
          return new Outcome.Corrupt(
              "Content-Encoding [" + encoding + "] is not understood; use gzip or deflate");
        }
      }
      return new Outcome.Unpacked(body.out.toByteArray());
    } catch (OverLimit _) {
      return new Outcome.TooLarge();
    } catch (DataFormatException e) {
      return new Outcome.Corrupt(
          "the body is not what Content-Encoding ["
              + encoding
              + "] says: "
              + e.getMessage()
              + " at byte "
              + body.in.position());
    }
  }

  private static final class OverLimit extends Exception {
    OverLimit() {
      super(null, null, false, false);
    }
  }

  private void gzipMember() throws DataFormatException, OverLimit {
    gzipHeader();
    int start = out.size();
    Inflater inflater = new Inflater(/* nowrap= */ true);
    CRC32 crc = new CRC32();
    try {
      inflate(inflater, crc);
    } finally {
      inflater.end();
    }
    require(GZIP_TRAILER_BYTES);
    if (in.getInt() != (int) crc.getValue() || in.getInt() != out.size() - start) {
      throw new DataFormatException("checksum or size of a gzip member does not match");
    }
  }

  private void gzipHeader() throws DataFormatException {
    require(GZIP_HEADER_BYTES);
    int start = in.position();
    if ((in.get() & 0xff) != 0x1f || (in.get() & 0xff) != 0x8b || in.get() != METHOD_DEFLATE) {
      in.position(start);
      throw new DataFormatException("no gzip member begins");
    }
    int flags = in.get();
    in.position(start + GZIP_HEADER_BYTES); // past the time, extra flags and system
    if ((flags & FLAGS_RESERVED) != 0) {
      throw new DataFormatException("unknown flags of a gzip member");
    }
    if ((flags & FLAG_EXTRA) != 0) {
      require(2);
      skip(in.getShort() & 0xffff);
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText();
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText();
    }
    if ((flags & FLAG_HEADER_CRC) != 0) {
      skip(2);
    }
  }

  private void zlib() throws DataFormatException, OverLimit {
    Inflater inflater = new Inflater();
    try {
      inflate(inflater, new CRC32());
    } finally {
      inflater.end();
    }
    if (in.hasRemaining()) {
      throw new DataFormatException("more follows the end of the data");
    }
  }

  private void inflate(Inflater inflater, CRC32 crc) throws DataFormatException, OverLimit {
    byte[] step = new byte[STEP_BYTES];
    inflater.setInput(in);
    while (!inflater.finished()) {
      int count = inflater.inflate(step);
      if (count == 0 && !inflater.finished()) {
        throw new DataFormatException("the data ends early, or needs a dictionary,");
      }
      if (count > bytesMax - out.size()) {
        throw new OverLimit();
      }
      crc.update(step, 0, count);
      out.write(step, 0, count);
    }
  }

  private void skipText() throws DataFormatException {
    do {
      require(1);
    } while (in.get() != 0);
  }

  private void skip(int count) throws DataFormatException {
    require(count);
    in.position(in.position() + count);
  }

  private void require(int count) throws DataFormatException {
    if (in.remaining() < count) {
      throw new DataFormatException("the data ends early");
    }
  }
}
