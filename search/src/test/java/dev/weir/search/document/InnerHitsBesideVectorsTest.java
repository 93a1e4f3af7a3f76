package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.TestSearches;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A clause with {@code inner_hits} beside a vector search, which is given the clause as well: the
 * hits show what the clause found, once.
 */
final class InnerHitsBesideVectorsTest {

  private final NestedIndex index =
      new NestedIndex(
          """
          {"lang": {"type": "keyword"}, "v": {"type": "knn_vector", "dimension": 1},
           "c": {"type": "nested", "properties": {
             "by": {"type": "keyword"}, "v": {"type": "knn_vector", "dimension": 1},
             "votes": {"type": "nested", "properties": {
               "w": {"type": "integer"}, "v": {"type": "knn_vector", "dimension": 1}}}}}}\
          """);

  InnerHitsBesideVectorsTest() {
    index.put("1", "{\"lang\":\"en\",\"v\":[1],\"c\":[{\"by\":\"eve\",\"v\":[1]}]}");
    index.put(
        "2",
        "{\"lang\":\"de\",\"v\":[5],\"c\":[{\"by\":\"bob\",\"v\":[9]},"
            + "{\"by\":\"ann\",\"v\":[5],\"votes\":[{\"w\":1,\"v\":[1]},{\"w\":2,\"v\":[2]}]}]}");
  }

  /** N is the clause that shows its inner hits, K and C the nearest document and object to 0. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'bool':{'must':[N,K]}}",
        "{'bool':{'must':[K,N]}}",
        "{'bool':{'filter':[N],'must':[K]}}",
        "{'bool':{'must':[N],'should':[K]}}",
        "{'bool':{'must':[N],'must_not':[{'bool':{'must':[K,{'term':{'lang':'en'}}]}}]}}",
        "{'bool':{'must':[N,{'dis_max':{'queries':[K,{'match_none':{}}]}}]}}",
        "{'bool':{'must':[N,K],'should':[K,C]}}",
        "{'bool':{'must':[{'constant_score':{'filter':N}},K]}}",
        "{'bool':{'must':[{'bool':{'must':[N]}},K]}}",
        "{'bool':{'must':[{'bool':{'filter':[N]}},K,C]}}",
        "{'bool':{'must':[{'bool':{'should':[N]}},{'function_score':{'query':K}}]}}",
        "{'bool':{'must':[N,C]}}",
        "{'bool':{'must':[C,N]}}",
        "{'hybrid':{'queries':[{'bool':{'must':[N,K]}}]}}",
        "{'hybrid':{'queries':[{'bool':{'must':[K,N]}},{'match_all':{}}],'filter':{'term':{'lang':'de'}}}}",
        "{'hybrid':{'queries':[{'bool':{'must':[N,K]}},K],'filter':{'term':{'lang':'de'}},'filter_push_down':'deep'}}",
        "{'hybrid':{'queries':[K,{'match_all':{}}],'filter':N}}",
        "{'hybrid':{'queries':[K,{'bool':{'filter':[{'match_none':{}}],'should':[K]}}],'filter':N,'filter_mode':'or'}}",
        "{'hybrid':{'queries':[{'bool':{'must':[K],'filter':[{'match_none':{}}]}},C],'filter':N,'filter_mode':'or','filter_push_down':'deep'}}",
        // The search's own filter shows what it found too.
        "{'knn':{'v':{'vector':[0],'k':1,'filter':N}}}",
        "{'bool':{'must':[{'knn':{'v':{'vector':[0],'k':1,'filter':N}}}],'filter':[{'term':{'lang':'de'}}]}}",
      })
  void aClauseShowsWhatItFoundWhereverTheSearchIs(String query) {
    JsonNode hit = onlyHit(query);
    assertThat(hit.at("/_id").asString()).isEqualTo("2");
    assertThat(hit.at("/inner_hits").propertyNames()).containsExactly("c");
    JsonNode inner = hit.at("/inner_hits/c/hits");
    assertThat(inner.at("/total/value").intValue()).isEqualTo(1);
    assertThat(inner.at("/hits/0/_nested/offset").intValue()).isEqualTo(1);
  }

  @Test
  void aClauseOnNestedDocumentsShowsWhatItFoundBesideASearchOnThem() {
    String votes =
        "{'nested':{'path':'c.votes','query':{'range':{'c.votes.w':{'gt':1}}},'inner_hits':{}}}";
    for (String clause :
        new String[] {votes, "{'bool':{'filter':[" + votes + "]}}", "{'bool':{'must':V}}"}) {
      String said = clause.replace("V", votes);
      JsonNode hit =
          onlyHit(
              "{'nested':{'path':'c','inner_hits':{},'query':{'bool':{'must':["
                  + said
                  + ",{'knn':{'c.v':{'vector':[0],'k':1}}},"
                  + "{'nested':{'path':'c.votes','query':{'knn':{'c.votes.v':{'vector':[0],'k':1}}}}}"
                  + "]}}}}");
      JsonNode below = hit.at("/inner_hits/c/hits/hits/0");
      assertThat(below.at("/_nested/offset").intValue()).as(said).isEqualTo(1);
      JsonNode votesFound = below.at("/inner_hits/c.votes/hits");
      assertThat(votesFound.at("/total/value").intValue()).as(said).isEqualTo(1);
      assertThat(votesFound.at("/hits/0/_nested/_nested/offset").intValue()).as(said).isEqualTo(1);
    }
  }

  @Test
  void twoClausesOfOneNameAreStillRefusedBesideASearch() {
    assertThatThrownBy(() -> onlyHit("{'bool':{'must':[N,N,K]}}"))
        .isInstanceOfSatisfying(
            SearchException.class,
            e ->
                assertThat(e.rootCauses().getFirst().reason())
                    .contains("[inner_hits] already contains an entry for key [c]"));
  }

  private JsonNode onlyHit(String query) {
    String json =
        query
            .replaceAll(
                "\\bN\\b",
                "{'nested':{'path':'c','query':{'term':{'c.by':'ann'}},'inner_hits':{}}}")
            .replaceAll("\\bK\\b", "{'knn':{'v':{'vector':[0],'k':1}}}")
            .replaceAll(
                "\\bC\\b", "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[0],'k':1}}}}}");
    SearchResponse found = index.search("{\"query\":" + NestedIndex.json(json) + "}");
    JsonNode hits = JsonMapper.shared().readTree(TestSearches.json(found::write)).at("/hits/hits");
    assertThat(hits.size()).as(query).isEqualTo(1);
    return hits.get(0);
  }
}
