package dev.weir.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.SearchPage;
import org.junit.jupiter.api.Test;

/** The page of what a search can say has every aggregation that is read, and no other. */
final class SearchPageAggregationsTest {

  @Test
  void thePageListsTheAggregationsThatAreRead() {
    assertThat(SearchPage.listed("Aggregations"))
        .containsExactlyInAnyOrderElementsOf(AggregationReader.TYPES);
  }

  @Test
  void whatThePageSaysIsNotThereIsNotThere() {
    String section = SearchPage.section("Aggregations");
    String absent = section.substring(section.indexOf("Not there:"));
    assertThat(AggregationReader.TYPES)
        .filteredOn(name -> !name.equals("range") && !name.equals("terms"))
        .filteredOn(name -> !name.equals("filters"))
        .allSatisfy(name -> assertThat(absent).doesNotContain("`" + name + "`"));
  }
}
