package dev.weir.log.checkpoint;

import dev.weir.log.CorruptFileException;
import dev.weir.log.EpochEnd;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Where each leader epoch starts in a log, kept in {@code leader-epoch-checkpoint} (epoch, start
 * offset). Epochs grow strictly, start offsets do not go back.
 *
 * <p>The file is replaced without a sync, and so survives the process; the log syncs it with the
 * batches at its next flush. Epochs of batches above the recovery point are found again in their
 * headers.
 *
 * <p>One writer, under the log's lock; questions from any thread.
 */
public final class LeaderEpochs {
  /** Name of the file. */
  public static final String FILE_NAME = "leader-epoch-checkpoint";

  /**
   * One entry.
   *
   * @param epoch leader epoch
   * @param startOffset first offset that its leader appended
   */
  public record Start(int epoch, long startOffset) {}

  private final Consumer<List<Start>> file;
  private volatile List<Start> starts;

  private LeaderEpochs(Consumer<List<Start>> file, List<Start> starts) {
    this.file = file;
    this.starts = List.copyOf(starts);
  }

  /**
   * Reads the file of a partition directory; no file means no epoch.
   *
   * @throws CorruptFileException if it is malformed
   */
  public static LeaderEpochs read(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    List<Start> starts = new ArrayList<>();
    int line = 2;
    for (String[] entry : TextCheckpoint.read(file, 2)) {
      line++;
      int epoch = TextCheckpoint.count(entry[0], file, line);
      starts.add(new Start(epoch, TextCheckpoint.number(entry[1], file, line)));
    }
    return new LeaderEpochs(all -> write(file, all), starts);
  }

  /** No epochs, in place of what a file may hold. */
  public static LeaderEpochs empty(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    return new LeaderEpochs(all -> write(file, all), List.of());
  }

  /** No epochs, and no file: for epochs that are read from batches. */
  public static LeaderEpochs unsaved() {
    return new LeaderEpochs(_ -> {}, List.of());
  }

  /** These epochs, and a file with all of them in place of what there may be. */
  public static LeaderEpochs replacing(Path directory, List<Start> starts) {
    LeaderEpochs epochs = empty(directory);
    epochs.replace(starts);
    return epochs;
  }

  /** All entries in order. */
  public List<Start> starts() {
    return starts;
  }

  /** The latest epoch. */
  public OptionalInt latest() {
    List<Start> now = starts;
    return now.isEmpty() ? OptionalInt.empty() : OptionalInt.of(now.getLast().epoch());
  }

  /**
   * Notes that {@code epoch} starts at {@code startOffset}; an epoch that is not newer is known.
   */
  public void start(int epoch, long startOffset) {
    OptionalInt latest = latest();
    if (epoch < 0 || (latest.isPresent() && epoch <= latest.getAsInt())) {
      return;
    }
    List<Start> more = new ArrayList<>(starts);
    // An epoch in which nothing was appended leaves no trace that a later one needs.
    more.removeIf(start -> start.startOffset() >= startOffset);
    more.add(new Start(epoch, startOffset));
    replace(more);
  }

  /** Forgets the epochs that start at or after {@code endOffset}, where the log ends now. */
  public void truncateFromEnd(long endOffset) {
    List<Start> kept = starts.stream().filter(start -> start.startOffset() < endOffset).toList();
    if (kept.size() < starts.size()) {
      replace(kept);
    }
  }

  /** Forgets the epochs that end before {@code startOffset}, where the log starts now. */
  public void truncateFromStart(long startOffset) {
    List<Start> now = starts;
    int floor = -1;
    while (floor + 1 < now.size() && now.get(floor + 1).startOffset() <= startOffset) {
      floor++;
    }
    if (floor < 0 || (floor == 0 && now.get(0).startOffset() == startOffset)) {
      return;
    }
    List<Start> kept = new ArrayList<>(now.subList(floor, now.size()));
    kept.set(0, new Start(kept.getFirst().epoch(), startOffset));
    replace(kept);
  }

  /** Forgets everything. */
  public void clear() {
    if (!starts.isEmpty()) {
      replace(List.of());
    }
  }

  /** Writes the file once more, since it may lack what is here. */
  public void save() {
    if (!starts.isEmpty()) {
      file.accept(starts);
    }
  }

  /** Answers where {@code epoch} ends, as the leader of a partition does. */
  public EpochEnd endOffset(int epoch, long logEndOffset) {
    List<Start> now = starts;
    if (now.isEmpty() || epoch < 0 || epoch > now.getLast().epoch()) {
      return EpochEnd.UNKNOWN;
    }
    if (epoch == now.getLast().epoch()) {
      return new EpochEnd(epoch, logEndOffset);
    }
    int next = 0;
    while (now.get(next).epoch() <= epoch) {
      next++;
    }
    int known = next == 0 ? epoch : now.get(next - 1).epoch();
    return new EpochEnd(known, now.get(next).startOffset());
  }

  private void replace(List<Start> newStarts) {
    starts = List.copyOf(newStarts);
    file.accept(starts);
  }

  private static void write(Path file, List<Start> all) {
    AtomicFile.write(
        file,
        TextCheckpoint.encode(
            all.stream().map(start -> start.epoch() + " " + start.startOffset()).toList()));
  }

  @Override
  public String toString() {
    return "LeaderEpochs" + starts;
  }
}
