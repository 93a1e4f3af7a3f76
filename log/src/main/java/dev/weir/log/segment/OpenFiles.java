package dev.weir.log.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a data directory that are open since somebody has read them: so many, and those that
 * are in use beyond that. A file that is opened beyond the bound closes the one that was not used
 * for longest; those that are in use are passed over, so an answer that is being sent holds one for
 * each of its partitions, and they are closed as others are opened after it. Segments that are
 * written to, and those that are not synced yet, are open without being counted here: one or two
 * for each partition.
 *
 * <p>Any thread. No disk is touched under the lock.
 */
public final class OpenFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  /**
   * Half a thousand finished segments that are read at a time, each with its offset index; more is
   * of little use. A process that may have few files open takes less.
   */
  public static final int OPEN_MAX = 1024;

  /**
   * Segments that were deleted or replaced and stay open for a while, since a reader may have been
   * told of them. Where more go at a time, readers of the first of them find a closed channel.
   */
  public static final int PARTING_MAX = 512;

  /** How the system says that the process, or the machine, has no descriptor left. */
  private static final String NONE_LEFT = "Too many open files";

  private final int openMax;
  private final int partingMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<SharedFile> clock = new ArrayDeque<>(); // the hand is at the first
  private final Set<SharedFile> parting = new LinkedHashSet<>();

  /** At most {@link #OPEN_MAX} files that are not in use. */
  public OpenFiles() {
    this(OPEN_MAX);
  }

  /** At most so many files that are not in use. */
  public OpenFiles(int openMax) {
    this(openMax, PARTING_MAX);
  }

  private OpenFiles(int openMax, int partingMax) {
    this.openMax = openMax;
    this.partingMax = partingMax;
  }

  /** At most so many files that are not in use, and half as many of which the names have gone. */
  public static OpenFiles andHalfAsManyParting(int openMax) {
    return new OpenFiles(openMax, openMax / 2);
  }

  /**
   * Opens a file; where no descriptor is left, those go that nobody uses.
   *
   * @throws IOException if that fails, naming the limit where it is why
   */
  FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException {
    try {
      return FileChannel.open(path, options);
    } catch (FileSystemException e) {
      if (!isNoneLeft(e)) {
        throw e;
      }
    }
    closeUnused();
    try {
      return FileChannel.open(path, options);
    } catch (FileSystemException e) {
      if (!isNoneLeft(e)) {
        throw e;
      }
      throw new IOException(
          "the process has no file descriptor left; raise its limit of open files (ulimit -n,"
              + " LimitNOFILE of a service), file="
              + path,
          e);
    }
  }

  private static boolean isNoneLeft(FileSystemException e) {
    String reason = e.getReason();
    return reason != null && reason.startsWith(NONE_LEFT);
  }

  /** Whether something failed since a file could not be opened for want of a descriptor. */
  public static boolean isForWantOfDescriptors(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FileSystemException e && isNoneLeft(e)) {
        return true;
      }
    }
    return false;
  }

  /** Takes over a file that has been opened, or is not held open any more. */
  void opened(SharedFile file) {
    List<FileChannel> closing = new ArrayList<>();
    lock.lock();
    try {
      if (!file.queued && !file.isPinned()) {
        file.queued = true;
        clock.addLast(file);
      }
      // The first turn takes the marks of use away, the second finds who was not used since.
      int looks = 2 * clock.size();
      while (clock.size() > openMax && looks > 0) {
        looks--;
        step(closing);
      }
    } finally {
      lock.unlock();
    }
    closing.forEach(OpenFiles::close);
  }

  private void step(List<FileChannel> closing) {
    SharedFile next = clock.removeFirst();
    if (!next.isOpen() || next.isPinned()) {
      next.queued = false;
      return;
    }
    Optional<FileChannel> closed = next.takeUsed() ? Optional.empty() : next.evict();
    if (closed.isEmpty()) {
      clock.addLast(next);
      return;
    }
    next.queued = false;
    closing.add(closed.get());
  }

  /** Closes what nobody uses at this moment. */
  public void closeUnused() {
    List<FileChannel> closing = new ArrayList<>();
    lock.lock();
    try {
      int size = clock.size();
      for (int i = 0; i < size; i++) {
        clock.getFirst().takeUsed();
        step(closing);
      }
    } finally {
      lock.unlock();
    }
    closing.forEach(OpenFiles::close);
  }

  /** Counts a file that is open though its name has gone, and ends the first of too many. */
  void parts(SharedFile file) {
    Optional<SharedFile> first = Optional.empty();
    lock.lock();
    try {
      parting.add(file);
      if (parting.size() > partingMax) {
        Iterator<SharedFile> inOrder = parting.iterator();
        first = Optional.of(inOrder.next());
        inOrder.remove();
      }
    } finally {
      lock.unlock();
    }
    first.ifPresent(SharedFile::end);
  }

  /** Forgets a file that has ended. */
  void ended(SharedFile file) {
    lock.lock();
    try {
      parting.remove(file);
    } finally {
      lock.unlock();
    }
  }

  /** Number of files that are open and counted. */
  public int count() {
    lock.lock();
    try {
      return (int) clock.stream().filter(SharedFile::isOpen).count() + parting.size();
    } finally {
      lock.unlock();
    }
  }

  static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("a file that was read, or synced, cannot be closed", e);
    }
  }

  @Override
  public String toString() {
    return "OpenFiles[count=" + count() + ", openMax=" + openMax + "]";
  }
}
