package dev.weir.log;

import dev.weir.log.checkpoint.AtomicFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hold of one node on a data directory: a lock on the file {@code .lock} in it. */
final class DirectoryLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

  private static final String FILE = ".lock";

  private final Path directory;
  private final FileChannel channel;
  private final FileLock lock;

  private DirectoryLock(Path directory, FileChannel channel, FileLock lock) {
    this.directory = directory;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Creates the directory if it is missing, and locks it.
   *
   * @throws DirectoryLockedException if another node holds it
   * @throws LogException if it is not writable
   */
  static DirectoryLock take(Path directory) {
    Path file = directory.resolve(FILE);
    FileChannel channel;
    try {
      createDurably(directory.toAbsolutePath());
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new LogException("data directory is not writable: directory=" + directory, e);
    }
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null; // held by this process
    } catch (IOException e) {
      throw new LogException("cannot lock file=" + file, e);
    }
    if (lock == null) {
      closeQuietly(channel);
      throw new DirectoryLockedException(
          "data directory is in use by another node: file="
              + file
              + " is locked; stop that node or choose another directory");
    }
    return new DirectoryLock(directory, channel, lock);
  }

  /** Creates a directory and those above it, and waits for their names to be on the disk. */
  private static void createDurably(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.getParent();
    if (parent == null) {
      Files.createDirectories(directory); // the root: this tells what is wrong with it
      return;
    }
    createDurably(parent);
    Files.createDirectories(directory);
    AtomicFile.syncDirectory(parent);
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("cannot close the lock file", e); // the failure that counts is already on its way
    }
  }

  /**
   * Lets others have the directory.
   *
   * @throws LogException if the file can't be closed
   */
  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw new LogException("cannot unlock directory=" + directory, e);
    }
  }
}
