package dev.weir.rest;

import static dev.weir.rest.TestFace.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.TestFace.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code fields} and {@code docvalue_fields} of a search, as a client sends them. */
final class ShownFieldsTest {
  private static final String HYBRID =
      "'query':{'hybrid':{'queries':[{'match':{'t':'red'}},{'nested':{'path':'c','query':"
          + "{'match':{'c.t':'blue'}},'inner_hits':{'_source':false,'fields':['c.t'],"
          + "'docvalue_fields':[{'field':'c.n','format':'00'}]}}}]}}";

  private TestFace face;

  @BeforeEach
  void start(@TempDir Path directory) {
    face = new TestFace(directory);
    face.put(
        "/shop",
        json(
            "{'settings':{'number_of_shards':2,'index.max_docvalue_fields_search':2},'mappings':"
                + "{'properties':{'t':{'type':'text'},'brand':{'type':'keyword'},"
                + "'day':{'type':'date'},'at':{'type':'geo_point'},"
                + "'v':{'type':'knn_vector','dimension':2},'c':{'type':'nested',"
                + "'properties':{'t':{'type':'text'},'n':{'type':'integer'}}}}}}"));
    face.put(
        "/shop/_doc/1?refresh=true",
        json(
            "{'t':'red','brand':'x','day':'2024-06-05','at':'1,2','v':[0.5,1],"
                + "'c':[{'t':'blue','n':7},{'t':'pink','n':8}]}"));
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private Answer search(String uri, String body) {
    Answer found = face.post("/shop/_search" + uri, json("{" + body + "}"));
    assertThat(found.status()).as(found.body()).isEqualTo(200);
    assertThat(found.at("/_shards/failed")).as(found.body()).isEqualTo("0");
    return found;
  }

  @Test
  void aHybridAndItsInnerHitsShowFields() {
    Answer found =
        search(
            "",
            HYBRID
                + ",'_source':false,'fields':['t','v','c.n',{'field':'day','format':'dd.MM.yyyy'}],"
                + "'docvalue_fields':['brand','at']");
    assertThat(found.at("/hits/hits/0/fields"))
        .startsWith(json("{'at':['0.99999"))
        .contains(json("'brand':['x'],'c':[{'n':[7]},{'n':[8]}],'day':['05.06.2024'],'t':['red']"))
        .contains(json("'v':[0.5,1]"));
    assertThat(found.at("/hits/hits/0/_source")).isEqualTo("absent");
    assertThat(found.at("/hits/hits/0/inner_hits/c/hits/hits/0/fields"))
        .isEqualTo(json("{'c.n':['07'],'c.t':['blue']}"));
  }

  @Test
  void aCollapsedHybridKeepsTheValueOfItsGroup() {
    Answer found =
        search(
            "",
            HYBRID
                + ",'collapse':{'field':'brand','inner_hits':{'name':'g','fields':['t']}},"
                + "'fields':['t']");
    assertThat(found.at("/hits/hits/0/fields")).isEqualTo(json("{'brand':['x'],'t':['red']}"));
    assertThat(found.at("/hits/hits/0/inner_hits/g/hits/hits/0/fields"))
        .isEqualTo(json("{'t':['red']}"));
  }

  @Test
  void theUrlNamesDocValuesAndLeavesTheSourceOut() {
    Answer found = search("?docvalue_fields=brand,day&stored_fields=_none_", "'from':0");
    assertThat(found.at("/hits/hits/0/fields"))
        .isEqualTo(json("{'brand':['x'],'day':['2024-06-05T00:00:00.000Z']}"));
    assertThat(found.at("/hits/hits/0/_source")).isEqualTo("absent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'fields':'t'                              | [fields] must be an array of names and objects
          'docvalue_fields':['t']                   | [docvalue_fields] can't show the field [t] of type [text]
          'docvalue_fields':['v']                   | [docvalue_fields] can't show the field [v] of type [knn_vector]
          'docvalue_fields':['brand','day','at']    | Must be less than or equal to: [2] but was [3]
          'fields':[{'field':'t','format':'x'}]     | Field [t] of type [text] doesn't support formats
          'aggs':{'a':{'top_hits':{'docvalue_fields':['v']}}} | [docvalue_fields] can't show the field [v]
          'query':{'nested':{'path':'c','query':{'match_all':{}},'inner_hits':{'docvalue_fields':['c.t']}}} | [docvalue_fields] can't show the field [c.t] of type [text]
          """)
  void refusalsNameTheClause(String body, String reason) {
    Answer refused = face.post("/shop/_search", json("{" + body + "}"));
    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.json().at("/error/root_cause/0/reason").asString()).contains(reason);
  }

  @Test
  void theBoundIsANumber() {
    Answer refused =
        face.put("/other", json("{'settings':{'index.max_docvalue_fields_search':-1}}"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("setting [index.max_docvalue_fields_search] must be >= 0");
  }
}
