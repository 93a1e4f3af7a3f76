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

/** Aliases through the routes: given, taken, shown, searched and written through. */
final class AliasRoutesTest {

  private TestFace face;

  @BeforeEach
  void start(@TempDir Path directory) {
    face = new TestFace(directory);
  }

  @AfterEach
  void stop() {
    face.close();
  }

  private Answer actions(String actions) {
    return face.post("/_aliases", json("{'actions':[" + actions + "]}"));
  }

  private void write(String index, String id, String source) {
    Answer written = face.put("/" + index + "/_doc/" + id + "?refresh=true", json(source));
    assertThat(written.status()).as(written.body()).isIn(200, 201);
  }

  @Test
  void anAliasIsGivenShownAndTaken() {
    face.put("/books", "");
    face.put("/films", "");
    assertThat(
            actions(
                    "{'add':{'index':'books','alias':'all','filter':{'term':{'t':1}}}},"
                        + "{'add':{'indices':['films'],'aliases':['all','seen'],"
                        + "'is_write_index':true}}")
                .body())
        .isEqualTo("{\"acknowledged\":true}");
    assertThat(face.get("/_alias").body())
        .isEqualTo(
            json(
                "{'books':{'aliases':{'all':{'filter':{'term':{'t':1}}}}},"
                    + "'films':{'aliases':{'all':{'is_write_index':true},"
                    + "'seen':{'is_write_index':true}}}}"));
    assertThat(face.get("/_alias/seen").body())
        .isEqualTo(json("{'films':{'aliases':{'seen':{'is_write_index':true}}}}"));
    assertThat(face.get("/books/_alias/a*").at("/books/aliases/all/filter/term/t")).isEqualTo("1");
    assertThat(face.get("/books/_alias/se*").body()).isEqualTo("{}");
    assertThat(face.get("/films").at("/films/aliases/all/is_write_index")).isEqualTo("true");
    assertThat(face.send("HEAD", "/_alias/seen", "").status()).isEqualTo(200);
    assertThat(face.send("HEAD", "/all", "").status()).isEqualTo(200);
    Answer both = face.get("/_alias/seen,old");
    assertThat(both.status()).isEqualTo(404);
    assertThat(both.at("/error")).isEqualTo("alias [old] missing");
    assertThat(both.at("/films/aliases/seen/is_write_index")).isEqualTo("true");

    assertThat(face.delete("/_all/_alias/all").status()).isEqualTo(200);
    assertThat(face.get("/_alias/all").status()).isEqualTo(404);
    Answer again = face.delete("/films/_alias/all");
    assertThat(again.status()).isEqualTo(404);
    assertThat(again.at("/error/type")).isEqualTo("aliases_not_found_exception");
    assertThat(actions("{'remove':{'index':'films','alias':'all','must_exist':false}}").status())
        .isEqualTo(200);
  }

  @Test
  void anIndexIsMadeWithAliases() {
    face.put(
        "/books",
        json("{'aliases':{'Read':{'filter':{'term':{'t':1}}},'write':{'is_write_index':true}}}"));
    assertThat(face.put("/books/_alias/more", "").status()).isEqualTo(200);
    assertThat(face.get("/books/_alias").body())
        .isEqualTo(
            json(
                "{'books':{'aliases':{'Read':{'filter':{'term':{'t':1}}},'more':{},"
                    + "'write':{'is_write_index':true}}}}"));
  }

  @Test
  void catShowsOneLineForEachIndexOfAnAlias() {
    face.put("/b", json("{'aliases':{'x':{'is_write_index':false}}}"));
    face.put("/a", json("{'aliases':{'x':{'filter':{'term':{'t':1}}},'w':{}}}"));
    assertThat(face.get("/_cat/aliases?h=a,i,f,w").body().lines().map(String::strip))
        .containsExactly("w a - -", "x a * -", "x b - false");
    assertThat(face.get("/_cat/aliases/w?h=alias,index").body().strip()).isEqualTo("w a");
  }

