package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which request is refused with which status and type, and what the reason names. */
class RefusalsTest {
  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory);
    assertThat(
            face.put(
                    "/books",
                    "{\"mappings\":{\"properties\":{\"title\":{\"type\":\"text\"},"
                        + "\"pages\":{\"type\":\"integer\"}}}}")
                .status())
        .isEqualTo(200);
    assertThat(face.put("/books/_doc/1", "{\"title\":\"a\",\"pages\":1}").status()).isEqualTo(201);
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @ParameterizedTest(name = "{0} {1} {2} -> {3} {4}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          GET    | /nope                          | ``                                          | 404 | index_not_found_exception         | no such index [nope]
          GET    | /nope/_search                  | ``                                          | 404 | index_not_found_exception         | no such index [nope]
          GET    | /nope/_count                   | ``                                          | 404 | index_not_found_exception         | [nope]
          GET    | /nope/_doc/1                   | ``                                          | 404 | index_not_found_exception         | [nope]
          GET    | /nope/_mapping                 | ``                                          | 404 | index_not_found_exception         | [nope]
          POST   | /nope/_refresh                 | ``                                          | 404 | index_not_found_exception         | [nope]
          DELETE | /nope                          | ``                                          | 404 | index_not_found_exception         | [nope]
          DELETE | /nope/_doc/1                   | ``                                          | 404 | index_not_found_exception         | [nope]
          GET    | /books/_search?allow_no_indices=false&x=1 | ``                               | 400 | illegal_argument_exception        | [x]
          GET    | /no*/_search?allow_no_indices=false | ``                                     | 404 | index_not_found_exception         | no*
          PUT    | /books                         | ``                                          | 400 | resource_already_exists_exception | books
          PUT    | /more?timeout=5                | ``                                          | 400 | illegal_argument_exception        | failed to parse setting [timeout] with value [5] as a time value
          PUT    | /more?cluster_manager_timeout=5 | ``                                         | 400 | illegal_argument_exception        | [cluster_manager_timeout] with value [5]
          POST   | /_bulk?timeout=60              | `{"index":{"_index":"books"}}`              | 400 | illegal_argument_exception        | [timeout] with value [60]
          PUT    | /books/_doc/2?timeout=60       | `{"pages":1}`                               | 400 | illegal_argument_exception        | [timeout] with value [60]
          GET    | /_cluster/health?timeout=30    | ``                                          | 400 | illegal_argument_exception        | [timeout] with value [30]
          GET    | /_cluster/health?master_timeout=soon | ``                                    | 400 | illegal_argument_exception        | [master_timeout] with value [soon]
          GET    | /books/_search?timeout=5       | ``                                          | 400 | illegal_argument_exception        | failed to parse setting [timeout] with value [5] as a time value
          PUT    | /Books                         | ``                                          | 400 | invalid_index_name_exception      | lowercase
          PUT    | /_books                        | ``                                          | 400 | invalid_index_name_exception      | start with
          PUT    | /b%2Fc                         | ``                                          | 400 | invalid_index_name_exception      | b/c
          PUT    | /more                          | `{"setings":{}}`                            | 400 | parse_exception                   | setings
          PUT    | /more                          | `{"settings":{"number_of_shards":0}}`       | 400 | illegal_argument_exception        | number_of_shards
          PUT    | /more                          | `{"settings":{"no_such":1}}`                | 400 | settings_exception                | index.no_such
          PUT    | /more                          | `{"mappings":{"properties":{"a":{"type":"nope"}}}}` | 400 | mapper_parsing_exception  | nope
          PUT    | /more                          | `{"settings":`                              | 400 | json_parse_exception              | end-of-input
          PUT    | /more                          | `[]`                                        | 400 | parse_exception                   | object
          PUT    | /more                          | `{} {}`                                     | 400 | parse_exception                   | after the end
          PUT    | /more                          | `{"settings":{"analysis":{"analyzer":{"a":{"type":"custom"}}}}}` | 400 | settings_exception   | there are no custom analyzers; a field's [analyzer] is one of [standard, english, simple, whitespace, keyword]
          PUT    | /more                          | `{"mappings":{"properties":{"a":{"type":"text","analyzer":"french"}}}}` | 400 | mapper_parsing_exception | analyzer [french] has not been configured in mappings; those that exist are [standard, english
          PUT    | /no*/_alias/a                  | ``                                          | 404 | index_not_found_exception         | no*
          POST   | /_aliases                      | `{"actions":[{"add":{"index":"no*","alias":"a"}}]}` | 404 | index_not_found_exception | no*
          PUT    | /books/_mapping                | `{"properties":{"pages":{"type":"text"}}}`  | 400 | illegal_argument_exception        | pages
          PUT    | /books/_mapping                | ``                                          | 400 | parse_exception                   | body is required
          PUT    | /books/_settings               | `{"index.number_of_shards":2}`              | 400 | illegal_argument_exception        | number_of_shards
          PUT    | /books/_settings               | `{"refresh_interval":""}`                   | 400 | illegal_argument_exception        | refresh_interval
          PUT    | /more                          | `{"settings":{"number_of_shards":""}}`      | 400 | illegal_argument_exception        | number_of_shards
          PUT    | /more                          | `{"mappings":{"properties":{"_id":{"type":"text"}}}}` | 400 | mapper_parsing_exception | metadata field
          PUT    | /books/_doc/1                  | `{"_hidden":1}`                             | 400 | mapper_parsing_exception          | failed to parse
          PUT    | /books/_settings               | `{"index.nope":2}`                          | 400 | settings_exception                | index.nope
          PUT    | /books/_settings?preserve_existing | `{"index.refresh_interval":"2s"}`       | 400 | illegal_argument_exception        | preserve_existing
          GET    | /books/_search?sise=1          | ``                                          | 400 | illegal_argument_exception        | [sise]
          GET    | /books/_search?q=a             | ``                                          | 400 | illegal_argument_exception        | request body
          GET    | /books/_search?scroll=1m       | ``                                          | 400 | illegal_argument_exception        | [scroll]
          GET    | /books/_search?verbose_pipeline | ``                                         | 400 | illegal_argument_exception        | [verbose_pipeline]
          GET    | /books/_search?size=many       | ``                                          | 400 | illegal_argument_exception        | [size]
          POST   | /books/_search                 | `{"highlight":{"fields":{"title":{}},"pre_tags":[]}}` | 400 | illegal_argument_exception | needs a tag
          POST   | /books/_search                 | `{"highlight":{"fields":{"title":{"number_of_fragments":1000000000}}}}` | 400 | illegal_argument_exception | at most 1000
          POST   | /books/_search                 | `{"query":{"dis_max":{"queries":[{"match_all":{}}],"tie_breaker":2}}}` | 400 | illegal_argument_exception | from 0 to 1
          GET    | /books/_search?from=-1         | ``                                          | 400 | illegal_argument_exception        | [from]
          GET    | /books/_search?ignore_unavailable=maybe | ``                                 | 400 | illegal_argument_exception        | [ignore_unavailable]
          GET    | /books/_search?rest_total_hits_as_int&track_total_hits=5 | ``                | 400 | illegal_argument_exception        | rest_total_hits_as_int
          GET    | /books/_search?search_pipeline=nope | ``                                     | 400 | illegal_argument_exception        | nope
          POST   | /books/_search                 | `{"query":{"match":`                        | 400 | json_parse_exception              | end-of-input
          POST   | /books/_search                 | `{"query":{"bool":{"must":[`                | 400 | json_parse_exception              | an array is not closed where the text ends","line":1,"col":
          POST   | /books/_search                 | `{"query":{"term":{"pages":"abc"}}}`        | 400 | search_phase_execution_exception  | field [pages] of type [integer] takes numbers
          POST   | /books/_search                 | `{"query":{"mach":{"title":"a"}}}`          | 400 | parsing_exception                 | did you mean [match]
          POST   | /books/_search                 | `{"quer":{}}`                               | 400 | parsing_exception                 | quer
          POST   | /books/_search                 | `{"query":{"term":[1]}}`                    | 400 | parsing_exception                 | [term]
          POST   | /books/_search                 | `{"query":{"range":{"pages":{"gt":"x"}}}}`  | 400 | search_phase_execution_exception  | all shards failed
          POST   | /books/_count                  | `{"size":1}`                                | 400 | parsing_exception                 | size
          POST   | /books/_count?min_score=1      | ``                                          | 400 | illegal_argument_exception        | min_score
          POST   | /books/_doc                    | ``                                          | 400 | action_request_validation_exception | source is missing
          POST   | /books/_doc                    | `{"a":`                                     | 400 | mapper_parsing_exception          | failed to parse
          POST   | /books/_doc                    | `{"pages":"many"}`                          | 400 | mapper_parsing_exception          | pages
          PUT    | /books/_doc/1?refresh=soon     | `{}`                                        | 400 | illegal_argument_exception        | [soon]
          PUT    | /books/_doc/1?pipeline=p       | `{}`                                        | 400 | illegal_argument_exception        | [p]
          PUT    | /books/_doc/1?if_seq_no=1      | `{}`                                        | 400 | action_request_validation_exception | ifSeqNo
          PUT    | /books/_doc/1?version=1        | `{}`                                        | 400 | action_request_validation_exception | if_seq_no
          PUT    | /books/_doc/1?if_seq_no=99&if_primary_term=1 | `{}`                          | 409 | version_conflict_engine_exception | required seqNo [99]
          PUT    | /books/_create/1               | `{}`                                        | 409 | version_conflict_engine_exception | already exists
          PUT    | /books/_doc/1?op_type=create   | `{}`                                        | 409 | version_conflict_engine_exception | already exists
          PUT    | /books/_doc/1?op_type=creat    | `{}`                                        | 400 | illegal_argument_exception        | creat
          GET    | /books/_doc/1?version=7        | ``                                          | 409 | version_conflict_engine_exception | [7]
          GET    | /books/_source/2               | ``                                          | 404 | resource_not_found_exception      | [books]/[2]
          POST   | /books/_update/2               | `{"doc":{"pages":2}}`                       | 404 | document_missing_exception        | [2]: document missing
          POST   | /books/_update/1               | `{"script":"x"}`                            | 400 | illegal_argument_exception        | script
          POST   | /books/_update/1               | `{"dok":{}}`                                | 400 | x_content_parse_exception         | dok
          POST   | /_mget                         | `{"ids":["1"]}`                             | 400 | action_request_validation_exception | index is missing
          POST   | /books/_mget                   | `{"docs":[]}`                               | 400 | action_request_validation_exception | no documents
          POST   | /_bulk                         | ``                                          | 400 | parse_exception                   | body is required
          POST   | /_bulk                         | `{"index":{"_index":"books"}}`              | 400 | illegal_argument_exception        | newline
          POST   | /_msearch                      | `{}`                                        | 400 | illegal_argument_exception        | newline
          PUT    | /_search/pipeline/p            | `{"phase_results_processors":[{"nope":{}}]}` | 400 | illegal_argument_exception       | nope
          PUT    | /_search/pipeline/p            | ``                                          | 400 | parse_exception                   | body is required
          DELETE | /_search/pipeline/p            | ``                                          | 404 | resource_not_found_exception      | [p]
          GET    | /_cluster/health?level=deep    | ``                                          | 400 | illegal_argument_exception        | [deep]
          GET    | /_cluster/health?wait_for_status=blue | ``                                   | 400 | illegal_argument_exception        | [blue]
          GET    | /_cat/indices?s=nope           | ``                                          | 400 | illegal_argument_exception        | [nope]
          GET    | /_cat/indices?bytes=pounds     | ``                                          | 400 | illegal_argument_exception        | [pounds]
          GET    | /?format=yaml                  | ``                                          | 400 | illegal_argument_exception        | [yaml]
          GET    | /books/%zz                     | ``                                          | 400 | illegal_argument_exception        | hex
          """)
  void refused(String method, String uri, String body, int status, String type, String reasonPart) {
    TestFace.Answer answer = face.send(method, uri, body);
    assertThat(answer.at("/error/type")).as(answer.body()).isEqualTo(type);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.at("/status")).isEqualTo(Integer.toString(status));
    assertThat(answer.at("/error/root_cause/0/type")).isNotEqualTo("absent");
    assertThat(answer.body()).contains(reasonPart);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /books/_search         | `{~  "query": {~    "mach": {}~  }~}`      | 3
          /books/_search         | `{~  "query":~}`                           | 3
          /more                  | `{~"settings": {~}`                        | 3
          """)
  void theErrorSaysOnWhichLine(String uri, String body, int line) {
    TestFace.Answer answer =
        face.send(uri.equals("/more") ? "PUT" : "POST", uri, body.replace('~', '\n'));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.at("/error/line")).as(answer.body()).isEqualTo(Integer.toString(line));
    assertThat(answer.at("/error/col")).isNotEqualTo("absent");
  }
}
