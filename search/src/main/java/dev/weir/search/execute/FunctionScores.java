package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.query.FunctionCombination;
import dev.weir.search.query.ScoreMode;
import dev.weir.search.query.ScoreShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * The scores that functions make of those of a query. A document that no function is for has the
 * factor 1.
 */
@SuppressWarnings("ReferenceEquality") // Lucene ends a rewrite at the same instance
final class FunctionScores extends DoubleValuesSource {
  private final List<Part> parts;
  private final FunctionCombination combination;
  private final Level level;

  /** One function in one segment. */
  @FunctionalInterface
  interface Value {
    /** The value of a document whose score is given. */
    double of(int doc, double score) throws IOException;
  }

  /** One function. */
  @FunctionalInterface
  interface Values {
    Value in(LeafReaderContext leaf) throws IOException;
  }

  /**
   * One function and whom it is for.
   *
   * @param filter gives a value for the documents that it is for; null for all
   */
  record Part(
      @Nullable DoubleValuesSource filter, ScoreShape shape, double weight, Values values) {}

  private record Leaf(@Nullable DoubleValues filter, double weight, Value value) {
    boolean isFor(int doc) throws IOException {
      return filter == null || filter.advanceExact(doc);
    }
  }

  FunctionScores(List<Part> parts, FunctionCombination combination, Level level) {
    this.parts = List.copyOf(parts);
    this.combination = combination;
    this.level = level;
  }

  @Override
  public DoubleValues getValues(LeafReaderContext leaf, DoubleValues scores) throws IOException {
    List<Leaf> functions = new ArrayList<>(parts.size());
    for (Part part : parts) {
      DoubleValues filter = part.filter == null ? null : part.filter.getValues(leaf, scores);
      functions.add(new Leaf(filter, part.weight, part.values.in(leaf)));
    }
    // Nested documents are none that a search sees by themselves; those around them are checked.
    Bits visible = level.path() == null ? leaf.reader().getLiveDocs() : null;
    return new DoubleValues() {
      private int doc = -1;

      @Override
      public boolean advanceExact(int target) throws IOException {
        doc = target;
        return scores.advanceExact(target);
      }

      @Override
      public double doubleValue() throws IOException {
        if (visible != null && !visible.get(doc)) {
          // Deleted, or no document at all but a mark of ours: where a clause is excluded Lucene
          // asks
          // for these too, and whatever their fields lack is nobody's error.
          return 0;
        }
        double score = scores.doubleValue();
        double factor = Math.min(factor(functions, doc, score), combination.maxBoost());
        double result = combination.boostMode().of(score, factor);
        if (!(result >= 0 && result <= Float.MAX_VALUE)) {
          throw SearchException.illegalArgument(
              "function score query returned an invalid score: "
                  + result
                  + " for doc: "
                  + doc
                  + "; it must be a 32-bit number that is not negative");
        }
        return result;
      }
    };
  }

  private double factor(List<Leaf> functions, int doc, double score) throws IOException {
    boolean any = false;
    double factor = 1;
    double weights = 0;
    for (Leaf function : functions) {
      if (!function.isFor(doc)) {
        continue;
      }
      double value = function.value.of(doc, score) * function.weight;
      weights += function.weight;
      factor = any ? together(factor, value) : value;
      any = true;
    }
    boolean isMean = any && combination.scoreMode() == ScoreMode.AVG && weights > 0;
    return isMean ? factor / weights : factor;
  }

  private double together(double before, double value) {
    return switch (combination.scoreMode()) {
      case MULTIPLY -> before * value;
      case SUM, AVG -> before + value;
      case FIRST -> before;
      case MAX -> Math.max(before, value);
      case MIN -> Math.min(before, value);
    };
  }

  @Override
  public boolean needsScores() {
    return true;
  }

  @Override
  public DoubleValuesSource rewrite(IndexSearcher searcher) throws IOException {
    List<Part> rewritten = new ArrayList<>(parts.size());
    boolean any = false;
    for (Part part : parts) {
      DoubleValuesSource filter = part.filter == null ? null : part.filter.rewrite(searcher);
      any |= filter != part.filter;
      rewritten.add(new Part(filter, part.shape, part.weight, part.values));
    }
    return any ? new FunctionScores(rewritten, combination, level) : this;
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FunctionScores that
        && parts.equals(that.parts)
        && combination.equals(that.combination)
        && level.equals(that.level);
  }

  @Override
  public int hashCode() {
    return Objects.hash(parts, combination, level);
  }

  @Override
  public String toString() {
    return parts.stream().map(part -> part.shape + "^" + part.weight).toList()
        + " by "
        + combination.scoreMode()
        + " with "
        + combination.boostMode();
  }
}
