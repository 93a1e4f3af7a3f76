package dev.weir.search.query;

import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Boosting;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.DisMax;
import dev.weir.search.query.Query.FunctionScore;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.Leaf;
import dev.weir.search.query.Query.MatchAll;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.Query.ScriptScore;
import java.util.Set;

/**
 * Whether a filter holds for the documents that others are known to let through, also where it was
 * changed as another one was put into it: {@link Filtering} says how a {@code bool} changes then.
 */
final class Holding {
  private Holding() {}

  /**
   * Whether it holds; false where it can only be told by asking the documents.
   *
   * @param held conjuncts, see {@link OwnFilters#conjuncts}
   */
  static boolean holds(Query filter, Set<Query> held) {
    if (held.contains(filter)) {
      return true;
    }
    return switch (filter) {
      case ConstantScore constant -> holds(constant.query(), held);
      case Bool bool ->
          areHeld(bool, held)
              || held.stream().anyMatch(each -> each instanceof Bool other && isFrom(other, bool));
      case Leaf _,
          VectorSearch _,
          Nested _,
          DisMax _,
          Boosting _,
          FunctionScore _,
          ScriptScore _,
          Hybrid _ ->
          false;
    };
  }

  /** Nothing but clauses that hold; an empty one lets everything through. */
  private static boolean areHeld(Bool bool, Set<Query> held) {
    return bool.mustNot().isEmpty()
        && bool.requiredShould() == 0
        && bool.must().stream().allMatch(clause -> holds(clause, held))
        && bool.filter().stream().allMatch(clause -> holds(clause, held));
  }

  /** Whether a {@code bool} is another, but for filters that were appended and what that asks. */
  static boolean isFrom(Bool changed, Bool original) {
    boolean isSameButForFilters =
        original.isEmpty()
            ? changed.must().size() == 1
                && changed.must().getFirst() instanceof MatchAll
                && changed.should().isEmpty()
                && changed.mustNot().isEmpty()
            : changed.must().equals(original.must())
                && changed.should().equals(original.should())
                && changed.mustNot().equals(original.mustNot());
    int kept = original.filter().size();
    return isSameButForFilters
        && changed.requiredShould() == original.requiredShould()
        && changed.filter().size() >= kept
        && changed.filter().subList(0, kept).equals(original.filter());
  }
}
