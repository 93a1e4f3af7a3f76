package dev.weir.rest;

import static dev.weir.rest.TestFace.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals that tell what was wrong with the value, and what to do. */
class HelpfulRefusalsTest {
  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory);
    assertThat(
            face.put(
                    "/items",
                    json(
                        "{'mappings':{'properties':{'brand':{'type':'keyword'},'n':{'type':'integer'},"
                            + "'v':{'type':'knn_vector','dimension':2},"
                            + "'bits':{'type':'knn_vector','dimension':16,'data_type':'binary'},"
                            + "'meaning':{'type':'semantic'}}}}"))
                .status())
        .isEqualTo(200);
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'query':{'knn':{'bits':{'vector':[1,0,1,1],'k':1}}}} | invalid dimension: 4. Dimension should be: 2, field [bits]; the 16 dimensions of data type [binary] are bits, eight in each of 2 bytes
          {'query':{'knn':{'meaning':{'vector':[1],'k':1}}}}    | Field 'meaning' is of type [semantic], [knn] needs a field of type [knn_vector]; use [neural]
          {'query':{'script_score':{'query':{'match_all':{}},'script':{'source':'knn_score','params':{}}}}} | say "lang": "knn" beside it
          {'query':{'hybrid':{'queries':[{'match_all':{}}]}},'sort':[{'_score':'asc'}]} | [hybrid] cannot be sorted by [_score] in the order [asc]
          {'query':{'hybrid':{'queries':[{'match_all':{}}]}},'sort':['_score','n']} | [hybrid] can be sorted by [_score] alone or by other keys, not by both
          {'query':{'terms':{'brand':'a'}}}                     | [terms] query does not support [brand] with a value that is no array; put the values
          """)
  void ofSearches(String body, String reason) {
    TestFace.Answer answer = face.post("/items/_search", json(body));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body().replace("\\\"", "\"")).contains(reason);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'bits':[1,0,1,1]}           | Expected: 2, Given: 4; the 16 dimensions of data type [binary] are bits, eight in each of 2 bytes
          {'bits':[1,0,1,1]}           | Preview of field's value: '[1,0,1,1]'
          {'v':[0.5, 1, 2],'n':1}      | Preview of field's value: '[0.5, 1, 2]'
          {'n':1,'v':[0.5,{'a':[1]}]}  | Preview of field's value: '[0.5,{"a":[1]}]'
          {'v':'no vector','n':1}      | Preview of field's value: 'no vector'
          {'v':true,'n':1}             | Preview of field's value: 'true'
          {'v':[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]} | Preview of field's value: '[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1...'
          {'meaning':17,'n':1}         | Preview of field's value: '17'
          {'meaning':{'a':'b'},'n':1}  | Preview of field's value: '{"a":"b"}'
          {'n':{'a':'é'},'brand':'c'}  | Preview of field's value: '{"a":"é"}'
          """)
  void ofDocuments(String document, String reason) {
    TestFace.Answer answer = face.put("/items/_doc/1", json(document));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.at("/error/type")).isEqualTo("mapper_parsing_exception");
    assertThat(answer.body().replace("\\\"", "\"")).contains(reason);
  }
}
