package dev.weir.search.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.SearchPage;
import org.junit.jupiter.api.Test;

/** The page of what a search can say has every processor of search pipelines, and no other. */
final class SearchPageProcessorsTest {

  @Test
  void thePageListsTheProcessorsThatAreRead() {
    assertThat(SearchPage.listed("Processors", "request_processors"))
        .containsExactlyInAnyOrderElementsOf(PipelineReader.REQUEST_TYPES);
    assertThat(SearchPage.listed("Processors", "phase_results_processors"))
        .containsExactlyInAnyOrderElementsOf(PipelineReader.PHASE_TYPES);
    assertThat(SearchPage.listed("Processors", "response_processors"))
        .containsExactlyInAnyOrderElementsOf(PipelineReader.RESPONSE_TYPES);
  }
}
