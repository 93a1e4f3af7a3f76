package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.TestSearches;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields of nested documents that the documents around have too. */
final class NestedCopiesTest {

  private static final String PARENT = ",'include_in_parent':true";
  private static final String ROOT = ",'include_in_root':true";
  private static final String BOTH = PARENT + ROOT;

  private static NestedIndex index(String copiesOfC, String copiesOfD) {
    return new NestedIndex(
        ("{'c':{'type':'nested'%s,'properties':{'w':{'type':'keyword'},'n':{'type':'integer'},"
                + "'t':{'type':'text'},'v':{'type':'knn_vector','dimension':1},"
                + "'d':{'type':'nested'%s,'properties':{'n':{'type':'long'},'t':{'type':'text'}}}}}}")
            .formatted(copiesOfC, copiesOfD)
            .replace('\'', '"'));
  }

  private static void write(NestedIndex index) {
    index.put(
        "1",
        json(
            "{'c':[{'w':'x','n':1,'t':'red car','v':[1],'d':[{'n':10,'t':'deep'},{'n':20}]},"
                + "{'w':'y','n':2,'v':[2],'d':{'n':10}}]}"));
    index.put("2", json("{'c':{'w':'x','n':5,'t':'blue'}}"));
    index.put("3", json("{'c':[]}"));
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static List<String> ids(NestedIndex index, String query) {
    return index.search(json("{'query':" + query + "}")).hits().stream()
        .map(Hit::id)
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'term':{'c.w':'x'}} | 1 2",
        "{'match':{'c.t':'car'}} | 1",
        "{'range':{'c.n':{'gte':2}}} | 1 2",
        "{'exists':{'field':'c.t'}} | 1 2",
        "{'exists':{'field':'c'}} | 1 2",
        "{'bool':{'must_not':{'term':{'c.w':'y'}}}} | 2 3",
        // Flat: the values of different objects are those of one document.
        "{'bool':{'must':[{'term':{'c.w':'y'}},{'term':{'c.n':1}}]}} | 1",
        "{'nested':{'path':'c','query':{'bool':{'must':[{'term':{'c.w':'y'}},{'term':{'c.n':1}}]}}}}"
            + " |",
        "{'nested':{'path':'c','query':{'term':{'c.w':'x'}}}} | 1 2",
        "{'nested':{'path':'c','query':{'bool':{'must_not':{'term':{'c.w':'x'}}}}}} | 1",
        "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[1],'k':5}}}}} | 1",
        "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[1],'k':5,'filter':{'term':{'c.n':2}}}}}}}"
            + " | 1",
        "{'knn':{'c.v':{'vector':[1],'k':5}}} |",
      })
  void areFoundFromOutsideAndFromInside(String query, String found) {
    for (String copies : List.of(PARENT, ROOT, BOTH)) {
      NestedIndex index = index(copies, "");
      write(index);
      assertThat(ids(index, query))
          .as(copies)
          .isEqualTo(found == null ? List.of() : List.of(found.split(" ")));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NONE | NONE | 0 | 0",
        "PARENT | NONE | 0 | 0",
        "NONE | PARENT | 1 | 0",
        "PARENT | PARENT | 1 | 3",
        "NONE | ROOT | 0 | 3",
        "ROOT | PARENT | 1 | 3",
        "PARENT | ROOT | 0 | 3",
        "BOTH | BOTH | 1 | 3",
      })
  void eachLevelSaysHowFarItsFieldsGo(String ofC, String ofD, int inC, int valuesInWhole) {
    NestedIndex index = index(copies(ofC), copies(ofD));
    write(index);
    assertThat(ids(index, "{'nested':{'path':'c','query':{'match':{'c.d.t':'deep'}}}}"))
        .hasSize(inC);
    // The filter of a vector search asks of the same documents.
    String knn =
        "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[1],'k':5,'filter':{'match':{'c.d.t':'deep'}}}}}}}";
    assertThat(ids(index, knn)).hasSize(inC);
    String count = "{'size':0,'aggs':{'n':{'value_count':{'field':'c.d.n'}}}}";
    SearchResponse answer = index.search(json(count));
    // Once, whichever ways lead there: 10, 20 and 10.
    assertThat(TestSearches.json(answer::write)).contains("{\"value\":" + valuesInWhole + "}");
  }

  private static String copies(String name) {
    return switch (name) {
      case "PARENT" -> PARENT;
      case "ROOT" -> ROOT;
      case "BOTH" -> BOTH;
      default -> "";
    };
  }

  @Test
  void serveSortsHighlightsAndGroupsOfWholeDocuments() {
    NestedIndex index = index(ROOT, "");
    write(index);
    List<Hit> sorted =
        index
            .search(
                json(
                    "{'query':{'match':{'c.t':'red blue'}},'sort':[{'c.n':'desc'}],"
                        + "'highlight':{'fields':{'c.t':{}}}}"))
            .hits();
    assertThat(sorted).extracting(Hit::id).containsExactly("2", "1");
    assertThat(sorted.get(1).highlight().get("c.t")).containsExactly("<em>red</em> car");
    index.put("4", json("{'c':{'w':'x','n':7}}"));
    assertThat(
            index
                .search(
                    json(
                        "{'query':{'range':{'c.n':{'gte':3}}},'sort':[{'c.n':'desc'}],"
                            + "'collapse':{'field':'c.w'}}"))
                .hits())
        .extracting(Hit::id)
        .containsExactly("4");
  }

  @Test
  void goWithTheirDocument() {
    NestedIndex index = index(ROOT, "");
    write(index);
    index.refresh();
    index.put("1", json("{'c':{'w':'z'}}"));
    index.delete("2");
    assertThat(ids(index, "{'term':{'c.w':'x'}}")).isEmpty();
    assertThat(ids(index, "{'term':{'c.w':'z'}}")).containsExactly("1");
  }
}
