package dev.weir.search.execute;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;

/**
 * Which segments of a shard are searched side by side. The answer does not depend on it: hits with
 * equal scores are ordered by document, and parts of aggregations are merged in the order of the
 * segments.
 *
 * @param mode {@code index.search.concurrent_segment_search.mode}
 * @param slicesMax for {@link Mode#ALL}: at most so many groups of segments ({@code
 *     index.search.concurrent.max_slice_count}); 0: as many as there are processors
 */
public record Slicing(Mode mode, int slicesMax) {

  /** When segments are searched side by side. */
  public enum Mode {
    /** Where a shard has 250,000 documents: groups of up to so many, or of five segments. */
    AUTO,
    /** Always, if there are two segments. */
    ALL,
    /** Never. */
    NONE;

    /**
     * The mode of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Mode of(String name) {
      return valueOf(name.toUpperCase(Locale.ROOT));
    }
  }

  /** What holds for an index that says nothing. */
  public static final Slicing DEFAULT = new Slicing(Mode.AUTO, 0);

  /** Below this, handing a group to another thread costs more than searching it. */
  private static final int DOCUMENTS_PER_SLICE = 250_000;

  private static final int SEGMENTS_PER_SLICE = 5;

  /** A segment is one thread's: what its parts share would have to be locked. */
  private static final boolean PARTS_OF_SEGMENTS = false;

  /** Whether there is more than one group. */
  boolean isSideBySide(List<LeafReaderContext> leaves) {
    return mode != Mode.NONE && leaves.size() > 1 && slices(leaves).length > 1;
  }

  /** The groups; together they hold each segment once. */
  LeafSlice[] slices(List<LeafReaderContext> leaves) {
    return switch (mode) {
      case AUTO ->
          documents(leaves) < DOCUMENTS_PER_SLICE
              ? one(leaves)
              : IndexSearcher.slices(
                  leaves, DOCUMENTS_PER_SLICE, SEGMENTS_PER_SLICE, PARTS_OF_SEGMENTS);
      case ALL -> balanced(leaves);
      case NONE -> one(leaves);
    };
  }

  private static long documents(List<LeafReaderContext> leaves) {
    return leaves.stream().mapToLong(leaf -> leaf.reader().maxDoc()).sum();
  }

  private static LeafSlice[] one(List<LeafReaderContext> leaves) {
    return IndexSearcher.slices(leaves, Integer.MAX_VALUE, Integer.MAX_VALUE, PARTS_OF_SEGMENTS);
  }

  /** The largest segment goes to the group that has least so far. */
  private LeafSlice[] balanced(List<LeafReaderContext> leaves) {
    int wanted = slicesMax == 0 ? Runtime.getRuntime().availableProcessors() : slicesMax;
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < Math.min(wanted, leaves.size()); i++) {
      groups.add(new Group());
    }
    leaves.stream()
        .sorted(
            Comparator.comparingInt((LeafReaderContext leaf) -> -leaf.reader().maxDoc())
                .thenComparingInt(leaf -> leaf.ord))
        .forEach(
            leaf ->
                groups.stream()
                    .min(Comparator.comparingLong(group -> group.documents))
                    .orElseThrow()
                    .add(leaf));
    return groups.stream().map(Group::slice).toArray(LeafSlice[]::new);
  }

  private static final class Group {
    private final List<LeafReaderContext> leaves = new ArrayList<>();
    private long documents;

    void add(LeafReaderContext leaf) {
      leaves.add(leaf);
      documents += leaf.reader().maxDoc();
    }

    LeafSlice slice() {
      return new LeafSlice(
          new ArrayList<>(
              leaves.stream()
                  .sorted(Comparator.comparingInt(leaf -> leaf.ord))
                  .map(LeafReaderContextPartition::createForEntireSegment)
                  .toList()));
    }
  }
}
