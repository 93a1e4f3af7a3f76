package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A name that is not known is refused, with the one that was meant or with what to do instead. */
class UnknownNamesTest {
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
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @ParameterizedTest(name = "{0} -> {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"query":{"hybrid":{"querys":[]}}}                          | parsing_exception | [hybrid] query does not support [querys] did you mean [queries]?
          {"query":{"hybrid":{"filters":{}}}}                         | parsing_exception | [filters] did you mean [filter]?
          {"query":{"hybrid":{"filter_mod":"and"}}}                   | parsing_exception | did you mean [filter_mode]?
          {"query":{"hybrid":{"pagination_dept":5}}}                  | parsing_exception | did you mean [pagination_depth]?
          {"query":{"nested":{"path":"a","qery":{}}}}                 | parsing_exception | [nested] query does not support [qery] did you mean [query]?
          {"query":{"nested":{"inner_hit":{}}}}                       | parsing_exception | did you mean [inner_hits]?
          {"query":{"match":{"title":{"query":"a","operater":"or"}}}} | parsing_exception | did you mean [operator]?
          {"query":{"match_phrase":{"title":{"slopp":1}}}}            | parsing_exception | did you mean [slop]?
          {"query":{"multi_match":{"query":"a","feilds":[]}}}         | parsing_exception | did you mean [fields]?
          {"query":{"query_string":{"default_feild":"a"}}}            | parsing_exception | did you mean [default_field]?
          {"query":{"range":{"pages":{"gr":1}}}}                      | parsing_exception | [range] query does not support [gr] did you mean [gt]?
          {"query":{"term":{"title":{"valu":"a"}}}}                   | parsing_exception | did you mean [value]?
          {"query":{"wildcard":{"title":{"wildcrad":"a"}}}}           | parsing_exception | did you mean [wildcard]?
          {"query":{"constant_score":{"fliter":{}}}}                  | parsing_exception | did you mean [filter]?
          {"query":{"dis_max":{"tie_braker":1}}}                      | parsing_exception | did you mean [tie_breaker]?
          {"query":{"boosting":{"positiv":{}}}}                       | parsing_exception | did you mean [positive]?
          {"query":{"function_score":{"boost_mod":"sum"}}}            | parsing_exception | did you mean [boost_mode]?
          {"query":{"function_score":{"gaus":{}}}}                    | parsing_exception | did you mean [gauss]?
          {"query":{"function_score":{"functions":[{"gaus":{}}]}}}    | parsing_exception | [function_score] query does not support [gaus] did you mean [gauss]?
          {"query":{"function_score":{"gauss":{"pages":{"scal":1}}}}} | parsing_exception | did you mean [scale]?
          {"query":{"script_score":{"skript":{}}}}                    | parsing_exception | did you mean [script]?
          {"query":{"script_score":{"script":{"sorce":"1"}}}}         | parsing_exception | did you mean [source]?
          {"query":{"knn":{"v":{"vector":[1],"method_parameters":{"ef_serch":5}}}}} | x_content_parse_exception | unknown method parameter [ef_serch] did you mean [ef_search]?
          {"query":{"knn":{"v":{"vector":[1],"rescore":{"oversample":2}}}}} | x_content_parse_exception | [rescore] unknown field [oversample] did you mean [oversample_factor]?
          {"query":{"knn":{"v":{"vector":[1],"num_candidates":5}}}}   | x_content_parse_exception | unknown field [num_candidates]; use [ef_search] in [method_parameters]
          {"query":{"neural":{"v":{"query_txt":"a"}}}}                | x_content_parse_exception | did you mean [query_text]?
          {"query":{"fuzzy":{"title":"a"}}}                           | parsing_exception | [fuzzy] query is not supported; use [match] with [fuzziness]
          {"query":{"regexp":{"title":"a"}}}                          | parsing_exception | use [wildcard]
          {"knn":{"field":"v","query_vector":[1],"k":1}}              | parsing_exception | in [knn].; put [knn] into [query]
          {"qery":{}}                                                 | parsing_exception | in [qery]. did you mean [query]?
          {"_source":{"inclides":["a"]}}                              | parsing_exception | did you mean [includes]?
          {"sort":[{"pages":{"ordr":"asc"}}]}                         | parsing_exception | [sort] by [pages] does not support [ordr] did you mean [order]?
          {"sort":[{"_score":{"ordr":"asc"}}]}                        | parsing_exception | did you mean [order]?
          {"sort":[{"pages":{"nested":{"pth":"a"}}}]}                 | parsing_exception | did you mean [path]?
          {"rescore":{"windw_size":5}}                                | parsing_exception | rescorer doesn't support [windw_size] did you mean [window_size]?
          {"rescore":{"query":{"rescore_qery":{}}}}                   | x_content_parse_exception | did you mean [rescore_query]?
          {"highlight":{"feilds":{}}}                                 | illegal_argument_exception | did you mean [fields]?
          {"collapse":{"feild":"pages"}}                              | x_content_parse_exception | did you mean [field]?
          {"ext":{"rerank":{"query_contxt":{}}}}                      | parsing_exception | did you mean [query_context]?
          {"aggs":{"a":{"date_histogram":{"field":"d","interval":"day"}}}} | x_content_parse_exception | unknown field [interval]; use [calendar_interval] or [fixed_interval]
          {"aggs":{"a":{"range":{"field":"pages","ranges":[{"form":1}]}}}} | x_content_parse_exception | did you mean [from]?
          {"aggs":{"a":{"histogram":{"extended_bounds":{"mn":1}}}}}   | x_content_parse_exception | unknown field [mn] did you mean [min]?
          {"aggs":{"a":{"composite":{}}}}                             | parsing_exception | use [terms]
          """)
  void inSearches(String body, String type, String reason) {
    requireRefusal(face.post("/books/_search", body), type, reason);
  }

  @ParameterizedTest(name = "{0} -> {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"phase_result_processors":[]}                               | parse_exception | did you mean [phase_results_processors]?
          {"phase_results_processors":[{"normalisation-processor":{}}]} | illegal_argument_exception | did you mean [normalization-processor]?
          {"response_processors":[{"truncate_hit":{}}]}                | illegal_argument_exception | did you mean [truncate_hits]?
          {"request_processors":[{"rerank":{}}]}                       | illegal_argument_exception | Invalid processor type rerank in [request_processors]; it belongs into [response_processors]
          {"response_processors":[{"rerank":{"by_feld":{}}}]}          | parse_exception | did you mean [by_field]?
          {"response_processors":[{"rerank":{"by_field":{"target_feld":"a"}}}]} | parse_exception | did you mean [target_field]?
          {"response_processors":[{"truncate_hits":{"target_sise":1}}]} | parse_exception | did you mean [target_size]?
          {"request_processors":[{"oversample":{"factor":2}}]}         | parse_exception | [factor] did you mean [sample_factor]?
          {"request_processors":[{"filter_query":{"qury":{}}}]}        | parse_exception | did you mean [query]?
          {"request_processors":[{"neural_query_enricher":{"default_modell_id":"a"}}]} | parse_exception | did you mean [default_model_id]?
          {"phase_results_processors":[{"normalization-processor":{"normalisation":{}}}]} | parse_exception | did you mean [normalization]?
          {"phase_results_processors":[{"normalization-processor":{"normalization":{"tecnique":"l2"}}}]} | parse_exception | did you mean [technique]?
          {"phase_results_processors":[{"normalization-processor":{"combination":{"parameters":{"weight":[1]}}}}]} | illegal_argument_exception | did you mean [weights]?
          {"phase_results_processors":[{"score-ranker-processor":{"normalization":{}}}]} | parse_exception | use the [normalization-processor]
          """)
  void inSearchPipelines(String body, String type, String reason) {
    requireRefusal(face.put("/_search/pipeline/p", body), type, reason);
  }

