package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import org.junit.jupiter.api.Test;

final class PageBudgetTest {

  @Test
  void aPageMayFillItsBudgetAndNoMore() {
    PageBudget budget = new PageBudget(100);
    budget.take(60);
    budget.take(40);
    assertThatThrownBy(() -> budget.take(1))
        .isInstanceOfSatisfying(SearchException.class, e -> assertThat(e.status()).isEqualTo(429));
  }
}