  @Test
  void aFilteredAliasShowsItsDocumentsAloneAndItsVectorSearchesChooseAmongThem() {
    face.put(
        "/books",
        json(
            "{'mappings':{'properties':{'team':{'type':'keyword'},'t':{'type':'text'},"
                + "'v':{'type':'knn_vector','dimension':2,'space_type':'l2'}}},"
                + "'aliases':{'ours':{'filter':{'term':{'team':'us'}}}}}"));
    write("books", "near", "{'team':'them','t':'red','v':[0,0]}");
    write("books", "far", "{'team':'us','t':'red','v':[9,9]}");
    write("books", "farther", "{'team':'us','t':'blue','v':[20,20]}");
    String knn = "{'knn':{'v':{'vector':[0,0],'k':1}}}";
    for (String query :
        new String[] {
          knn,
          "{'bool':{'must':[" + knn + "]}}",
          "{'hybrid':{'queries':[" + knn + ",{'match':{'t':'red'}}]}}"
        }) {
      Answer found = face.post("/ours/_search", json("{'query':" + query + "}"));
      assertThat(found.at("/hits/total/value")).as(query).isEqualTo("1");
      assertThat(found.at("/hits/hits/0/_id")).isEqualTo("far");
      assertThat(found.at("/hits/hits/0/_index")).isEqualTo("books");
    }
    String all = json("{'query':{'match_all':{}}}");
    assertThat(face.post("/ours/_count", all).at("/count")).isEqualTo("2");
    assertThat(face.post("/o*/_count", all).at("/count")).isEqualTo("2");
    assertThat(face.post("/ours,gone/_count?ignore_unavailable=true", all).at("/count"))
        .isEqualTo("2");
    assertThat(face.post("/ours,books/_count", all).at("/count")).isEqualTo("3");
    assertThat(face.post("/*/_count", all).at("/count")).isEqualTo("3");
    String explained =
        face.post("/ours/_validate/query?explain=true", json("{'query':" + knn + "}"))
            .at("/explanations/0/explanation");
    assertThat(explained)
        .startsWith(json("{'knn':{'v':{'vector':[0.0,0.0],'k':1,'filter':{'term':{'team':"));
    String after = json("{'query':{'knn':{'v':{'vector':[0,0],'k':1,'outer_filters':'after'}}}}");
    assertThat(face.post("/ours/_search", after).at("/hits/total/value")).isEqualTo("0");
  }

  @Test
  void twoFilteredAliasesOfAnIndexShowTheDocumentsOfEither() {
    face.put(
        "/books",
        json(
            "{'aliases':{'ones':{'filter':{'term':{'n':1}}},'twos':{'filter':{'term':{'n':2}}},"
                + "'every':{}}}"));
    write("books", "a", "{'n':1}");
    write("books", "b", "{'n':2}");
    write("books", "c", "{'n':3}");
    assertThat(face.get("/ones/_count").at("/count")).isEqualTo("1");
    assertThat(face.get("/ones,twos/_count").at("/count")).isEqualTo("2");
    assertThat(face.get("/ones,every/_count").at("/count")).isEqualTo("3");
    assertThat(face.get("/every,ones/_count").at("/count")).isEqualTo("3");
  }