  @ParameterizedTest(name = "{0} -> {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"setings":{}}                                              | parse_exception | did you mean [settings]?
          {"settings":{"number_of_shard":1}}                          | settings_exception | unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?
          {"settings":{"refresh_intervall":"1s"}}                     | settings_exception | unknown setting [index.refresh_intervall] did you mean [index.refresh_interval]?
          {"settings":{"no_such":1}}                                  | settings_exception | unknown setting [index.no_such] please check that any required plugins are installed
          {"settings":{"refresh_interval":5}}                         | illegal_argument_exception | with a unit such as [500ms], [5s] or [1m]
          {"mappings":{"propertys":{}}}                               | mapper_parsing_exception | did you mean [properties]?
          {"mappings":{"properties":{"a":{"type":"knn_vektor"}}}}     | mapper_parsing_exception | No handler for type [knn_vektor] declared on field [a] did you mean [knn_vector]?
          {"mappings":{"properties":{"a":{"type":"txt"}}}}            | mapper_parsing_exception | did you mean [text]?
          {"mappings":{"properties":{"a":{"type":"dense_vector"}}}}   | mapper_parsing_exception | declared on field [a]; use [knn_vector]
          {"mappings":{"properties":{"a":{"type":"ip"}}}}             | mapper_parsing_exception | ; use [keyword]
          {"mappings":{"properties":{"a":{"type":"text","analyser":"english"}}}} | mapper_parsing_exception | did you mean [analyzer]?
          {"mappings":{"properties":{"a":{"type":"integer","corce":true}}}} | mapper_parsing_exception | did you mean [coerce]?
          {"mappings":{"properties":{"a":{"type":"nested","include_in_rot":true}}}} | mapper_parsing_exception | did you mean any of [include_in_root, include_in_parent]?
          {"mappings":{"properties":{"a":{"type":"knn_vector","dimension":2,"space":"l2"}}}} | mapper_parsing_exception | unknown parameter [space] on mapper [a] of type [knn_vector] did you mean [space_type]?
          {"mappings":{"properties":{"a":{"type":"knn_vector","dims":2}}}} | mapper_parsing_exception | [knn_vector]; use [dimension]
          {"mappings":{"properties":{"a":{"type":"semantic","modelid":"m"}}}} | mapper_parsing_exception | did you mean [model_id]?
          {"mappings":{"properties":{"a":{"type":"knn_vector","dimension":2,"method":{"name":"hnsw","parameters":{"ef_constrution":5}}}}}} | mapper_parsing_exception | did you mean [ef_construction]?
          {"mappings":{"properties":{"a":{"type":"knn_vector","dimension":2,"method":{"name":"hnsw","m":5}}}}} | mapper_parsing_exception | put it into [parameters]
          {"aliases":{"a":{"fliter":{}}}}                             | parse_exception | did you mean [filter]?
          """)
  void inDefinitionsOfIndexes(String body, String type, String reason) {
    requireRefusal(face.put("/more", body), type, reason);
  }

  @ParameterizedTest(name = "{0} {1} -> {4}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          POST | /_aliases               | {"actions":[{"ad":{}}]}           | parse_exception            | did you mean [add]?
          POST | /_aliases               | {"actions":[{"add":{"index":"books","alias":"b","is_write_idx":true}}]} | parse_exception | did you mean [is_write_index]?
          POST | /books/_update/1        | {"docs":{}}                       | x_content_parse_exception  | did you mean [doc]?
          POST | /_mget                  | {"dcos":[{}]}                     | parsing_exception          | did you mean [docs]?
          POST | /books/_search?prety    | {}                                | illegal_argument_exception | unrecognized parameter: [prety] -> did you mean [pretty]?
          PUT  | /_ingest/pipeline/p     | {"processors":[{"grok":{}}]}      | parse_exception            | No processor type exists with name [grok]; use [split] or [gsub]
          PUT  | /_ingest/pipeline/p     | {"processors":[{"uppercse":{}}]}  | parse_exception            | did you mean [uppercase]?
          POST | /books/_rank_eval       | {"request":[],"metric":{}}        | illegal_argument_exception | did you mean [requests]?
          """)
  void elsewhere(String method, String path, String body, String type, String reason) {
    TestFace.Answer answer = method.equals("PUT") ? face.put(path, body) : face.post(path, body);
    requireRefusal(answer, type, reason);
  }

  private static void requireRefusal(TestFace.Answer answer, String type, String reason) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.at("/error/type")).as(answer.body()).isEqualTo(type);
    assertThat(answer.body().replace("\\\"", "\"")).contains(reason);
  }
}
