package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.TestSearches;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A vector search inside {@code nested} is of the documents of that path. */
final class NestedLevelsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v | belongs to the whole document",
        "c.d.v | belongs to path [c.d]",
      })
  void aVectorOfAnotherLevelIsRefused(String field, String reason) {
    String vector = "{'type':'knn_vector','dimension':1}";
    NestedIndex index =
        new NestedIndex(
            json(
                "{'v':"
                    + vector
                    + ",'c':{'type':'nested','properties':{'v':"
                    + vector
                    + ",'d':{'type':'nested','properties':{'v':"
                    + vector
                    + "}}}}}"));
    index.put("1", json("{'v':[1],'c':[{'v':[2],'d':[{'v':[3]}]}]}"));
    index.refresh();
    String body =
        json(
            "{'query':{'nested':{'path':'c','query':{'knn':{'"
                + field
                + "':{'vector':[1],'k':1}}}}}}");
    assertThatExceptionOfType(SearchException.class)
        .isThrownBy(() -> index.search(body))
        .satisfies(refusal -> assertThat(TestSearches.json(refusal::writeError)).contains(reason));
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
