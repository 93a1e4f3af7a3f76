package dev.weir.log.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is open while it is used, and for as long after that as {@link OpenFiles} has room.
 * Who uses it has a lease, and the channel is closed only where nobody has one: so a descriptor is
 * never closed, and its number never given to another file, under a reader.
 *
 * <p>Once the name of the file goes, or comes to mean other bytes ({@link #part}), it is not opened
 * any more: readers have the old bytes by the channel that is open, or {@link
 * ClosedChannelException}.
 *
 * <p>Any thread.
 */
public final class SharedFile {
  private static final Logger LOG = LoggerFactory.getLogger(SharedFile.class);

  /** What is done with a file. */
  public enum Access {
    READ,
    READ_WRITE;

    private Set<StandardOpenOption> options() {
      return switch (this) {
        case READ -> EnumSet.of(StandardOpenOption.READ);
        case READ_WRITE -> EnumSet.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
      };
    }
  }

  private enum Life {
    NAMED,
    /** The name has gone: the channel stays open for those who know of it. */
    PARTED,
    /** Nobody gets a lease any more. */
    ENDED
  }

  private static final int CLOSED = -1;

  private final OpenFiles files;
  private final Path path;
  private final Access access;
  private final Runnable whenClosed;

  /**
   * Held to open and to close. It comes before the lock of {@link OpenFiles}, which opening may
   * take to make room, and parting to count; whoever holds that one only tries this one ({@link
   * #evict}).
   */
  private final ReentrantLock opening = new ReentrantLock();

  /** Number of leases, or {@link #CLOSED}, which it becomes and ceases to be under the lock. */
  private final AtomicInteger leases = new AtomicInteger(CLOSED);

  private final AtomicInteger pins = new AtomicInteger();
  private volatile @Nullable FileChannel channel; // there while leases >= 0
  private volatile Life life = Life.NAMED;
  private volatile boolean used; // since the clock last passed
  private @Nullable Lease parting; // guarded by opening

  /** Whether the clock of {@link OpenFiles} has it; guarded by its lock. */
  boolean queued;

  /** A file that need not be there yet. */
  public SharedFile(OpenFiles files, Path path, Access access) {
    this(files, path, access, () -> {});
  }

  /**
   * The same.
   *
   * @param whenClosed told that the channel was closed; what is remembered of the file may go
   */
  SharedFile(OpenFiles files, Path path, Access access, Runnable whenClosed) {
    this.files = files;
    this.path = path;
    this.access = access;
    this.whenClosed = whenClosed;
  }

  /** The right to use the channel until it is closed, once or more often. */
  public static final class Lease implements AutoCloseable {
    private final SharedFile file;
    private final FileChannel channel;
    private final Kind kind;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private Lease(SharedFile file, FileChannel channel, Kind kind) {
      this.file = file;
      this.channel = channel;
      this.kind = kind;
    }

    /** The channel; its owner is the file: never close it, and read it by position only. */
    public FileChannel channel() {
      return channel;
    }

    @Override
    public void close() {
      if (open.getAndSet(false)) {
        file.giveBack(kind);
      }
    }
  }

  private enum Kind {
    READER,
    PIN
  }

  /** Where the file is. */
  public Path path() {
    return path;
  }

  /**
   * Opens the file if it is not open, and holds it open.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   * @throws ClosedChannelException if it has ended
   */
  public Lease lease() throws IOException {
    return new Lease(this, acquire(), Kind.READER);
  }

  /** The same for one who writes: such a file is not among those that {@link OpenFiles} bounds. */
  Lease pin() throws IOException {
    pins.incrementAndGet();
    try {
      return new Lease(this, acquire(), Kind.PIN);
    } catch (IOException e) {
      pins.decrementAndGet();
      throw e;
    }
  }

  /** Makes the file an empty one, and holds it as {@link #pin} does. It is not open yet. */
  Lease create() throws IOException {
    opening.lock();
    try {
      Set<StandardOpenOption> options = access.options();
      options.add(StandardOpenOption.CREATE);
      options.add(StandardOpenOption.TRUNCATE_EXISTING);
      FileChannel created = files.open(path, options);
      pins.incrementAndGet();
      channel = created;
      leases.set(1);
      return new Lease(this, created, Kind.PIN);
    } finally {
      opening.unlock();
    }
  }

  /** Like {@link #lease}, to be followed by {@link #release}. */
  FileChannel acquire() throws IOException {
    int now = leases.get();
    while (now != CLOSED) {
      requireNotEnded();
      if (leases.compareAndSet(now, now + 1)) {
        if (!used) {
          used = true;
        }
        return leasedChannel();
      }
      now = leases.get();
    }
    return open();
  }

  private FileChannel open() throws IOException {
    FileChannel opened;
    opening.lock();
    try {
      if (leases.get() != CLOSED) {
        requireNotEnded();
        leases.incrementAndGet(); // another has opened it, and it is not closed but under the lock
        return leasedChannel();
      }
      if (life != Life.NAMED) {
        throw new ClosedChannelException();
      }
      opened = files.open(path, access.options());
      channel = opened;
      used = false; // it counts when it is used again: what is read once makes room first
      leases.set(1);
    } finally {
      opening.unlock();
    }
    files.opened(this);
    return opened;
  }

  private void requireNotEnded() throws ClosedChannelException {
    if (life == Life.ENDED) {
      throw new ClosedChannelException();
    }
  }

  /**
   * The channel for one who has just got a lease. A thread that is interrupted while it reads
   * closes the channel under all others: those who come later have a new one.
   */
  private FileChannel leasedChannel() throws IOException {
    FileChannel now = openChannel();
    if (now.isOpen()) {
      return now;
    }
    try {
      return openedAnew();
    } catch (IOException e) {
      release();
      throw e;
    }
  }

  private FileChannel openedAnew() throws IOException {
    opening.lock();
    try {
      FileChannel now = openChannel();
      if (now.isOpen()) {
        return now;
      }
      if (life != Life.NAMED) {
        throw new ClosedChannelException(); // the name means other bytes, or nothing
      }
      FileChannel opened = files.open(path, access.options());
      channel = opened;
      return opened;
    } finally {
      opening.unlock();
    }
  }

  private FileChannel openChannel() {
    return Objects.requireNonNull(channel);
  }

  /** Ends what {@link #acquire} began. */
  void release() {
    if (leases.decrementAndGet() == 0 && life == Life.ENDED) {
      closeIfUnused();
    }
  }

  private void giveBack(Kind kind) {
    release();
    if (kind == Kind.PIN && pins.decrementAndGet() == 0 && isOpen()) {
      files.opened(this);
    }
  }

  private void closeIfUnused() {
    Optional<FileChannel> closed;
    opening.lock();
    try {
      closed = takeChannel();
    } finally {
      opening.unlock();
    }
    closed.ifPresent(OpenFiles::close);
  }

  private Optional<FileChannel> takeChannel() {
    if (!leases.compareAndSet(0, CLOSED)) {
      return Optional.empty();
    }
    Optional<FileChannel> closed = Optional.of(openChannel());
    channel = null;
    whenClosed.run();
    return closed;
  }

  /** Gives up the channel, which the caller closes, if nobody uses it or is about to. */
  Optional<FileChannel> evict() {
    if (!opening.tryLock()) {
      return Optional.empty();
    }
    try {
      return takeChannel();
    } finally {
      opening.unlock();
    }
  }

  boolean isOpen() {
    return leases.get() != CLOSED;
  }

  boolean isPinned() {
    return pins.get() > 0;
  }

  /** Whether the file was used since this was last asked. */
  boolean takeUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  /**
   * Keeps the bytes for those who have been told of them: to be called before the file is deleted
   * or another takes its name. They stay until {@link #end}, or until too many others have parted.
   */
  void part() {
    opening.lock();
    try {
      if (life != Life.NAMED) {
        return;
      }
      try {
        parting = pin();
      } catch (IOException e) {
        LOG.warn("a file that goes cannot be kept for its readers: file={}", path, e);
      }
      life = Life.PARTED;
    } finally {
      opening.unlock();
    }
    files.parts(this);
  }

  /** Gives out no more leases; the channel is closed as soon as the last one is. */
  void end() {
    Lease kept;
    opening.lock();
    try {
      life = Life.ENDED;
      kept = parting;
      parting = null;
    } finally {
      opening.unlock();
    }
    if (kept != null) {
      kept.close();
    }
    closeIfUnused();
    files.ended(this);
  }

  /** Reads into a buffer from a position on; -1 at the end. */
  int read(ByteBuffer target, long position) throws IOException {
    FileChannel open = acquire();
    try {
      return open.read(target, position);
    } finally {
      release();
    }
  }

  @Override
  public String toString() {
    return "SharedFile[" + life + ", leases=" + leases + ", path=" + path + "]";
  }
}
