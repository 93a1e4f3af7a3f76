package dev.weir.search.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.SearchPage;
import org.junit.jupiter.api.Test;

/** The page of what a search can say has every processor of ingest pipelines, and no other. */
final class SearchPageProcessorsTest {

  @Test
  void thePageListsTheProcessorsThatAreRead() {
    assertThat(SearchPage.listed("Processors", "ingest pipeline"))
        .containsExactlyInAnyOrderElementsOf(PipelineReader.TYPES);
  }
}
