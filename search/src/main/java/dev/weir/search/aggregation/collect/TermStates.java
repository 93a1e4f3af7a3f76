package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.result.Distinct;
import dev.weir.search.aggregation.result.Empty;
import dev.weir.search.aggregation.result.Key;
import dev.weir.search.aggregation.result.Merge;
import dev.weir.search.aggregation.result.Partial;
import dev.weir.search.aggregation.result.ValueKind;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/** Aggregations over terms. */
final class TermStates {
  /** What one of many different values takes in a set. */
  static final int DISTINCT_BYTES = 64;

  private TermStates() {}

  /**
   * The states of an aggregation.
   *
   * @param countersMax terms up to which each has a counter from the start
   */
  static State.Source source(
      Aggregation aggregation,
      TermColumn column,
      Bucket.Maker inner,
      int countersMax,
      TermExpressions expressions) {
    return switch (aggregation) {
      case Aggregation.Terms terms -> {
        Predicate<Key> chosen = TermFilter.of(terms.choice(), new ValueKind.Text(), expressions);
        yield inner.isEmpty() && column.size() <= countersMax
            ? () -> new TermCounts(terms, chosen, column, inner.budget())
            : () -> new TermBuckets(terms, chosen, column, inner);
      }
      case Aggregation.Missing _ -> () -> new ValueStates.Missing(column, inner.newBucket());
      case Aggregation.Cardinality(_, int exactMax) ->
          () -> new DistinctTerms(column, exactMax, inner.budget());
      case Aggregation.Numbers _ -> () -> new ValueStates.Count(column, new ValueKind.Text());
      default -> throw new AssertionError("no aggregation of terms: " + aggregation.type());
    };
  }

  /**
   * Buckets of nothing but documents. A counter a term instead of a bucket in a map: two thirds of
   * the CPU of a terms aggregation were the map's.
   */
  private static final class TermCounts implements State {
    private final Aggregation.Terms terms;
    private final Predicate<Key> chosen;
    private final TermColumn column;
    private final AnswerBudget budget;
    private final long[] docsByOrdinal; // the last one counts documents without a term

    TermCounts(
        Aggregation.Terms terms, Predicate<Key> chosen, TermColumn column, AnswerBudget budget) {
      budget.take(AnswerPart.BUCKETS, Long.BYTES * (column.size() + 1));
      this.budget = budget;
      this.terms = terms;
      this.chosen = chosen;
      this.column = column;
      this.docsByOrdinal = new long[(int) column.size() + 1];
    }

    @Override
    public void collect(int doc) throws IOException {
      int count = column.count(doc);
      for (int i = 0; i < count; i++) {
        long ordinal = column.ordinal(i);
        docsByOrdinal[ordinal == TermColumn.MISSING ? docsByOrdinal.length - 1 : (int) ordinal]++;
      }
    }

    @Override
    public Partial part() throws IOException {
      Map<Key, Partial.Bucket> parts = new HashMap<>();
      for (int i = 0; i < docsByOrdinal.length; i++) {
        boolean isMissing = i == docsByOrdinal.length - 1;
        if (docsByOrdinal[i] > 0 || (terms.minDocCount() == 0 && !isMissing)) {
          Key key = new Key.Term(column.term(isMissing ? TermColumn.MISSING : i));
          if (chosen.test(key)) {
            budget.take(AnswerPart.BUCKETS, Bucket.BYTES);
            // The term that stands for no value may be a term of other documents too.
            Partial.Bucket before = parts.get(key);
            long docs = docsByOrdinal[i] + (before == null ? 0 : before.docs());
            parts.put(key, new Partial.Bucket(docs, List.of()));
          }
        }
      }
      return new Partial.Buckets(new ValueKind.Text(), parts, 0, 0);
    }
  }

  private static final class TermBuckets implements State {
    private final Aggregation.Terms terms;
    private final Predicate<Key> chosen;
    private final TermColumn column;
    private final Bucket.Maker inner;
    private final Map<Long, Bucket> bucketByOrdinal = new HashMap<>();

    TermBuckets(
        Aggregation.Terms terms, Predicate<Key> chosen, TermColumn column, Bucket.Maker inner) {
      this.terms = terms;
      this.chosen = chosen;
      this.column = column;
      this.inner = inner;
    }

    @Override
    public void collect(int doc) throws IOException {
      int count = column.count(doc);
      for (int i = 0; i < count; i++) {
        long ordinal = column.ordinal(i);
        Bucket bucket = bucketByOrdinal.get(ordinal);
        if (bucket == null) {
          bucket = inner.newBucket();
          bucketByOrdinal.put(ordinal, bucket);
        }
        bucket.collect(doc);
      }
    }

    @Override
    public Partial part() throws IOException {
      Map<Key, Partial.Bucket> parts = new HashMap<>();
      for (Map.Entry<Long, Bucket> entry : bucketByOrdinal.entrySet()) {
        String term = column.term(entry.getKey());
        if (chosen.test(new Key.Term(term))) {
          // The term that stands for no value may be a term of other documents too.
          Partial.Bucket part = entry.getValue().part();
          Partial.Bucket before = parts.get(new Key.Term(term));
          parts.put(new Key.Term(term), before == null ? part : joined(before, part));
        }
      }
      if (terms.minDocCount() == 0) {
        for (long ordinal = 0; ordinal < column.size(); ordinal++) {
          String term = column.term(ordinal);
          if (chosen.test(new Key.Term(term)) && !parts.containsKey(new Key.Term(term))) {
            inner.budget().take(AnswerPart.BUCKETS, Bucket.BYTES);
            parts.put(new Key.Term(term), new Partial.Bucket(0, Empty.all(terms.inner())));
          }
        }
      }
      return new Partial.Buckets(new ValueKind.Text(), parts, 0, 0);
    }

    private Partial.Bucket joined(Partial.Bucket one, Partial.Bucket other) {
      return new Partial.Bucket(
          one.docs() + other.docs(), Merge.all(terms.inner(), List.of(one.inner(), other.inner())));
    }
  }

  private static final class DistinctTerms implements State {
    private final TermColumn column;
    private final int exactMax;
    private final AnswerBudget budget;
    private final Set<Long> ordinals = new HashSet<>();

    DistinctTerms(TermColumn column, int exactMax, AnswerBudget budget) {
      this.budget = budget;
      this.column = column;
      this.exactMax = exactMax;
    }

    @Override
    public void collect(int doc) throws IOException {
      int count = column.count(doc);
      for (int i = 0; i < count; i++) {
        if (ordinals.add(column.ordinal(i))) {
          budget.take(AnswerPart.BUCKETS, DISTINCT_BYTES);
        }
      }
    }

    @Override
    public Partial part() throws IOException {
      Set<Long> hashes = new HashSet<>();
      for (long ordinal : ordinals) {
        BytesRef term = new BytesRef(column.term(ordinal));
        hashes.add(StringHelper.murmurhash3_x64_128(term)[0]);
      }
      return new Partial.Values(Distinct.of(exactMax, hashes));
    }
  }
}
