package dev.weir.log.compaction;

import static dev.weir.log.segment.SegmentFiles.CLEANED;
import static dev.weir.log.segment.SegmentFiles.INDEXES;
import static dev.weir.log.segment.SegmentFiles.LOG;
import static dev.weir.log.segment.SegmentFiles.SWAP;

import dev.weir.log.LogException;
import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.log.segment.BatchScan;
import dev.weir.log.segment.LogSegment;
import dev.weir.log.segment.OpenFiles;
import dev.weir.log.segment.SegmentFiles;
import dev.weir.log.segment.SegmentList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Puts compacted segments in the place of the old ones, so that a crash between any two steps
 * leaves either the old segments or a swap that the next start completes:
 *
 * <ol>
 *   <li>{@code .cleaned} files are whole and synced, but do not count;
 *   <li>they are renamed to {@code .swap}, the segment file last: from then on the swap counts;
 *   <li>the old segments behind the first are removed, the {@code .swap} files renamed over the
 *       first one's, again the segment file last, when the other names are on the disk.
 * </ol>
 */
public final class SegmentSwap {
  private SegmentSwap() {}

  /** Step two, for all replacements. */
  public static void prepare(Path directory, List<Compaction.Replacement> replacements) {
    for (Compaction.Replacement replacement : replacements) {
      renameIndexes(directory, replacement.fromBase(), CLEANED, SWAP);
    }
    AtomicFile.syncDirectory(directory); // a file system may keep the last rename alone
    for (Compaction.Replacement replacement : replacements) {
      renameLog(directory, replacement.fromBase(), CLEANED, SWAP);
    }
    AtomicFile.syncDirectory(directory);
  }

  /** Takes the files away again before step two: what they replace has changed. */
  public static void discard(Path directory, List<Compaction.Replacement> replacements) {
    for (Compaction.Replacement replacement : replacements) {
      delete(SegmentFiles.file(directory, replacement.fromBase(), LOG + CLEANED));
      for (String index : INDEXES) {
        delete(SegmentFiles.file(directory, replacement.fromBase(), index + CLEANED));
      }
    }
  }

  /** Takes away what a run has left that failed. */
  public static void discardUnfinished(Path directory) {
    for (String name : SegmentFiles.names(directory)) {
      if (name.endsWith(CLEANED)) {
        delete(directory.resolve(name));
      }
    }
  }

  /** Step three for one replacement of segments that are open; opens the new one. */
  public static LogSegment complete(Path directory, SegmentList old) {
    long base = old.first().baseOffset();
    old.all().forEach(LogSegment::detach);
    for (LogSegment segment : old.all()) {
      if (segment.baseOffset() != base) {
        segment.deleteFiles();
      }
    }
    renameIndexes(directory, base, SWAP, "");
    AtomicFile.syncDirectory(directory); // as long as the swap file is there the rest is repeated
    renameLog(directory, base, SWAP, "");
    return old.first().openAnew();
  }

  /** Step three at start, for a swap that a crash has left. */
  public static void completeAfterCrash(OpenFiles files, Path directory, long base) {
    long end = endOffset(files, directory, base);
    for (long other : SegmentFiles.offsets(SegmentFiles.names(directory), LOG)) {
      if (other > base && other < end) {
        LogSegment.deleteFiles(directory, other);
      }
    }
    renameIndexes(directory, base, SWAP, "");
    AtomicFile.syncDirectory(directory); // as long as the swap file is there the rest is repeated
    renameLog(directory, base, SWAP, "");
  }

  /** Offset after the last batch of a prepared segment. */
  private static long endOffset(OpenFiles files, Path directory, long base) {
    LogSegment swap = LogSegment.openWith(files, directory, base, SWAP);
    try {
      long end = base;
      BatchScan scan = swap.scanHeaders(0);
      while (swap.next(scan)) {
        end = scan.batch().nextOffset();
      }
      return end;
    } finally {
      swap.close();
    }
  }

  private static void renameIndexes(Path directory, long base, String from, String to) {
    for (String index : INDEXES) {
      Path file = SegmentFiles.file(directory, base, index + from);
      if (Files.exists(file)) {
        move(file, SegmentFiles.file(directory, base, index + to));
      }
    }
  }

  private static void renameLog(Path directory, long base, String from, String to) {
    move(
        SegmentFiles.file(directory, base, LOG + from),
        SegmentFiles.file(directory, base, LOG + to));
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new LogException("cannot rename file=" + from + " to " + to, e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new LogException("cannot delete file=" + file, e);
    }
  }
}
