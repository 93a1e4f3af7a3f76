package dev.weir.search.vector;

import dev.weir.search.vector.FilterBits.Matching;
import dev.weir.search.vector.SegmentReport.FilterOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The bits of a filter that joins others, from theirs: each of them is evaluated, and kept for
 * later requests, by itself, so that a filter of one's own beside one that many have costs no
 * evaluation once both are known. Safe for use by several threads.
 */
final class JoinedBits {

  private final List<FilterBits> required = new ArrayList<>();
  private final List<FilterBits> excluded = new ArrayList<>();
  private final List<FilterBits> any =
      new ArrayList<>(); // one of them must match; empty: none need

  private JoinedBits() {}

  /** Of a bool over such filters; null where it is another query, or counts its clauses. */
  static @Nullable JoinedBits of(Query filter) {
    if (!(filter instanceof BooleanQuery bool)) {
      return null;
    }
    JoinedBits joined = new JoinedBits();
    for (BooleanClause clause : bool) {
      if (!(clause.query() instanceof FilterBits bits)) {
        return null;
      }
      switch (clause.occur()) {
        case MUST, FILTER -> joined.required.add(bits);
        case SHOULD -> joined.any.add(bits);
        case MUST_NOT -> joined.excluded.add(bits);
      }
    }
    int wanted = bool.getMinimumNumberShouldMatch();
    if (joined.required.isEmpty()) {
      wanted = Math.max(1, wanted);
    }
    if (wanted > 1 || wanted > joined.any.size()) {
      return null;
    }
    if (wanted == 0) {
      joined.any.clear();
    }
    return joined;
  }

  Matching in(LeafReaderContext leaf) throws IOException {
    FixedBitSet bits = new FixedBitSet(leaf.reader().maxDoc());
    FilterOutcome outcome = FilterOutcome.SHARED;
    for (FilterBits filter : any) {
      Matching one = filter.matching(leaf);
      bits.or(one.bits());
      outcome = worse(outcome, one.outcome());
    }
    if (any.isEmpty()) {
      bits.set(0, bits.length());
    }
    for (FilterBits filter : required) {
      Matching one = filter.matching(leaf);
      bits.and(one.bits());
      outcome = worse(outcome, one.outcome());
    }
    for (FilterBits filter : excluded) {
      Matching one = filter.matching(leaf);
      bits.andNot(one.bits());
      outcome = worse(outcome, one.outcome());
    }
    return new Matching(bits, outcome);
  }

  /** The whole was come by as the part that took most. */
  private static FilterOutcome worse(FilterOutcome one, FilterOutcome other) {
    return cost(one) >= cost(other) ? one : other;
  }

  private static int cost(FilterOutcome outcome) {
    return switch (outcome) {
      case SHARED -> 0;
      case HIT -> 1;
      case MISS -> 2;
      case NOT_KEPT -> 3;
    };
  }
}
