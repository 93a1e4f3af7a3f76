package dev.weir.log.batch;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.xerial.snappy.SnappyOutputStream;

/**
 * Streams of the five codecs, framed as Kafka's clients frame them: gzip; snappy in xerial's block
 * framing; LZ4 frames with independent blocks of 64 KB; zstd frames.
 */
final class Codec {
  private static final int BUFFER_BYTES = 8192;

  private Codec() {}

  /**
   * Opens a stream over the compressed bytes between position and limit, which stay as they are.
   */
  static InputStream decompress(Compression compression, ByteBuffer compressed) throws IOException {
    InputStream in = new BufferStream(compressed.duplicate());
    return switch (compression) {
      case NONE -> in;
      case GZIP -> new GZIPInputStream(in, BUFFER_BYTES);
      case SNAPPY -> new SnappyBlocks(compressed.duplicate());
      case LZ4 -> new LZ4FrameInputStream(in);
      case ZSTD -> new ZstdInputStreamNoFinalizer(in);
    };
  }

  static OutputStream compress(Compression compression, OutputStream out) throws IOException {
    return switch (compression) {
      case NONE -> out;
      case GZIP -> new GZIPOutputStream(out, BUFFER_BYTES);
      case SNAPPY -> new SnappyOutputStream(out);
      case LZ4 -> new LZ4FrameOutputStream(out, LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB);
      case ZSTD -> new ZstdOutputStreamNoFinalizer(out);
    };
  }

  /** A stream over a buffer. */
  private static final class BufferStream extends InputStream {
    private final ByteBuffer buffer;

    BufferStream(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public int read() {
      return buffer.hasRemaining() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      if (count == 0) {
        return 0;
      }
      if (!buffer.hasRemaining()) {
        return -1;
      }
      int size = Math.min(count, buffer.remaining());
      buffer.get(target, offset, size);
      return size;
    }

    @Override
    public int available() {
      return buffer.remaining();
    }
  }
}
