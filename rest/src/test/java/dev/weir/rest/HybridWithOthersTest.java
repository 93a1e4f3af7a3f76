package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What else a request may say goes with {@code hybrid}. Scores of the two queries are constants, so
 * that what becomes of them can be said: 1 for what is red, 0.5 for what is red or blue only.
 */
final class HybridWithOthersTest {
  private static final String HYBRID =
      "'query':{'hybrid':{'queries':[RED,{'nested':{'path':'c','query':{'match':{'c.t':'blue'}},"
          + "'inner_hits':{'size':1,'highlight':{'fields':{'c.t':{}}}}}}]}}";
  private static final String RED = "{'match':{'t':'red'}}";

  private TestFace face;

  @BeforeEach
  void start(@TempDir Path directory) {
    face = new TestFace(directory);
    String mapping =
        json(
            "{'settings':{'number_of_shards':2},'mappings':{'properties':{'t':{'type':'text'},"
                + "'shop':{'type':'keyword'},'n':{'type':'integer'},'c':{'type':'nested',"
                + "'properties':{'t':{'type':'text'}}}}}}");
    face.put("/one", mapping);
    face.put("/two", mapping);
    put("one", "both", "{'t':'red','shop':'x','n':1,'c':[{'t':'blue'},{'t':'pink'}]}");
    put("one", "red", "{'t':'red','shop':'x','n':2,'c':[{'t':'green'}]}");
    put("two", "blue", "{'t':'grey','shop':'y','n':3,'c':[{'t':'green'},{'t':'blue'}]}");
    put("two", "none", "{'t':'grey','shop':'y','n':4,'c':[]}");
    face.post("/_all/_refresh", "");
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private static String json(String text) {
    return text.replace('\'', '"').replace("RED", RED.replace('\'', '"'));
  }

  private void put(String index, String id, String source) {
    assertThat(face.put("/" + index + "/_doc/" + id, json(source)).status()).isEqualTo(201);
  }

  private Answer search(String more) {
    Answer found = face.post("/_all/_search", json("{" + HYBRID + more + "}"));
    assertThat(found.status()).as(found.body()).isEqualTo(200);
    assertThat(found.at("/_shards/failed")).as(found.body()).isEqualTo("0");
    return found;
  }

  /** Ids with scores. */
  private static List<String> hits(Answer found) {
    List<String> hits = new ArrayList<>();
    for (JsonNode hit : found.json().at("/hits/hits")) {
      hits.add(hit.at("/_id").asString() + " " + hit.at("/_score"));
    }
    return hits;
  }

  @Test
  void alone() {
    assertThat(hits(search(""))).containsExactly("both 1.0", "red 0.5", "blue 0.5");
  }

  @Test
  void aRescoreOfTheCombinedList() {
    String rescore =
        ",'rescore':{'window_size':2,'query':{'rescore_query':{'constant_score':{'filter':"
            + "{'term':{'n':2}},'boost':3}}}}";
    assertThat(hits(search(rescore))).containsExactly("red 3.5", "both 1.0", "blue 0.5");
  }

  @Test
  void aLeastScoreOfTheCombinedList() {
    assertThat(hits(search(",'min_score':0.6"))).containsExactly("both 1.0");
  }

  @Test
  void totals() {
    assertThat(search(",'track_total_hits':true,'size':0").at("/hits/total/value")).isEqualTo("3");
    assertThat(search(",'track_total_hits':false").at("/hits/total")).isEqualTo("absent");
    Answer limited = search(",'track_total_hits':1");
    assertThat(limited.at("/hits/total/value")).isEqualTo("1");
    assertThat(limited.at("/hits/total/relation")).isEqualTo("gte");
  }

  @Test
  void highlightsAndInnerHits() {
    Answer found = search(",'highlight':{'fields':{'t':{}}}");
    assertThat(found.at("/hits/hits/0/highlight/t/0")).isEqualTo("<em>red</em>");
    assertThat(found.at("/hits/hits/0/inner_hits/c/hits/hits/0/_nested/offset")).isEqualTo("0");
    assertThat(found.at("/hits/hits/0/inner_hits/c/hits/hits/0/highlight"))
        .isEqualTo("{\"c.t\":[\"<em>blue</em>\"]}");
    assertThat(found.at("/hits/hits/1/inner_hits/c/hits/total/value")).isEqualTo("0");
    assertThat(found.at("/hits/hits/2/inner_hits/c/hits/hits/0/_nested/offset")).isEqualTo("1");
  }

  @Test
  void pagesBySortValues() {
    Answer first = search(",'sort':[{'n':'desc'}],'size':2");
    assertThat(hits(first)).containsExactly("blue null", "red null");
    String after = ",'search_after':[" + first.at("/hits/hits/1/sort/0") + "]";
    assertThat(hits(search(",'sort':[{'n':'desc'}],'size':2" + after)))
        .containsExactly("both null");
  }

  @Test
  void aPostFilterThatAggregationsDoNotSee() {
    Answer found =
        search(",'post_filter':{'range':{'n':{'gte':2}}},'aggs':{'n':{'sum':{'field':'n'}}}");
    assertThat(hits(found)).containsExactly("red 0.5", "blue 0.5");
    assertThat(found.at("/aggregations/n/value")).isEqualTo("6.0");
  }

  @Test
  void collapsedBehindAPostFilterAndALeastScore() {
    String collapse =
        ",'collapse':{'field':'shop','inner_hits':{'name':'g','sort':'n','_source':false}}";
    Answer found = search(collapse);
    assertThat(hits(found)).containsExactly("both 1.0", "blue 0.5");
    assertThat(found.at("/hits/total/value")).isEqualTo("3");
    assertThat(found.at("/hits/hits/0/fields/shop/0")).isEqualTo("x");
    assertThat(found.at("/hits/hits/0/inner_hits/g/hits/total/value")).isEqualTo("2");
    assertThat(found.at("/hits/hits/0/inner_hits/g/hits/hits/1/_id")).isEqualTo("red");
    assertThat(found.at("/hits/hits/0/inner_hits/c/hits/total/value")).isEqualTo("1");
    assertThat(hits(search(collapse + ",'min_score':0.6"))).containsExactly("both 1.0");
    Answer filtered = search(collapse + ",'post_filter':{'range':{'n':{'gte':2}}}");
    assertThat(hits(filtered)).containsExactly("red 0.5", "blue 0.5");
    assertThat(filtered.at("/hits/hits/0/inner_hits/g/hits/total/value")).isEqualTo("1");
  }

  @Test
  void factorsOnTheScoresOfIndexes() {
    face.put(
        "/one/_doc/more?refresh=true", json("{'t':'grey','shop':'z','n':9,'c':[{'t':'blue'}]}"));
    assertThat(hits(search(",'indices_boost':[{'two':4}]")).getFirst()).startsWith("both ");
    // Before scores are normalised: the blue of index two is now the best of its list.
    List<String> boosted = hits(search(",'indices_boost':[{'t*':4},{'one':1},{'two':0.1}]"));
    assertThat(boosted).contains("blue 0.5").anyMatch(hit -> hit.equals("more 5.0E-4"));
    List<String> other = hits(search(",'indices_boost':{'one':4}"));
    assertThat(other).contains("more 0.5").anyMatch(hit -> hit.equals("blue 5.0E-4"));
    Answer plain =
        face.post(
            "/_all/_search",
            json(
                "{'query':{'constant_score':{'filter':{'match_all':{}}}},"
                    + "'indices_boost':[{'two':2.5}],'min_score':2,'sort':'n','track_scores':true}"));
    assertThat(hits(plain)).containsExactly("blue 2.5", "none 2.5");
    assertThat(face.post("/_all/_search", "{\"indices_boost\":[{\"none\":2}]}").status())
        .isEqualTo(404);
    assertThat(face.post("/_all/_search", "{\"indices_boost\":[{\"one\":-2}]}").status())
        .isEqualTo(400);
  }

  @Test
  void weightsOfItsOwn() {
    String weighted = json("{" + HYBRID.replace("'hybrid':{", "'hybrid':{'weights':[1,0],") + "}");
    assertThat(hits(face.post("/_all/_search", weighted)))
        .containsExactlyInAnyOrder("both 1.0", "red 1.0", "blue 0.0")
        .endsWith("blue 0.0");
    Answer shown = face.post("/one/_validate/query?explain=true", weighted);
    assertThat(shown.at("/explanations/0/explanation")).contains("\"weights\":[1.0,0.0]");
  }
}
