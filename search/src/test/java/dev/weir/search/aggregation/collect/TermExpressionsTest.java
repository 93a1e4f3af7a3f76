package dev.weir.search.aggregation.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.memory.AnswerBudget;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.junit.jupiter.api.Test;

/** Expressions of include and exclude, and what they take. */
final class TermExpressionsTest {
  private final AnswerBudget budget = AnswerBudget.unbounded();
  private final TermExpressions expressions = new TermExpressions(budget);

  @Test
  void expressionIsMadeOnceForAllItsUses() {
    CharacterRunAutomaton first = expressions.automaton("ab*");
    long heldBytes = budget.heldBytes();
    assertThat(expressions.automaton("ab*")).isSameAs(first);
    assertThat(budget.heldBytes()).isEqualTo(heldBytes);
    assertThat(expressions.automaton("ac*")).isNotSameAs(first);
    assertThat(budget.heldBytes()).isGreaterThan(heldBytes);
  }

  @Test
  void expressionStandsForWholeTerms() {
    CharacterRunAutomaton automaton = expressions.automaton("ab*");
    assertThat(automaton.run("abb")).isTrue();
    assertThat(automaton.run("abc")).isFalse();
    assertThat(automaton.run("cab")).isFalse();
  }

  @Test
  void memoryOfTheAutomatonIsTakenFromTheAnswer() {
    CharacterRunAutomaton automaton = expressions.automaton("[a-z]+x{3}");
    assertThat(budget.heldBytes()).isEqualTo(automaton.ramBytesUsed());
  }

  /** Of threads that meet, all but one give back what they took. */
  @Test
  void memoryOfAnExpressionThatSeveralThreadsMakeAtOnceIsTakenOnce() {
    Set<CharacterRunAutomaton> made = Collections.newSetFromMap(new IdentityHashMap<>());
    IntStream.range(0, 64)
        .parallel()
        .mapToObj(i -> expressions.automaton("[a-z]{" + (20 + i % 2) + "}"))
        .toList()
        .forEach(made::add);
    assertThat(made).hasSize(2);
    assertThat(budget.heldBytes())
        .isEqualTo(made.stream().mapToLong(CharacterRunAutomaton::ramBytesUsed).sum());
  }

  @Test
  void expressionThatIsTooComplexIsRefusedEachTime() {
    for (int use = 0; use < 2; use++) {
      assertThatThrownBy(() -> expressions.automaton("(a|b)*a(a|b){30}"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is too complex: [(a|b)*a(a|b){30}]");
      assertThatThrownBy(() -> expressions.automaton("(a{100}){100}"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("stands for more than 1000 characters");
    }
    assertThat(budget.heldBytes()).isZero();
  }
}
