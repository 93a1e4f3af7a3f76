package dev.weir.log.checkpoint;

import dev.weir.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces a file as a whole: write beside it, rename over it. */
public final class AtomicFile {
  private AtomicFile() {}

  /**
   * Replaces the file without waiting for the disk: a process death leaves the old or the new
   * contents; after a power loss it may be empty. For what can be rebuilt.
   */
  public static void write(Path file, byte[] contents) {
    write(temporary(file), file, contents);
  }

  /** The same by a temporary file of that name, which may be there already. */
  public static void write(Path temporary, Path file, byte[] contents) {
    try {
      Files.write(temporary, contents);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new LogException("cannot write file=" + file, e);
    }
  }

  /** Replaces the file and returns when it, and its name, are on the disk. */
  public static void writeDurably(Path file, byte[] contents) {
    Path temporary = temporary(file);
    try {
      try (FileChannel channel =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer buffer = ByteBuffer.wrap(contents);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
      }
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      syncDirectory(file.toAbsolutePath().resolveSibling(""));
    } catch (IOException e) {
      throw new LogException("cannot write file=" + file, e);
    }
  }

  /** Makes the names in a directory durable. */
  public static void syncDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      throw new LogException("cannot sync directory=" + directory, e);
    }
  }

  /** Makes the contents of a file durable. */
  public static void sync(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (IOException e) {
      throw new LogException("cannot sync file=" + file, e);
    }
  }

  /** The same, where there is such a file: another thread may have removed or replaced it. */
  public static void syncIfThere(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (NoSuchFileException e) {
      return; // then there is nothing to keep
    } catch (IOException e) {
      throw new LogException("cannot sync file=" + file, e);
    }
  }

  private static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".tmp");
  }
}
