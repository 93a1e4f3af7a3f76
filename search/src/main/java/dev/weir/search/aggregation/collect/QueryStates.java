package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.deadline.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;

/** Buckets that queries make. */
final class QueryStates {
  private QueryStates() {}

  static State.Source source(
      Aggregation aggregation,
      List<Weight> weights,
      LeafReaderContext leaf,
      Bucket.Maker inner,
      Deadline deadline)
      throws IOException {
    List<Membership> members = new ArrayList<>(weights.size());
    for (Weight weight : weights) {
      Scorer scorer = deadline.shouldExit() ? null : weight.scorer(leaf);
      members.add(new Membership(scorer == null ? DocIdSetIterator.empty() : scorer.iterator()));
    }
    boolean hasOther =
        aggregation instanceof Aggregation.Filters filters && filters.otherKey() != null;
    return aggregation instanceof Aggregation.Filter
        ? () -> new OneFilter(members.getFirst(), inner.newBucket())
        : () -> new ManyFilters(members, inner, hasOther);
  }

  /** Which documents a query matches; asked for documents in their order. */
  private static final class Membership {
    private final DocIdSetIterator matches;

    Membership(DocIdSetIterator matches) {
      this.matches = matches;
    }

    boolean has(int doc) throws IOException {
      if (matches.docID() < doc) {
        matches.advance(doc);
      }
      return matches.docID() == doc;
    }
  }

  private record OneFilter(Membership member, Bucket bucket) implements State {
    @Override
    public void collect(int doc) throws IOException {
      if (member.has(doc)) {
        bucket.collect(doc);
      }
    }

    @Override
    public Partial part() throws IOException {
      return bucket.part();
    }
  }

  private static final class ManyFilters implements State {
    private final List<Membership> members;
    private final List<Bucket> buckets;
    private final boolean hasOther;

    ManyFilters(List<Membership> members, Bucket.Maker inner, boolean hasOther) throws IOException {
      this.members = members;
      this.hasOther = hasOther;
      this.buckets = inner.newBuckets(members.size() + (hasOther ? 1 : 0));
    }

    @Override
    public void collect(int doc) throws IOException {
      boolean isInAny = false;
      for (int i = 0; i < members.size(); i++) {
        if (members.get(i).has(doc)) {
          isInAny = true;
          buckets.get(i).collect(doc);
        }
      }
      if (hasOther && !isInAny) {
        buckets.getLast().collect(doc);
      }
    }

    @Override
    public Partial part() throws IOException {
      return Bucket.numbered(buckets);
    }
  }
}
