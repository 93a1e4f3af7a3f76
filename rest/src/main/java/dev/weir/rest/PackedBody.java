package dev.weir.rest;

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
  private static final byte[] NOTHING = {};

  private final ByteBuffer in;
  private final int bytesMax;
  private final byte[] out; // empty where nothing is kept
  private int size; // of what was unpacked: size <= bytesMax

  private PackedBody(byte[] packed, int bytesMax, byte[] out) {
    this.in = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    this.bytesMax = bytesMax;
    this.out = out;
  }

  /** What looking into a body came to. */
  sealed interface Outcome {
    /** All is well, and this is its size unpacked. */
    record Holds(int bytes) implements Outcome {}

    /** It holds more than the limit. */
    record TooLarge() implements Outcome {}

    /** It is not what the header says; with the reason. */
    record Corrupt(String reason) implements Outcome {}
  }

  /**
   * Reads a body to its end and keeps nothing, so that memory can be had before it is unpacked.
   *
   * @param encoding value of {@code Content-Encoding}
   * @param bytesMax the most that it may hold
   */
  static Outcome measure(String encoding, byte[] packed, int bytesMax) {
    PackedBody body = new PackedBody(packed, bytesMax, NOTHING);
    try {
      return switch (Encoding.named(encoding)) {
        case IDENTITY ->
            packed.length > bytesMax ? new Outcome.TooLarge() : new Outcome.Holds(packed.length);
        case GZIP, DEFLATE -> {
          body.read(Encoding.named(encoding));
          yield new Outcome.Holds(body.size);
        }
        case OTHER ->
            new Outcome.Corrupt(
                "Content-Encoding [" + encoding + "] is not understood; use gzip or deflate");
      };
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

  /**
   * Unpacks a body.
   *
   * @param measured what {@link #measure} said of the same body
   */
  static byte[] unpack(String encoding, byte[] packed, Outcome.Holds measured) {
    Encoding known = Encoding.named(encoding);
    if (known == Encoding.IDENTITY) {
      return packed;
    }
    PackedBody body = new PackedBody(packed, measured.bytes(), new byte[measured.bytes()]);
    try {
      body.read(known);
    } catch (OverLimit | DataFormatException e) {
      throw new IllegalStateException("a body of " + packed.length + " bytes has changed", e);
    }
    return body.out;
  }

  private enum Encoding {
    IDENTITY,
    GZIP,
    DEFLATE,
    OTHER;

    static Encoding named(String name) {
      return switch (name.strip().toLowerCase(Locale.ROOT)) {
        case "", "identity" -> IDENTITY;
        case "gzip", "x-gzip" -> GZIP;
        case "deflate" -> DEFLATE;
        default -> OTHER;
      };
    }
  }

  private void read(Encoding encoding) throws DataFormatException, OverLimit {
    switch (encoding) {
      case GZIP -> {
        do {
          gzipMember();
        } while (in.hasRemaining());
      }
      case DEFLATE -> zlib();
      case IDENTITY, OTHER -> throw new IllegalArgumentException("nothing to read: " + encoding);
    }
  }

  private static final class OverLimit extends Exception {
    OverLimit() {
      super(null, null, false, false);
    }
  }

  private void gzipMember() throws DataFormatException, OverLimit {
    gzipHeader();
    int start = size;
    Inflater inflater = new Inflater(/* nowrap= */ true);
    CRC32 crc = new CRC32();
    try {
      inflate(inflater, crc);
    } finally {
      inflater.end();
    }
    require(GZIP_TRAILER_BYTES);
    if (in.getInt() != (int) crc.getValue() || in.getInt() != size - start) {
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
      if (count > bytesMax - size) {
        throw new OverLimit();
      }
      crc.update(step, 0, count);
      if (size + count <= out.length) {
        System.arraycopy(step, 0, out, size, count);
      }
      size += count;
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
