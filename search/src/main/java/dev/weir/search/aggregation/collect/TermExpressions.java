package dev.weir.search.aggregation.collect;

import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/**
 * The regular expressions of {@code include} and {@code exclude} in one request, each made an
 * automaton at its first use, for all its shards and segments: that is dearer than to run it. Safe
 * for use by any thread.
 */
public final class TermExpressions {
  /** Repetitions are written out before anything bounds the work, and each may repeat another. */
  private static final int STATES_MAX = 1_000;

  private final AnswerBudget budget;
  private final Map<String, CharacterRunAutomaton> automatonByRegexp = new ConcurrentHashMap<>();

  /**
   * None so far.
   *
   * @param budget takes the memory of the automata
   */
  public TermExpressions(AnswerBudget budget) {
    this.budget = budget;
  }

  /**
   * What an expression is run by, as a whole and not as a part of a term.
   *
   * @throws IllegalArgumentException if the expression is none, or too complex
   */
  CharacterRunAutomaton automaton(String regexp) {
    CharacterRunAutomaton known = automatonByRegexp.get(regexp);
    return known == null ? kept(regexp, made(regexp)) : known;
  }

  /** The memory is taken outside of the map: to wait for it inside would hold up its neighbours. */
  private CharacterRunAutomaton kept(String regexp, CharacterRunAutomaton automaton) {
    long bytes = automaton.ramBytesUsed();
    budget.take(AnswerPart.BUCKETS, bytes);
    CharacterRunAutomaton other = automatonByRegexp.putIfAbsent(regexp, automaton);
    if (other == null) {
      return automaton;
    }
    budget.giveBack(bytes); // another thread was as quick
    return other;
  }

  private static CharacterRunAutomaton made(String regexp) {
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
      return new CharacterRunAutomaton(
          Operations.determinize(parsed.toAutomaton(), Operations.DEFAULT_DETERMINIZE_WORK_LIMIT));
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
}