  @Test
  void anAliasOfSeveralIndexesIsSearchedAndWrittenToItsWriteIndex() {
    face.put("/old", json("{'aliases':{'log':{}}}"));
    write("log", "1", "{'n':1}");
    assertThat(face.get("/log/_doc/1").at("/_index")).isEqualTo("old");
    face.put("/new", json("{'aliases':{'log':{'is_write_index':true}}}"));
    Answer written = face.put("/log/_doc/2?refresh=true", json("{'n':2}"));
    assertThat(written.at("/_index")).isEqualTo("new");
    Answer bulk =
        face.post(
            "/_bulk?refresh=true",
            json("{'index':{'_index':'log','_id':'3','require_alias':true}}\n{'n':3}\n"));
    assertThat(bulk.at("/items/0/index/_index")).isEqualTo("new");
    assertThat(face.get("/log/_count").at("/count")).isEqualTo("3");
    Answer get = face.get("/log/_doc/2");
    assertThat(get.status()).isEqualTo(400);
    assertThat(get.at("/error/reason")).contains("more than one index").contains("[new, old]");

    actions("{'add':{'index':'new','alias':'log','is_write_index':false}}");
    Answer refused = face.put("/log/_doc/4", json("{'n':4}"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/type")).isEqualTo("illegal_argument_exception");
    assertThat(refused.at("/error/reason")).contains("no write index is defined for alias [log]");
    Answer notAlias = face.put("/old/_doc/4?require_alias=true", json("{'n':4}"));
    assertThat(notAlias.status()).isEqualTo(404);
  }

  @Test
  void anIndexGivesItsNameToAnAliasInOneStep() {
    write("books", "a", "{'n':1}");
    write("books-2", "b", "{'n':2}");
    assertThat(
            actions(
                    "{'add':{'index':'books-2','alias':'books'}},"
                        + "{'remove_index':{'index':'books'}}")
                .status())
        .isEqualTo(200);
    assertThat(face.get("/books/_search").at("/hits/hits/0/_id")).isEqualTo("b");
    assertThat(face.delete("/books").at("/error/reason")).contains("matches an alias");
    assertThat(face.delete("/books*").status()).isEqualTo(200);
    assertThat(face.get("/_alias/books").status()).isEqualTo(404);
  }

  @Test
  void aRefusedStepLeavesAllAsItWas() {
    face.put("/a", "");
    face.put("/b", "");
    Answer refused = actions("{'add':{'index':'a','alias':'x'}},{'add':{'index':'a','alias':'b'}}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/type")).isEqualTo("invalid_alias_name_exception");
    assertThat(face.get("/_alias/x").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'add':{'index':'gone','alias':'x'}}                    | 404 | index_not_found_exception | no such index [gone]
          {'add':{'index':'a','alias':'b'}}                       | 400 | invalid_alias_name_exception | Invalid alias name [b], an index exists with the same name as the alias
          {'add':{'index':'a','alias':'x y'}}                     | 400 | invalid_alias_name_exception | must not contain
          {'add':{'index':'a','alias':'x*'}}                      | 400 | invalid_alias_name_exception | must not contain
          {'add':{'index':'a','alias':'_x'}}                      | 400 | invalid_alias_name_exception | must not start with
          {'add':{'index':'a'}}                                   | 400 | illegal_argument_exception | [add] needs one of [alias] or [aliases]
          {'add':{'index':'a','alias':'x','routing':'1'}}         | 400 | illegal_argument_exception | [routing], which is not supported
          {'add':{'index':'a','alias':'x','search_routing':'1'}}  | 400 | illegal_argument_exception | [search_routing], which is not supported
          {'add':{'index':'a','alias':'x','filter':{'knn':{}}}}   | 400 | parsing_exception | alias [x]'s [filter] must not contain [knn]
          {'add':{'index':'a','alias':'x','filter':[{'match_all':{}}]}} | 400 | parsing_exception | alias [x]'s [filter] field must be a query object
          {'add':{'index':'a','alias':'x','filter':{'trem':{}}}}  | 400 | parsing_exception | unknown query [trem]
          {'add':{'index':'a,b','alias':'x','is_write_index':true}} | 400 | illegal_argument_exception | more than one write index [a, b]
          {'add':{'index':'a','alias':'x','is_write_index':1}}    | 400 | illegal_argument_exception | [is_write_index]
          {'add':{'index':'a','alias':'x','boost':1}}             | 400 | parse_exception | unknown field [boost]
          {'remove':{'index':'a','alias':'x'}}                    | 404 | aliases_not_found_exception | aliases [x] missing
          {'remove_index':{'index':'taken'}}                      | 400 | illegal_argument_exception | matches an alias
          {'move':{'index':'a'}}                                  | 400 | parse_exception | expected one of [add, remove, remove_index]
          {}                                                      | 400 | parse_exception | must be an object with one of [add]
          """)
  void refuses(String action, int status, String type, String reason) {
    face.put("/a", json("{'aliases':{'taken':{}}}"));
    face.put("/b", "");
    Answer refused = actions(action);
    assertThat(refused.status()).as(refused.body()).isEqualTo(status);
    assertThat(refused.at("/error/type")).isEqualTo(type);
    assertThat(refused.at("/error/reason")).contains(reason);
  }

  @Test
  void anIndexDoesNotTakeTheNameOfAnAlias() {
    face.put("/a", json("{'aliases':{'x':{}}}"));
    Answer refused = face.put("/x", "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/error/type")).isEqualTo("invalid_index_name_exception");
    assertThat(refused.at("/error/reason")).contains("already exists as alias");
    Answer own = face.put("/y", json("{'aliases':{'y':{}}}"));
    assertThat(own.at("/error/type")).isEqualTo("invalid_alias_name_exception");
    assertThat(face.send("HEAD", "/y", "").status()).isEqualTo(404);
  }
}
