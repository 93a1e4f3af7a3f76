package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.TermChoice;
import dev.weir.search.aggregation.result.Key;
import dev.weir.search.aggregation.result.ValueKind;
import dev.weir.search.mapping.DateFormat;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;

/** Which values get a bucket of terms. */
final class TermFilter {
  private TermFilter() {}

  /** Refuses a regular expression for anything but text. */
  static void requireFits(Aggregation.Terms terms, Column column) {
    TermChoice.Chosen chosen = (TermChoice.Chosen) terms.choice();
    boolean isRegexp =
        chosen.included() instanceof TermChoice.Matching
            || chosen.excluded() instanceof TermChoice.Matching;
    if (isRegexp && column instanceof Column.Numbers(String field, _, _, _)) {
      throw new IllegalArgumentException(
          "Aggregation on ["
              + field
              + "] cannot support regular expression style include/exclude settings as they can"
              + " only be applied to string fields. Use an array of values");
    }
  }

  /** Whether a value has a bucket. */
  static Predicate<Key> of(TermChoice choice, ValueKind kind, TermExpressions expressions) {
    TermChoice.Chosen chosen = (TermChoice.Chosen) choice;
    Predicate<Key> included = of(chosen.included(), kind, expressions);
    Predicate<Key> excluded = of(chosen.excluded(), kind, expressions);
    return key -> included.test(key) && !excluded.test(key);
  }

  private static Predicate<Key> of(
      TermChoice.Terms terms, ValueKind kind, TermExpressions expressions) {
    return switch (terms) {
      case TermChoice.Everything _ -> _ -> true;
      case TermChoice.Nothing _ -> _ -> false;
      case TermChoice.Listed listed -> {
        Set<Key> keys = new HashSet<>();
        listed.terms().forEach(term -> keys.add(key(term, kind)));
        yield keys::contains;
      }
      case TermChoice.Matching(String regexp) -> {
        CharacterRunAutomaton automaton = expressions.automaton(regexp);
        yield key -> key instanceof Key.Term(String text) && automaton.run(text);
      }
    };
  }

  private static Key key(String term, ValueKind kind) {
    return switch (kind) {
      case ValueKind.Date(DateFormat format) -> new Key.Whole(format.parse(term));
      case ValueKind.Flag _ -> new Key.Whole(term.equals("true") || term.equals("1") ? 1 : 0);
      case ValueKind.Whole _ -> new Key.Whole(Long.parseLong(term));
      case ValueKind.Fraction _ -> new Key.Fraction(Double.parseDouble(term));
      case ValueKind.Text _, ValueKind.Unmapped _ -> new Key.Term(term);
    };
  }
}
