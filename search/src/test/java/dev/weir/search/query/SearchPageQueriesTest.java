package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.SearchPage;
import org.junit.jupiter.api.Test;

/** The page of what a search can say has every query that is read, and no other. */
final class SearchPageQueriesTest {

  @Test
  void thePageListsTheQueriesThatAreRead() {
    assertThat(SearchPage.listed("Queries"))
        .containsExactlyInAnyOrderElementsOf(QueryReader.names());
  }

  @Test
  void thePageNamesTheQueriesThatAreRefusedByName() {
    String section = SearchPage.section("Queries");
    String refused = section.substring(section.indexOf("### Not there"));
    assertThat(QueryReader.NOT_SERVED)
        .allSatisfy(name -> assertThat(refused).contains("`" + name + "`"));
  }
}
