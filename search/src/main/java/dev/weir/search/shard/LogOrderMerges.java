package dev.weir.search.shard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.jspecify.annotations.Nullable;

/**
 * Merges segments with their neighbours only, so that the order of documents is the order in which
 * they were written, before and after any merge. A merge takes segments of about the same size;
 * what neighbours cannot do, to get rid of deleted documents, is done by writing one segment again
 * by itself.
 *
 * <p>Decision and measurements: {@code docs/decisions/030-log-order.md}.
 */
final class LogOrderMerges extends FilterMergePolicy {

  /**
   * Segments of one size that become one. With fewer a shard has fewer segments to search, and
   * builds the graphs over its vectors more often, which is what indexing costs most.
   */
  private static final int MERGED_AT_ONCE = 10;

  /** Segments are not merged to larger ones unless asked for: OpenSearch's bound. */
  private static final double MERGED_MB_MAX = 5 * 1024;

  /** Below this segments count as equally large: a few refreshes of a slow writer. */
  private static final double FLOOR_MB = 2;

  /** Deleted documents that are tolerated, of all in the index: OpenSearch's share. */
  private static final double DELETED_SHARE_MAX = 0.20;

  /** Deleted documents that are tolerated in a segment when they are to be expunged. */
  private static final double EXPUNGED_SHARE_MIN = 0.10;

  LogOrderMerges() {
    super(neighbours());
  }

  private static MergePolicy neighbours() {
    LogByteSizeMergePolicy bySize = new LogByteSizeMergePolicy();
    bySize.setMergeFactor(MERGED_AT_ONCE);
    bySize.setMaxMergeMB(MERGED_MB_MAX);
    bySize.setMinMergeMB(FLOOR_MB);
    return bySize;
  }

  @Override
  public @Nullable MergeSpecification findMerges(
      MergeTrigger trigger, SegmentInfos segments, MergeContext context) throws IOException {
    MergeSpecification found = super.findMerges(trigger, segments, context);
    Set<SegmentCommitInfo> taken = new HashSet<>(context.getMergingSegments());
    if (found != null) {
      found.merges.forEach(merge -> taken.addAll(merge.segments));
    }
    return with(found, rewrites(segments, taken, context));
  }

  /** The segments to be written again, those with most deleted documents first. */
  private static List<SegmentCommitInfo> rewrites(
      SegmentInfos segments, Set<SegmentCommitInfo> taken, MergeContext context)
      throws IOException {
    long documents = 0;
    long deleted = 0;
    List<Deletes> candidates = new ArrayList<>();
    for (SegmentCommitInfo segment : segments) {
      Deletes deletes = Deletes.of(segment, context);
      documents += deletes.documents - deletes.deleted;
      if (!taken.contains(segment)) { // else they are gone soon
        documents += deletes.deleted;
        deleted += deletes.deleted;
        candidates.add(deletes);
      }
    }
    candidates.sort(Comparator.comparingDouble(Deletes::share).reversed());
    List<SegmentCommitInfo> chosen = new ArrayList<>();
    for (Deletes next : candidates) {
      if (next.deleted == 0 || deleted <= DELETED_SHARE_MAX * documents) {
        break;
      }
      chosen.add(next.segment);
      deleted -= next.deleted;
      documents -= next.deleted;
    }
    return chosen;
  }

  /** Each segment by itself, if a tenth of its documents is deleted. */
  @Override
  public @Nullable MergeSpecification findForcedDeletesMerges(
      SegmentInfos segments, MergeContext context) throws IOException {
    List<SegmentCommitInfo> chosen = new ArrayList<>();
    for (SegmentCommitInfo segment : segments) {
      if (Deletes.of(segment, context).share() > EXPUNGED_SHARE_MIN
          && !context.getMergingSegments().contains(segment)) {
        chosen.add(segment);
      }
    }
    return with(null, chosen);
  }

  private static @Nullable MergeSpecification with(
      @Nullable MergeSpecification found, List<SegmentCommitInfo> rewritten) {
    if (rewritten.isEmpty()) {
      return found;
    }
    MergeSpecification all = found == null ? new MergeSpecification() : found;
    rewritten.forEach(segment -> all.add(new OneMerge(List.of(segment))));
    return all;
  }

  /** A segment with its count of documents, and how many of them are deleted. */
  private record Deletes(SegmentCommitInfo segment, int documents, int deleted) {

    static Deletes of(SegmentCommitInfo segment, MergeContext context) throws IOException {
      return new Deletes(segment, segment.info.maxDoc(), context.numDeletesToMerge(segment));
    }

    double share() {
      return (double) deleted / documents;
    }
  }
}
