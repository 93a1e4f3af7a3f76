package dev.weir.log;

import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that a roll needs, made in the background before it comes, since who appends waits for
 * it and a new file takes ten times as long as a new name. They are empty; what goes wrong with
 * them the roll does without.
 */
final class RollFiles {
  private static final Logger LOG = LoggerFactory.getLogger(RollFiles.class);

  private enum State {
    NONE,
    ASKED,
    READY
  }

  private final Path nextLog;
  private final Path nextSnapshot;
  private final AtomicReference<State> state = new AtomicReference<>(State.NONE);
  private volatile boolean everMade;

  RollFiles(Path directory) {
    this.nextLog = directory.resolve(SegmentFiles.NEXT_LOG);
    this.nextSnapshot = directory.resolve(SegmentFiles.NEXT_SNAPSHOT);
  }

  /** Whether the files of this roll have not been asked for yet, which they are from now on. */
  boolean ask() {
    return state.get() == State.NONE && state.compareAndSet(State.NONE, State.ASKED);
  }

  /** Makes the files, those of the segment that is going to be finished too. Any thread. */
  void make(LogSegment active) {
    everMade = true;
    try {
      create(nextLog);
      create(nextSnapshot);
      active.createIndexFiles();
      state.compareAndSet(State.ASKED, State.READY);
    } catch (LogException e) {
      LOG.warn("the next segment is made when it is needed: directory={}", nextLog.getParent(), e);
    }
  }

  private static void create(Path file) {
    try {
      Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    } catch (IOException e) {
      throw new LogException("cannot create file=" + file, e);
    }
  }

  /** Gives the file that was made, if there is one, the name of the segment that begins. */
  void takeFor(Path segment) {
    if (state.getAndSet(State.NONE) != State.READY) {
      return;
    }
    try {
      Files.move(nextLog, segment, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.debug("the next segment is made anew: file={}", segment, e);
    }
  }

  /** Takes away what was made, for a stop that leaves the files of a log and no others. */
  void discard() {
    state.set(State.NONE);
    if (!everMade) {
      return;
    }
    try {
      Files.deleteIfExists(nextLog);
      Files.deleteIfExists(nextSnapshot);
    } catch (IOException e) {
      LOG.warn("cannot delete what the next start removes: file={}", nextLog, e);
    }
  }

  @Override
  public String toString() {
    return "RollFiles[" + state + ", nextLog=" + nextLog + "]";
  }
}
