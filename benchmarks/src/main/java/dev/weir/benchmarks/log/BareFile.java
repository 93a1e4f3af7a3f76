package dev.weir.benchmarks.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The system call that writes, alone: what no log that appends to a file can be below. */
final class BareFile implements EngineLog {
  private final FileChannel file;
  private long end;

  private BareFile(FileChannel file) {
    this.file = file;
  }

  static BareFile open(Path folder) {
    try {
      return new BareFile(
          FileChannel.open(
              folder.resolve("bare"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long append(ByteBuffer batches) {
    ByteBuffer bytes = batches.duplicate();
    try {
      while (bytes.hasRemaining()) {
        end += file.write(bytes, end);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return end;
  }

  @Override
  public long position(long offset) {
    throw notALog();
  }

  @Override
  public long readHeaders(long offset, int maxBytes) {
    throw notALog();
  }

  @Override
  public long endOffset() {
    throw notALog();
  }

  @Override
  public long compact() {
    throw notALog();
  }

  private static UnsupportedOperationException notALog() {
    return new UnsupportedOperationException("a bare file can only be appended to");
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
