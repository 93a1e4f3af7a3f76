package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.Position;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.StrictJson;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the parser accepts beside the long forms, and how it refuses the rest. */
final class QueryParserTest {

  private static Query parse(String json) {
    return QueryParser.DEFAULT.parse(StrictJson.parser(json.replace('\'', '"')));
  }

  private static SearchException refusal(String json) {
    SearchException refusal = catchThrowableOfType(SearchException.class, () -> parse(json));
    assertThat(refusal).as(json).isNotNull();
    return refusal;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'match':{'f':'text'}}          | {'match':{'f':{'query':'text'}}}
          {'match':{'f':5}}               | {'match':{'f':{'query':5}}}
          {'match':{'f':{'query':'t','fuzziness':'auto'}}} | {'match':{'f':{'query':'t','fuzziness':'AUTO:3,6'}}}
          {'match':{'f':{'query':'t','boost':'2.0'}}} | {'match':{'f':{'query':'t','boost':2.0}}}
          {'match_phrase':{'f':'a b'}}    | {'match_phrase':{'f':{'query':'a b'}}}
          {'term':{'f':true}}             | {'term':{'f':{'value':true}}}
          {'terms':{'f':[1,'a'],'boost':2}} | {'terms':{'boost':2.0,'f':[1,'a']}}
          {'prefix':{'f':'p'}}            | {'prefix':{'f':{'value':'p'}}}
          {'wildcard':{'f':{'wildcard':'p*'}}} | {'wildcard':{'f':{'value':'p*'}}}
          {'range':{'f':{'from':1,'to':2,'include_upper':false}}} | {'range':{'f':{'gte':1,'lt':2}}}
          {'range':{'f':{'gte':null,'lt':2}}} | {'range':{'f':{'lt':2}}}
          {'range':{'f':{'lt':2,'relation':'WITHIN'}}} | {'range':{'f':{'lt':2,'relation':'within'}}}
          {'ids':{'values':'1'}}          | {'ids':{'values':['1']}}
          {'ids':{'values':[1,2]}}        | {'ids':{'values':['1','2']}}
          {'bool':{'must':{'match_all':{}}}} | {'bool':{'must':[{'match_all':{}}]}}
          {'bool':{'must':null,'should':[]}} | {'bool':{}}
          {'bool':{'adjust_pure_negative':true,'minimum_should_match':1}} | {'bool':{'minimum_should_match':'1'}}
          {'dis_max':{'queries':{'match_all':{}}}} | {'dis_max':{'queries':[{'match_all':{}}]}}
          {'knn':{'v':{'vector':['1',2],'k':'2.5'}}} | {'knn':{'v':{'vector':[1.0,2.0],'k':2}}}
          {'knn':{'v':{'vector':3,'k':1}}} | {'knn':{'v':{'vector':[3.0],'k':1}}}
          {'knn':{'v':{'vector':[1],'k':1,'rescore':{}}}} | {'knn':{'v':{'vector':[1],'k':1,'rescore':true}}}
          {'multi_match':{'query':'q','fields':'a^2'}} | {'multi_match':{'query':'q','fields':['a^2.0']}}
          {'multi_match':{'query':'q'}}   | {'multi_match':{'query':'q','fields':[],'type':'best_fields'}}
          {'function_score':{'weight':2}} | {'function_score':{'query':{'match_all':{}},'functions':[{'weight':2}]}}
          {'function_score':{'gauss':{'f':{'origin':1,'scale':2}},'weight':2}} | {'function_score':{'functions':[{'weight':2,'gauss':{'f':{'origin':1,'scale':2,'decay':0.5},'multi_value_mode':'min'}}]}}
          {'script_score':{'query':{'match_all':{}},'script':'2'}} | {'script_score':{'query':{'match_all':{}},'script':{'lang':'painless','source':'2.0'}}}
          {'hybrid':{'queries':{'match_all':{}}}} | {'hybrid':{'queries':[{'match_all':{}}],'boost':1}}
          """)
  void shortAndLongFormsAreEqual(String shorter, String longer) {
    assertThat(parse(shorter)).isEqualTo(parse(longer));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'matc':{'f':'t'}} | parsing_exception | unknown query [matc] did you mean [match]?
          {'zzz':{}} | parsing_exception | unknown query [zzz]
          {'more_like_this':{'like':'a'}} | parsing_exception | [more_like_this] query is not supported; use [knn] or [neural]
          {} | illegal_argument_exception | query malformed, empty clause found
          {'match':'t'} | parsing_exception | [match] query malformed, no start_object after query name
          {'match_all':{},'match_none':{}} | parsing_exception | [match_all] malformed query, expected [END_OBJECT] but found [FIELD_NAME]
          {'match_all':{'boots':1}} | x_content_parse_exception | [1:15] [match_all] unknown field [boots] did you mean [boost]?
          {'match_all':{'boost':-1}} | illegal_argument_exception | negative [boost] are not allowed, boost=-1.0
          {'match_all':{'boost':'x'}} | number_format_exception | [match_all] [boost] must be a number, got [x]
          {'match':{'f':{'query':'t','foo':1}}} | parsing_exception | [match] query does not support [foo]
          {'match':{'f':{'operator':'and'}}} | illegal_argument_exception | [match] requires query value
          {'match':{'f':['a']}} | parsing_exception | [match] unknown token [START_ARRAY] after [f]
          {'match':{'f':'t','g':'t'}} | parsing_exception | [match] query doesn't support multiple fields, found [f] and [g]
          {'match':{'f':{'query':'t','fuzziness':3}}} | illegal_argument_exception | fuzziness must be 0, 1, 2 or AUTO, got 3
          {'match':{'f':{'query':'t','operator':'xor'}}} | illegal_argument_exception | [match] [operator] must be [or] or [and], got [xor]
          {'multi_match':{'query':'q','type':'cross_fields'}} | parsing_exception | [multi_match] type [cross_fields] is not supported; use [best_fields], [most_fields] or [phrase]
          {'multi_match':{'fields':['a']}} | parsing_exception | No text specified for multi_match query
          {'term':{'f':['a']}} | parsing_exception | [term] query does not support array of values
          {'term':{'f':null}} | illegal_argument_exception | [term] value of [f] cannot be null
          {'term':{}} | parsing_exception | [term] query requires a field name
          {'terms':{'f':'a'}} | parsing_exception | [terms] query does not support [f] with a value that is no array; put the values of a field into an array, as in {"terms": {"my_field": ["a", "b"]}}, or use [term] for one value
          {'terms':{'f':{'index':'i'}}} | parsing_exception | [terms] query does not support a lookup of its values, at [f]
          {'terms':{'f':['a'],'g':['b']}} | parsing_exception | [terms] query does not support multiple fields
          {'range':{'f':5}} | parsing_exception | [range] query does not support [f]; the ends of the range go into an object
          {'range':{'f':{'gt':[1]}}} | parsing_exception | [range] query does not support array of values
          {'range':{'f':{'gt':1,'relation':'disjoint'}}} | illegal_argument_exception | [range] query does not support relation [disjoint]
          {'exists':{}} | parsing_exception | [exists] must be provided with a [field]
          {'ids':{'type':'t'}} | x_content_parse_exception | [1:9] [ids] unknown field [type]
          {'bool':{'zzz':[]}} | x_content_parse_exception | [1:10] [bool] unknown field [zzz]
          {'bool':{'shoud':[]}} | x_content_parse_exception | [1:10] [bool] unknown field [shoud] did you mean [should]?
          {'bool':{'must':'x'}} | x_content_parse_exception | [1:17] [bool] must doesn't support values of type: VALUE_STRING
          {'bool':{'minimum_should_match':'x'}} | illegal_argument_exception | [minimum_should_match] must look like 2, -1, 75%, -25% or 3<90%, got [x]
          {'constant_score':{}} | parsing_exception | [constant_score] requires a 'filter' element
          {'constant_score':{'filter':[]}} | parsing_exception | unexpected token [START_ARRAY] after [filter] of [constant_score]
          {'dis_max':{'queries':[]}} | parsing_exception | [dis_max] requires 'queries' field with at least one clause
          {'boosting':{'positive':{'match_all':{}},'negative':{'match_all':{}}}} | parsing_exception | [boosting] query requires 'negative_boost' to be set to be a positive value
          {'function_score':{'functions':[{}]}} | parsing_exception | [function_score] a function needs a [weight] or says what it is
          {'function_score':{'functions':[{'weight':-1}]}} | illegal_argument_exception | [function_score] [weight] must be finite and not negative, got -1.0
          {'function_score':{'functions':[],'weight':2}} | parsing_exception | [function_score] has [functions] and a function beside it; put all into [functions]
          {'function_score':{'random_score':{},'gauss':{'f':{'origin':1,'scale':2}}}} | parsing_exception | [function_score] has two functions in one object, the second is [gauss]; list them in [functions]
          {'function_score':{'score_mode':'median'}} | illegal_argument_exception | [function_score] [score_mode] must be one of [multiply, sum, avg, first, max, min], got [median]
          {'function_score':{'field_value_factor':{}}} | parsing_exception | [field_value_factor] required field 'field' missing
          {'function_score':{'exp':{'f':{'origin':1}}}} | parsing_exception | [exp] of field [f] requires a [scale]
          {'function_score':{'exp':{'f':{'origin':1,'scale':2,'decay':1}}}} | illegal_argument_exception | [decay] must be above 0 and below 1, got 1.0 for field [f]
          {'function_score':{'exp':{'f':{'origin':{'lat':91,'lon':0},'scale':2}}}} | illegal_argument_exception | [exp] [origin]: illegal latitude value [91.0], expected -90 to 90
          {'function_score':{'boots':1}} | parsing_exception | [function_score] query does not support [boots] did you mean [boost]?
          {'script_score':{'script':'1'}} | illegal_argument_exception | [script_score] requires a [query]
          {'knn':{'v':[1,2]}} | illegal_argument_exception | [knn] requires exactly one of k, max_distance or min_score to be set, found 0
          {'knn':{'v':{'vector':[1],'k':1,'min_score':1}}} | illegal_argument_exception | [knn] requires exactly one of k, max_distance or min_score to be set, found 2
          {'knn':{'v':{'k':1}}} | illegal_argument_exception | [knn] requires query vector
          {'knn':{'v':{'vector':[1],'k':0}}} | illegal_argument_exception | [knn] requires k to be in the range [1, 10000], k=0
          {'knn':{'v':{'vector':[1],'k':10001}}} | illegal_argument_exception | [knn] requires k to be in the range [1, 10000], k=10001
          {'knn':{'v':{'vector':[],'k':1}}} | x_content_parse_exception | [1:24] [knn] [vector] must not be empty
          {'knn':{'v':{'vector':[[1]],'k':1}}} | x_content_parse_exception | [1:24] [knn] [vector] must be an array of finite numbers, found [START_ARRAY]
          {'knn':{'v':{'vector':[1e99],'k':1}}} | x_content_parse_exception | [1:24] [knn] [vector] must be an array of finite numbers, found [VALUE_NUMBER]
          {'knn':{'v':{'vector':'x','k':1}}} | x_content_parse_exception | [1:23] [knn] failed to parse field [vector]
          {'knn':{'v':{'vector':[1],'min_score':0}}} | illegal_argument_exception | [knn] requires min_score to be greater than 0, min_score=0.0
          {'knn':{'v':{'vector':[1],'k':1,'filter':[]}}} | x_content_parse_exception | [1:42] [knn] filter doesn't support values of type: START_ARRAY; it must be one query object
          {'knn':{'v':{'vector':[1],'k':1,'filter':null}}} | x_content_parse_exception | [1:42] [knn] filter doesn't support values of type: VALUE_NULL; it must be one query object
          {'knn':{'v':{'vector':[1],'k':1,'filter':{}}}} | x_content_parse_exception | [1:43] [knn] failed to parse field [filter]
          {'knn':{'v':{'vector':[1],'k':1,'method_parameters':{}}}} | x_content_parse_exception | [1:54] [knn] [method_parameters] must not be empty
          {'knn':{'v':{'vector':[1],'k':1,'method_parameters':{'ef':1}}}} | x_content_parse_exception | [1:59] [knn] unknown method parameter [ef] did you mean [ef_search]?
          {'knn':{'v':{'vector':[1],'k':1,'method_parameters':{'ef_search':0}}}} | illegal_argument_exception | [ef_search] should be greater than 0, got 0
          {'knn':{'v':{'vector':[1],'k':1,'rescore':{'oversample_factor':101}}}} | illegal_argument_exception | [oversample_factor] must be in the range [1.0, 100.0], got 101.0
          {'knn':{'v':{'vector':[1],'min_score':1,'rescore':true}}} | illegal_argument_exception | [knn] [rescore] goes with [k] only
          {'knn':{'v':{'vector':[1],'k':1,'num_candidates':5}}} | x_content_parse_exception | [1:33] [knn] unknown field [num_candidates]; use [ef_search] in [method_parameters]
          {'knn':{'v':{'vector':[1],'k':1},'w':{'vector':[1],'k':1}}} | parsing_exception | [knn] query doesn't support multiple fields, found [v] and [w]
          {'hybrid':{}} | parsing_exception | [hybrid] requires 'queries' field with at least one clause
          {'hybrid':{'queries':[]}} | parsing_exception | [hybrid] requires 'queries' field with at least one clause
          {'hybrid':{'queries':[{'match_all':{}}],'boost':2}} | parsing_exception | [hybrid] query does not support [boost]; boost its queries or weight them
          {'hybrid':{'queries':[{'match_all':{}}],'fusion':{}}} | parsing_exception | [hybrid] query does not support [fusion]
          {'hybrid':{'queries':[{'match_all':{}}],'pagination_depth':0}} | query_shard_exception | [hybrid] [pagination_depth] must be at least 1, got 0
          {'hybrid':{'queries':[{'match_all':{}}],'pagination_depth':'x'}} | number_format_exception | [hybrid] [pagination_depth] must be a number, got [x]
          {'hybrid':{'queries':[{'match_all':{}}],'filter_mode':'xor'}} | parsing_exception | [hybrid] query's [filter_mode] must be [and], [or] or [ignore_if_exists], got [xor]
          {'hybrid':{'queries':[{'match_all':{}}],'filter_push_down':'far'}} | parsing_exception | [hybrid] query's [filter_push_down] must be [vectors], [shallow] or [deep], got [far]
          {'hybrid':{'queries':[{'match_all':{}}],'filter':{}}} | illegal_argument_exception | query malformed, empty clause found
          {'hybrid':{'queries':[{'match_all':{}}],'filter':{'trem':{}}}} | parsing_exception | unknown query [trem] did you mean [term]?
          ['match_all'] | parsing_exception | [_na] query malformed, must start with start_object
          """)
  void refusesNamingWhatIsWrong(String json, String type, String reason) {
    SearchException refusal = refusal(json);
    assertThat(refusal.error().reason()).isEqualTo(reason);
    assertThat(refusal.error().type().typeName()).isEqualTo(type);
    assertThat(refusal.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'hybrid':{'queries':[{'match_all':{}}],'filter':[{'match_all':{}}]}} | START_ARRAY
          {'hybrid':{'queries':[{'match_all':{}}],'filter':'x'}} | VALUE_STRING
          {'hybrid':{'queries':[{'match_all':{}}],'filter':5}} | VALUE_NUMBER
          {'hybrid':{'queries':[{'match_all':{}}],'filter':null}} | VALUE_NULL
          {'hybrid':{'filter':true,'queries':[{'match_all':{}}]}} | VALUE_BOOLEAN
          """)
  void commonFilterIsAnObject(String json, String found) {
    SearchException refusal = refusal(json);
    assertThat(refusal.error().type().typeName()).isEqualTo("parsing_exception");
    assertThat(refusal.error().reason())
        .startsWith(
            "[hybrid] query's [filter] field must be a query object, found [" + found + "]");
    assertThat(refusal.error().reason().contains("[bool]")).isEqualTo(found.equals("START_ARRAY"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'knn':{'v':{'vector':[1],'k':1}}} | knn
          {'neural':{'v':{'query_text':'t','k':1}}} | neural
          {'hybrid':{'queries':[{'match_all':{}}]}} | hybrid
          {'function_score':{'query':{'match_all':{}},'min_score':1}} | function_score
          {'script_score':{'script':{'source':'1'},'min_score':1}} | script_score
          {'bool':{'must_not':[{'constant_score':{'filter':{'knn':{'v':{'vector':[1],'k':1}}}}}]}} | knn
          {'dis_max':{'queries':[{'term':{'f':1}},{'script_score':{'min_score':1}}]}} | script_score
          """)
  void commonFilterMustNotDependOnScores(String filter, String name) {
    SearchException refusal =
        refusal("{'hybrid':{'queries':[{'match_all':{}}],'filter':" + filter + "}}");
    assertThat(refusal.error().type().typeName()).isEqualTo("parsing_exception");
    assertThat(refusal.error().reason())
        .startsWith("[hybrid] query's [filter] must not contain [" + name + "]")
        .contains("depends on scores")
        .contains("Put it into the queries");
    assertThat(refusal.error().position()).isNotNull();
  }

  @Test
  void filterForUnknownQueriesKeepsTheSameRules() {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class,
            () -> {
              JsonReader in = new JsonReader(StrictJson.parser("{\"knn\":{}}"));
              in.next();
              QueryParser.DEFAULT.parseFilter(in, "alias [a]'s [filter]");
            });
    assertThat(refusal.error().reason()).startsWith("alias [a]'s [filter] must not contain [knn]");
  }

  @Test
  void vectorSearchesInsideAFilterOfTheirOwnAreAllowed() {
    assertThat(
            parse("{'knn':{'v':{'vector':[1],'k':1,'filter':{'knn':{'w':{'vector':[1],'k':9}}}}}}"))
        .isInstanceOf(VectorSearch.Knn.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'bool':{'must':[H]}}
          {'bool':{'should':H}}
          {'constant_score':{'filter':H}}
          {'dis_max':{'queries':[{'match_all':{}},H]}}
          {'boosting':{'positive':H}}
          {'function_score':{'query':H}}
          {'function_score':{'functions':[{'filter':H,'weight':2}]}}
          {'script_score':{'query':H,'script':'_score'}}
          {'knn':{'v':{'vector':[1],'k':1,'filter':H}}}
          {'hybrid':{'queries':[{'bool':{'must':[H]}}]}}
          """)
  void hybridIsTheOutermostQuery(String json) {
    SearchException refusal =
        refusal(json.replace("H", "{'hybrid':{'queries':[{'match_all':{}}]}}"));
    assertThat(refusal.error().type().typeName()).isEqualTo("illegal_argument_exception");
    assertThat(refusal.error().reason())
        .contains("must be the top level query")
        .contains("[should]");
  }

  @Test
  void hybridIsNotNested() {
    SearchException refusal =
        refusal("{'hybrid':{'queries':[{'hybrid':{'queries':[{'match_all':{}}]}}]}}");
    assertThat(refusal.error().type().typeName()).isEqualTo("illegal_argument_exception");
    assertThat(refusal.error().reason()).contains("cannot be nested in another [hybrid]");
  }

  @Test
  void queriesOfAHybridAreBoundedWhateverAnIndexAllows() {
    String one = "{'match_all':{}}";
    String most = String.join(",", Collections.nCopies(64, one));
    assertThat(((Query.Hybrid) parse("{'hybrid':{'queries':[" + most + "]}}")).queries())
        .hasSize(64);
    SearchException refusal = refusal("{'hybrid':{'queries':[" + most + "," + one + "]}}");
    assertThat(refusal.error().type().typeName()).isEqualTo("parsing_exception");
    assertThat(refusal.error().reason()).contains("which is 64");
  }

  @ParameterizedTest
  @CsvSource({
    "'''filter'':F,''queries'':[M,K]'",
    "'''queries'':[M,K],''filter'':F'",
    "'''queries'':[M,K],''filter'':F,''filter_mode'':''and'',''filter_push_down'':''vectors'''",
  })
  void hybridHoldsItsFilterInsideItsQueries(String body) {
    String knn = "{'knn':{'v':{'vector':[1],'k':1,'boost':2,'_name':'n'}}}";
    Query query =
        parse(
            "{'hybrid':{"
                + body.replace("F", "{'term':{'f':1}}")
                    .replace("M", "{'match':{'t':'x'}}")
                    .replace("K", knn)
                + "}}");
    assertThat(QueryWriter.toJson(query).replace('"', '\''))
        .isEqualTo(
            "{'hybrid':{'queries':["
                + "{'bool':{'must':[{'match':{'t':{'query':'x'}}}],"
                + "'filter':[{'term':{'f':{'value':1}}}]}},"
                + "{'knn':{'v':{'vector':[1.0],'k':1,"
                + "'filter':{'term':{'f':{'value':1}}},'boost':2.0,'_name':'n'}}}]}}");
  }

  @Test
  void refusalNamesLineAndColumn() {
    SearchException refusal = refusal("{\n  'bool': {\n    'must': [ {'matc': {}} ]\n  }\n}");
    ErrorCause root = refusal.rootCauses().getFirst();
    assertThat(root.type().typeName()).isEqualTo("parsing_exception");
    assertThat(root.reason()).isEqualTo("unknown query [matc] did you mean [match]?");
    assertThat(root.position()).isEqualTo(new Position(3, 24));
    assertThat(refusal.error().type().typeName()).isEqualTo("x_content_parse_exception");
    assertThat(refusal.error().reason()).isEqualTo("[3:24] [bool] failed to parse field [must]");
    assertThat(refusal.error().causedBy()).isEqualTo(root);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'match':{'f':'t'}
          {'match'
          {'match':{'f':tru}}
          {'match':{'f':'t',}}
          {'match':{'f':'t'},'match':{'f':'t'}}
          {'bool':{'must':[{'match_all':{}},]}}
          """)
  void malformedJsonIsNamedAsSuch(String json) {
    SearchException refusal = refusal(json);
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.error().position()).isNotNull();
    assertThat(refusal.error().type().typeName()).isIn("json_parse_exception", "parsing_exception");
  }

  @Test
  void clausesAreBounded() {
    String leaf = "{'term':{'f':1}}";
    String most = String.join(",", Collections.nCopies(1024, leaf));
    assertThat(parse("{'bool':{'should':[" + most + "]}}")).isInstanceOf(Query.Bool.class);
    SearchException refusal = refusal("{'bool':{'should':[" + most + "," + leaf + "]}}");
    assertThat(refusal.error().type().typeName()).isEqualTo("illegal_argument_exception");
    assertThat(refusal.error().reason()).contains("1024 clauses").contains("[terms]");
  }

  @Test
  void depthIsBounded() {
    int levels = QueryLimits.DEFAULT.depthMax();
    assertThat(parse(nested(levels - 1))).isInstanceOf(Query.Bool.class);
    assertThat(refusal(nested(levels)).error().reason()).contains(levels + " levels");
    assertThat(refusal(nested(100_000)).status()).isEqualTo(400);
  }

  private static String nested(int bools) {
    return "{'bool':{'must':".repeat(bools) + "{'match_all':{}}" + "}}".repeat(bools);
  }

  @Test
  void valuesOfTermsAreBounded() {
    String most = String.join(",", Collections.nCopies(65_536, "1"));
    assertThat(parse("{'terms':{'f':[" + most + "]}}")).isInstanceOf(Query.Terms.class);
    assertThat(refusal("{'terms':{'f':[" + most + ",1]}}").error().reason()).contains("65536");
  }

  @Test
  void bodyOfNothingButAQuery() {
    for (String body : List.of("", "{}", "{'query':{'match_all':{}}}")) {
      assertThat(QueryParser.DEFAULT.parseBody(StrictJson.parser(body.replace('\'', '"'))))
          .isEqualTo(new Query.MatchAll(1, null));
    }
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class,
            () -> QueryParser.DEFAULT.parseBody(StrictJson.parser("{\"size\":1}")));
    assertThat(refusal.error().reason()).isEqualTo("request does not support [size]");
  }
}
