package dev.weir.search.aggregation.collect;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.TermChoice;
import dev.weir.search.aggregation.result.Key;
import dev.weir.search.aggregation.result.ValueKind;
import dev.weir.search.mapping.DateFormat;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/** Which values get a bucket of terms. */
final class TermFilter {
  /** Repetitions are written out before anything bounds the work, and each may repeat another. */
  private static final int STATES_MAX = 1_000;

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
  static Predicate<Key> of(TermChoice choice, ValueKind kind) {
    TermChoice.Chosen chosen = (TermChoice.Chosen) choice;
    Predicate<Key> included = of(chosen.included(), kind);
    Predicate<Key> excluded = of(chosen.excluded(), kind);
    return key -> included.test(key) && !excluded.test(key);
  }

  private static Predicate<Key> of(TermChoice.Terms terms, ValueKind kind) {
    return switch (terms) {
      case TermChoice.Everything _ -> _ -> true;
      case TermChoice.Nothing _ -> _ -> false;
      case TermChoice.Listed listed -> {
        Set<Key> keys = new HashSet<>();
        listed.terms().forEach(term -> keys.add(key(term, kind)));
        yield keys::contains;
      }
      case TermChoice.Matching(String regexp) -> matching(regexp);
    };
  }

  private static Predicate<Key> matching(String regexp) {
    try {
      RegExp parsed = new RegExp(regexp);
      if (states(parsed) > STATES_MAX) {
        throw new IllegalArgumentException(
            "the regular expression of include or exclude stands for more than "
                + STATES_MAX
                + " characters, its repetitions written out: ["
                + regexp
                + "]");
      }
      Automaton automaton =
          Operations.determinize(parsed.toAutomaton(), Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
      CharacterRunAutomaton run = new CharacterRunAutomaton(automaton);
      return key -> key instanceof Key.Term(String text) && run.run(text);
    } catch (TooComplexToDeterminizeException e) {
      throw new IllegalArgumentException(
          "the regular expression of include or exclude is too complex: [" + regexp + "]", e);
    }
  }

  /** About how many states the expression has, which repetitions inside repetitions multiply. */
  private static double states(RegExp part) {
    return switch (part.kind) {
      case REGEXP_UNION, REGEXP_CONCATENATION -> states(part.exp1) + states(part.exp2);
      case REGEXP_INTERSECTION -> states(part.exp1) * states(part.exp2);
      case REGEXP_REPEAT_MIN -> states(part.exp1) * (part.min + 1.0);
      case REGEXP_REPEAT_MINMAX -> states(part.exp1) * Math.max(1.0, part.max);
      case REGEXP_STRING -> part.s.length();
      default -> part.exp1 == null ? 1 : states(part.exp1);
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
