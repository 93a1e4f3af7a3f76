package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.TestSearches;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Queries on nested documents, written in requests, and what their answers look like. */
final class NestedSearchTest {

  private final NestedIndex index =
      new NestedIndex(
          """
          {"lang": {"type": "keyword"}, "year": {"type": "integer"},
           "c": {"type": "nested", "properties": {
             "by": {"type": "keyword"}, "stars": {"type": "integer"}, "text": {"type": "text"},
             "v": {"type": "knn_vector", "dimension": 1},
             "votes": {"type": "nested", "properties": {
               "by": {"type": "keyword"}, "w": {"type": "integer"},
               "v": {"type": "knn_vector", "dimension": 1}}}}}}\
          """);

  NestedSearchTest() {
    index.put(
        "1",
        """
        {"lang":"en","year":1,"c":[
          {"by":"ann","stars":5,"text":"fine book","v":[1],"votes":[{"by":"x","w":1,"v":[9]}]},
          {"by":"bob","stars":1,"text":"dull","v":[4],"votes":[{"by":"y","w":2},{"by":"x","w":3}]}]}\
        """
            .replace("\n", " "));
    index.put(
        "2",
        "{\"lang\":\"de\",\"year\":2,\"c\":{\"by\":\"ann\",\"stars\":1,\"text\":\"fine\",\"v\":[2]}}");
    index.refresh();
    index.put("3", "{\"lang\":\"en\",\"year\":3,\"c\":[]}");
    index.put(
        "4",
        "{\"lang\":\"en\",\"year\":4,\"c\":[{\"by\":\"eve\",\"stars\":3,\"v\":[7],"
            + "\"votes\":{\"by\":\"y\",\"w\":7,\"v\":[5]}}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // One object has to match all of it.
        "{'nested':{'path':'c','query':{'bool':{'must':[{'term':{'c.by':'ann'}},{'term':{'c.stars':1}}]}}}}"
            + " | 2",
        "{'nested':{'path':'c','query':{'match':{'c.text':'fine'}}}} | 1 2",
        "{'nested':{'path':'c','query':{'match_all':{}}}} | 1 2 4",
        "{'nested':{'path':'c','query':{'exists':{'field':'c.text'}}}} | 1 2",
        "{'nested':{'path':'c','query':{'bool':{'must_not':{'term':{'c.by':'ann'}}}}}} | 1 4",
        "{'bool':{'must_not':{'nested':{'path':'c','query':{'match_all':{}}}}}} | 3",
        // From outside, nothing inside is seen.
        "{'term':{'c.by':'ann'}} | ``",
        "{'exists':{'field':'c'}} | ``",
        "{'exists':{'field':'c.by'}} | ``",
        "{'bool':{'must_not':{'term':{'c.by':'ann'}}}} | 1 2 3 4",
        "{'ids':{'values':['1','2']}} | 1 2",
        "{'match_all':{}} | 1 2 3 4",
        // Nor from inside what is around.
        "{'nested':{'path':'c','query':{'term':{'lang':'en'}}}} | ``",
        // Levels, at once and one by one.
        "{'nested':{'path':'c.votes','query':{'term':{'c.votes.by':'x'}}}} | 1",
        "{'nested':{'path':'c','query':{'bool':{'must':[{'term':{'c.by':'bob'}},{'nested':{'path':'c.votes','query':{'range':{'c.votes.w':{'gte':2}}}}}]}}}}"
            + " | 1",
        "{'nested':{'path':'c','query':{'bool':{'must':[{'term':{'c.by':'ann'}},{'nested':{'path':'c.votes','query':{'range':{'c.votes.w':{'gte':2}}}}}]}}}}"
            + " | ``",
        "{'nested':{'path':'c','query':{'bool':{'must_not':{'nested':{'path':'c.votes','query':{'match_all':{}}}}}}}}"
            + " | 2",
        "{'nested':{'path':'none','query':{'match_all':{}},'ignore_unmapped':true}} | ``",
        // Vectors, whose k counts whole documents.
        "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[3],'k':1}}}}} | 1",
        "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[3],'k':2}}}}} | 1 2",
        "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[3],'k':1,'filter':{'term':{'lang':'de'}}}}}}}"
            + " | 2",
        "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[3],'k':1,'filter':{'term':{'c.by':'eve'}}}}}}}"
            + " | 4",
        "{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[3],'k':1,'filter':{'nested':{'path':'c','query':{'term':{'c.by':'eve'}}}}}}}}}"
            + " | 4",
        "{'bool':{'must':{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[3],'k':1}}}}},'filter':{'range':{'year':{'gte':3}}}}}"
            + " | 4",
        "{'bool':{'must':{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[3],'k':1,'outer_filters':'after'}}}}},'filter':{'range':{'year':{'gte':3}}}}}"
            + " | ``",
        "{'nested':{'path':'c','filter':{'range':{'year':{'gte':2}}},'query':{'knn':{'c.v':{'vector':[1],'k':1}}}}}"
            + " | 2",
        "{'nested':{'path':'c','filter':{'range':{'year':{'gte':2}}},'query':{'match_all':{}}}} | 2"
            + " 4",
        "{'nested':{'path':'c','query':{'bool':{'must':{'knn':{'c.v':{'vector':[1],'k':1}}},'filter':{'term':{'c.stars':3}}}}}}"
            + " | 4",
        "{'nested':{'path':'c','query':{'nested':{'path':'c.votes','query':{'knn':{'c.votes.v':{'vector':[9],'k':1,'filter':{'bool':{'must':[{'range':{'year':{'gt':1}}},{'term':{'c.by':'eve'}}]}}}}}}}}}"
            + " | 4",
        "{'nested':{'path':'c.votes','query':{'knn':{'c.votes.v':{'vector':[0],'k':1}}}}} | 4",
        "{'knn':{'c.v':{'vector':[3],'k':1}}} | ``",
        "{'hybrid':{'queries':[{'nested':{'path':'c','query':{'knn':{'c.v':{'vector':[3],'k':1}}}}}],'filter':{'term':{'lang':'de'}}}}"
            + " | 2"
      })
  void findsWholeDocumentsByTheirNestedOnes(String query, String found) {
    assertThat(String.join(" ", index.ids(query))).as(query).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'nested':{'path':'none','query':{'match_all':{}}}} | [nested] failed to find nested"
            + " object under path [none]",
        "{'nested':{'path':'lang','query':{'match_all':{}}}} | [nested] failed to find nested"
            + " object under path [lang]",
        "{'nested':{'path':'c.votes','query':{'nested':{'path':'c','query':{'match_all':{}}}}}} |"
            + " [nested] path [c] is not inside of the path [c.votes]",
        "{'knn':{'c.v':{'vector':[3],'k':1,'expand_nested_docs':true}}} | [expand_nested_docs] is"
            + " for use inside [nested]",
        "{'nested':{'path':'c','query':{'match_all':{}},'inner_hits':{'size':101}}} | Inner result"
            + " window is too large",
        "{'bool':{'must':[{'nested':{'path':'c','query':{'match_all':{}},'inner_hits':{}}},{'nested':{'path':'c','query':{'match_all':{}},'inner_hits':{}}}]}}"
            + " | [inner_hits] already contains an entry for key [c]"
      })
  void whatDoesNotFitTheMappingIsRefused(String query, String reason) {
    assertThatThrownBy(() -> index.ids(query))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(e.rootCauses().getFirst().reason()).contains(reason);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'nested':{'query':{'match_all':{}}}} | [nested] requires 'path' field",
        "{'nested':{'path':'c'}} | [nested] requires 'query' field",
        "{'nested':{'path':'c','query':{'match_all':{}},'score_mode':'mean'}} | No score mode for"
            + " child query [mean] found",
        "{'nested':{'path':'c','query':{'match_all':{}},'inner_hits':{'size':-1}}} | illegal [size]"
            + " value",
        "{'nested':{'path':'c','query':{'match_all':{}},'inner_hits':{'script_fields':{'x':{}}}}}"
            + " | [inner_hits] option [script_fields] is not supported",
        "{'nested':{'path':'c','query':{'match_all':{}},'oops':1}} | [nested] query does not"
            + " support [oops]"
      })
  void whatIsNoQueryIsRefused(String query, String reason) {
    assertThatThrownBy(() -> index.ids(query)).hasMessageContaining(reason);
  }

  @Test
  void innerHitsShowTheNestedDocumentsThatMatched() {
    JsonNode hits =
        hits(
            "{'query':{'nested':{'path':'c','_name':'all','query':{'bool':{'must':[{'nested':{'path':'c.votes','query':"
                + "{'range':{'c.votes.w':{'gte':1,'_name':'heavy'}}},'inner_hits':{'size':1,'sort':{'c.votes.w':'desc'}}}},"
                + "{'term':{'c.by':{'value':'bob','_name':'bob'}}}]}},"
                + "'inner_hits':{'name':'reviews','_source':['c.by','c.votes.w']}}},'_source':false}");
    assertThat(hits)
        .isEqualTo(
            tree(
                "[{'_index':'books','_id':'1','_score':S,'matched_queries':['all'],'inner_hits':{'reviews':{'hits':{"
                    + "'total':{'value':1,'relation':'eq'},'max_score':S,'hits':[{"
                    + "'_index':'books','_id':'1','_nested':{'field':'c','offset':1},'_score':S,"
                    + "'_source':{'by':'bob','votes':[{'w':2},{'w':3}]},'matched_queries':['bob'],"
                    + "'inner_hits':{'c.votes':{'hits':{'total':{'value':2,'relation':'eq'},'max_score':null,'hits':[{"
                    + "'_index':'books','_id':'1','_nested':{'field':'c','offset':1,'_nested':{'field':'votes','offset':1}},"
                    + "'_score':null,'_source':{'by':'x','w':3},'sort':[3],'matched_queries':['heavy']}]}}}}]}}}}]",
                hits.get(0).get("_score").asString()));
  }

  @Test
  void innerHitsOfVectorsAreTheNearestOrAll() {
    String knn =
        "{'query':{'nested':{'path':'c','score_mode':'SCORE','query':{'knn':{'c.v':{'vector':[4],'k':1,"
            + "'expand_nested_docs':EXPAND}}},'inner_hits':{'_source':false}}},'_source':false}";
    JsonNode best = hits(knn.replace("SCORE", "avg").replace("EXPAND", "false")).get(0);
    assertThat(best.get("_score").asDouble()).isEqualTo(1);
    assertThat(offsets(best)).isEqualTo("1");
    JsonNode all = hits(knn.replace("SCORE", "min").replace("EXPAND", "true")).get(0);
    assertThat(all.get("_score").asDouble())
        .isCloseTo(0.1, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(offsets(all)).isEqualTo("1 0");
  }

  private static String offsets(JsonNode hit) {
    StringBuilder offsets = new StringBuilder();
    for (JsonNode inner : hit.at("/inner_hits/c/hits/hits")) {
      offsets.append(inner.at("/_nested/offset").asInt()).append(' ');
    }
    return offsets.toString().strip();
  }

  @Test
  void sortsAndCountsSeeWholeDocumentsOnly() {
    SearchResponse found =
        index.search(
            NestedIndex.json(
                "{'sort':[{'c.stars':'desc'},{'year':'desc'}],'track_total_hits':true}"));
    assertThat(found.hits().stream().map(Hit::id)).containsExactly("4", "3", "2", "1");
    assertThat(java.util.Objects.requireNonNull(found.total()).value()).isEqualTo(4);
  }

  private JsonNode hits(String body) {
    SearchResponse response = index.search(NestedIndex.json(body));
    return JsonMapper.shared().readTree(TestSearches.json(response::write)).get("hits").get("hits");
  }

  private static JsonNode tree(String text, String score) {
    return JsonMapper.shared().readTree(NestedIndex.json(text).replace(":S,", ":" + score + ","));
  }

  @Test
  void innerHitsShowWhatASearchWouldShow() {
    JsonNode inner =
        innerHits(
            "{'nested':{'path':'c','filter':{'term':{'lang':'en'}},"
                + "'query':{'match':{'c.text':{'query':'fine','_name':'t'}}},'inner_hits':{'sort':[{'c.stars':'desc'}],'track_scores':true,'explain':true,"
                + "'version':true,'seq_no_primary_term':true,"
                + "'highlight':{'fields':{'c.text':{}}}}}}");
    JsonNode hit = inner.at("/hits/hits/0");
    assertThat(hit.at("/_version").intValue()).isEqualTo(1);
    assertThat(hit.at("/_seq_no").intValue()).isZero();
    assertThat(hit.at("/_primary_term").intValue()).isEqualTo(1);
    assertThat(hit.at("/highlight").toString()).isEqualTo("{\"c.text\":[\"<em>fine</em> book\"]}");
    assertThat(hit.at("/sort/0").intValue()).isEqualTo(5);
    assertThat(hit.at("/_score").floatValue())
        .isPositive()
        .isEqualTo(hit.at("/_explanation/value").floatValue());
    assertThat(hit.at("/matched_queries/0").asString()).isEqualTo("t");
  }

  @Test
  void highlightsOfAnInnerLevelAreOfItsOwnObjects() {
    index.put("5", "{\"lang\":\"en\",\"c\":[{\"text\":\"dull\"},{\"text\":\"a fine one\"}]}");
    JsonNode inner =
        innerHits(
            "{'bool':{'must':{'ids':{'values':['5']}},'filter':{'nested':{'path':'c','query':"
                + "{'match_all':{}},'inner_hits':{'highlight':{'fields':{'c.text':{"
                + "'highlight_query':{'match':{'c.text':'fine'}}}}}}}}}}");
    assertThat(inner.at("/hits/hits/0").has("highlight")).isFalse();
    assertThat(inner.at("/hits/hits/1/highlight").toString())
        .isEqualTo("{\"c.text\":[\"a <em>fine</em> one\"]}");
  }

  /** What the first hit of a query shows of {@code c}. */
  private JsonNode innerHits(String query) {
    SearchResponse found = index.search("{\"query\":" + NestedIndex.json(query) + "}");
    String answer = TestSearches.json(found::write);
    return JsonMapper.shared().readTree(answer).at("/hits/hits/0/inner_hits/c");
  }
}
