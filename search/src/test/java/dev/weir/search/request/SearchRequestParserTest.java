package dev.weir.search.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.FieldValues;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.Literal;
import dev.weir.search.query.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SearchRequestParserTest {

  private static SearchRequest parse(String json) {
    return parse(json, Map.of());
  }

  private static SearchRequest parse(String json, Map<String, String> parameters) {
    return SearchRequestParser.DEFAULT.parse(
        StrictJson.parser(json.replace('\'', '"')), parameters);
  }

  private static SearchException refusal(String json, Map<String, String> parameters) {
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> parse(json, parameters));
    assertThat(refusal).as(json).isNotNull();
    return refusal;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{'aggs':{},'search_after':null,'highlight':null,'profile':false,'rescore':[],'ext':{}}"
      })
  void nothingSaidIsTheDefault(String body) {
    assertThat(parse(body))
        .usingRecursiveComparison()
        .ignoringFields("extras.trace.textBytes")
        .isEqualTo(SearchRequest.DEFAULT);
  }

  @Test
  void everythingSaid() {
    SearchRequest request =
        parse(
            "{'query':{'match_none':{}},'post_filter':{'exists':{'field':'f'}},'from':5,'size':'7',"
                + "'sort':['f'],'_source':['a','b.*'],'track_total_hits':50,'min_score':0.5,"
                + "'explain':true,'version':true,'seq_no_primary_term':true,'track_scores':true,"
                + "'search_pipeline':'p','timeout':'2s','terminate_after':9,'search_after':['x',3,null],"
                + "'ext':{'rerank':{'query_context':{'query_text':'which'}}},"
                + "'aggs':{'a':{'min':{'field':'f'}}}}");
    assertThat(request)
        .isEqualTo(
            new SearchRequest(
                new Query.MatchNone(1, null),
                new Query.Exists("f", 1, null),
                new SearchRequest.Page(5, 7),
                List.of(SortKey.Field.of("f", SortOrder.ASCENDING)),
                new SourceFilter.Fields(List.of("a", "b.*"), List.of()),
                new TrackTotalHits.UpTo(50),
                0.5f,
                new SearchRequest.HitOptions(
                    /* explain= */ true,
                    /* version= */ true,
                    /* seqNoPrimaryTerm= */ true,
                    /* trackScores= */ true,
                    ShownFields.NONE),
                new PipelineChoice.Named("p"),
                new SearchRequest.Limits(Duration.ofSeconds(2), 9),
                new SearchRequest.Extras(
                    List.of(
                        new SortValue.Text("x"), new SortValue.Whole(3), new SortValue.Absent()),
                    List.of(
                        new Aggregation.Named(
                            "a",
                            new Aggregation.Numbers(Aggregation.Figure.MIN, FieldValues.of("f")),
                            null)),
                    List.of(),
                    null,
                    null,
                    List.of(),
                    new RerankText.Said("which"),
                    new SearchRequest.Trace(
                        SearchRequest.Profiling.OFF,
                        null,
                        SearchRequest.Caching.OF_INDEX,
                        request.extras().trace().textBytes()))));
  }

  @Test
  void theLengthOfItsTextIsKnown() {
    String body = "{'size':0,'_source':['ü']} ";
    assertThat(parse(body).extras().trace().textBytes()).isEqualTo(body.length());
    assertThat(parse(body, Map.of("sort", "n:desc")).extras().trace().textBytes())
        .isEqualTo(body.length() + "n:desc".length());
    byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    assertThat(
            SearchRequestParser.DEFAULT
                .parse(StrictJson.parser(bytes), Map.of())
                .extras()
                .trace()
                .textBytes())
        .isEqualTo(bytes.length);
  }

  @Test
  void sortKeysInAllTheirForms() {
    SearchRequest request =
        parse(
            "{'sort':['_score',{'_doc':'desc'},{'a':'desc','b':{'order':'asc','missing':'_first',"
                + "'mode':'max','unmapped_type':'long','format':'yyyy'}},{'c':{'missing':5}}]}");
    assertThat(request.sort())
        .containsExactly(
            new SortKey.Score(SortOrder.DESCENDING),
            new SortKey.IndexOrder(SortOrder.DESCENDING),
            SortKey.Field.of("a", SortOrder.DESCENDING),
            new SortKey.Field(
                "b",
                SortOrder.ASCENDING,
                new SortKey.Missing.First(),
                SortMode.MAX,
                "long",
                "yyyy",
                null),
            new SortKey.Field(
                "c",
                SortOrder.ASCENDING,
                new SortKey.Missing.As(Literal.of(5)),
                null,
                null,
                null,
                null));
    assertThat(parse("{'sort':{'a':'asc'}}").sort())
        .containsExactly(SortKey.Field.of("a", SortOrder.ASCENDING));
    assertThat(parse("{'sort':'_score'}").sort())
        .containsExactly(new SortKey.Score(SortOrder.DESCENDING));
  }

  @Test
  void sourceInAllItsForms() {
    assertThat(parse("{'_source':true}").source()).isEqualTo(SourceFilter.ALL);
    assertThat(parse("{'_source':false}").source()).isEqualTo(new SourceFilter.Hidden());
    assertThat(parse("{'_source':'a'}").source())
        .isEqualTo(new SourceFilter.Fields(List.of("a"), List.of()));
    for (String ending : List.of("", "s")) {
      assertThat(
              parse("{'_source':{'include" + ending + "':['a'],'exclude" + ending + "':'b'}}")
                  .source())
          .isEqualTo(new SourceFilter.Fields(List.of("a"), List.of("b")));
    }
    assertThat(parse("{'stored_fields':'_none_'}").source()).isEqualTo(new SourceFilter.Hidden());
    assertThat(parse("{'stored_fields':['_source']}").source()).isEqualTo(SourceFilter.ALL);
    assertThat(parse("{'stored_fields':['a'],'_source':true}").source())
        .isEqualTo(SourceFilter.ALL);
  }

  @Test
  void totalsInAllTheirForms() {
    assertThat(parse("{'track_total_hits':true}").trackTotalHits())
        .isEqualTo(new TrackTotalHits.Exact());
    assertThat(parse("{'track_total_hits':false}").trackTotalHits())
        .isEqualTo(new TrackTotalHits.Off());
    assertThat(parse("{'track_total_hits':-1}").trackTotalHits())
        .isEqualTo(new TrackTotalHits.Off());
    assertThat(parse("{'track_total_hits':0}").trackTotalHits())
        .isEqualTo(new TrackTotalHits.UpTo(0));
  }

  @Test
  void pipelineInAllItsForms() {
    assertThat(parse("{'search_pipeline':'_none'}").pipeline())
        .isEqualTo(new PipelineChoice.Without());
    assertThat(parse("{'search_pipeline':{'a':[1,{'b':null}]},'size':3}"))
        .returns(new PipelineChoice.Inline("{\"a\":[1,{\"b\":null}]}"), SearchRequest::pipeline)
        .returns(3, request -> request.page().size());
    assertThat(parse("", Map.of("search_pipeline", "p")).pipeline())
        .isEqualTo(new PipelineChoice.Named("p"));
    assertThat(refusal("{'search_pipeline':'p'}", Map.of("search_pipeline", "p")).error().reason())
        .contains("in the URL and in the body");
  }

  @Test
  void urlParametersWin() {
    Map<String, String> url =
        Map.ofEntries(
            Map.entry("from", "1"),
            Map.entry("size", "2"),
            Map.entry("sort", "a:desc,_score,b"),
            Map.entry("_source_includes", "a,b"),
            Map.entry("_source_excludes", "c"),
            Map.entry("track_total_hits", "true"),
            Map.entry("explain", ""),
            Map.entry("version", "true"),
            Map.entry("seq_no_primary_term", "false"),
            Map.entry("timeout", "-1"),
            Map.entry("search_type", "query_then_fetch"),
            Map.entry("pretty", "true"));
    SearchRequest request =
        parse("{'from':9,'size':9,'sort':'z','timeout':'1s','seq_no_primary_term':true}", url);
    assertThat(request.page()).isEqualTo(new SearchRequest.Page(1, 2));
    assertThat(request.sort())
        .containsExactly(
            SortKey.Field.of("a", SortOrder.DESCENDING),
            new SortKey.Score(SortOrder.DESCENDING),
            SortKey.Field.of("b", SortOrder.ASCENDING));
    assertThat(request.source())
        .isEqualTo(new SourceFilter.Fields(List.of("a", "b"), List.of("c")));
    assertThat(request.trackTotalHits()).isEqualTo(new TrackTotalHits.Exact());
    assertThat(request.hits())
        .isEqualTo(
            new SearchRequest.HitOptions(
                /* explain= */ true,
                /* version= */ true,
                /* seqNoPrimaryTerm= */ false,
                /* trackScores= */ false,
                ShownFields.NONE));
    assertThat(request.limits()).isEqualTo(SearchRequest.Limits.NONE);
  }

  @Test
  void fieldsAreNamesPatternsAndObjects() {
    assertThat(
            parse(
                    "{'fields':['a','b.*',{'field':'d','format':'yyyy'},"
                        + "{'field':'*','include_unmapped':true}],"
                        + "'docvalue_fields':['n',{'field':'d','format':'use_field_mapping'}]}")
                .hits()
                .fields())
        .isEqualTo(
            new ShownFields(
                List.of(
                    ShownField.of("a"),
                    ShownField.of("b.*"),
                    new ShownField("d", "yyyy", ShownField.Unmapped.LEFT_OUT),
                    new ShownField("*", null, ShownField.Unmapped.SHOWN)),
                List.of(ShownField.of("n"), ShownField.of("d"))));
  }

  @Test
  void docValueFieldsOfTheUrlComeOnTop() {
    assertThat(
            parse("{'docvalue_fields':['a']}", Map.of("docvalue_fields", "b,c"))
                .hits()
                .fields()
                .fromDocValues())
        .extracting(ShownField::pattern)
        .containsExactly("a", "b", "c");
  }

  @Test
  void fieldsAreBounded() {
    String thousandAndOne = "'x',".repeat(1000) + "'x'";
    assertThat(refusal("{'fields':[" + thousandAndOne + "]}", Map.of()).error().reason())
        .contains("[fields] has more than 1000 entries; name several fields by one pattern");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'fields':'a'} | parsing_exception | [fields] must be an array of names and objects, found [VALUE_STRING]
          {'fields':{'a':1}} | parsing_exception | [fields] must be an array of names and objects, found [START_OBJECT]
          {'fields':[3]} | parsing_exception | an entry of [fields] must be a name or an object with [field], found [VALUE_NUMBER]
          {'fields':[{'format':'yyyy'}]} | parsing_exception | an entry of [fields] is an object without [field]
          {'fields':[{'field':''}]} | illegal_argument_exception | [fields] has an empty name; name a field or a pattern
          {'docvalue_fields':7} | parsing_exception | [docvalue_fields] must be an array of names and objects, found [VALUE_NUMBER]
          {'fields':[{'field':'a','formt':'b'}]} | x_content_parse_exception | [1:25] [fields] unknown field [formt] did you mean [format]?
          {'docvalue_fields':[{'field':'a','include_unmapped':true}]} | x_content_parse_exception | [1:34] [docvalue_fields] unknown field [include_unmapped]
          {'qeury':{}} | parsing_exception | Unknown key for a START_OBJECT in [qeury]. did you mean [query]?
          {'foo':1} | parsing_exception | Unknown key for a VALUE_NUMBER in [foo].
          {'query':[]} | parsing_exception | Unknown key for a START_ARRAY in [query].
          {'query':{}} | illegal_argument_exception | query malformed, empty clause found
          {'aggs':{'a':{}}} | parsing_exception | Missing definition for aggregation [a]
          {'from':-1} | illegal_argument_exception | [from] parameter cannot be negative but was [-1]
          {'size':-1} | illegal_argument_exception | [size] parameter cannot be negative, found [-1]
          {'size':'x'} | number_format_exception | [search] [size] must be a number, got [x]
          {'size':99999999999} | illegal_argument_exception | [search] [size] must be a 32-bit number, got [99999999999]
          {'size':{}} | parsing_exception | [search] unknown token [START_OBJECT] after [size]
          {'explain':'yes'} | illegal_argument_exception | Failed to parse value [yes] of [explain] as only [true] or [false] are allowed.
          {'sort':{'a':'up'}} | illegal_argument_exception | [sort] order must be [asc] or [desc], got [up]
          {'sort':{'a':{'nested':{}}}} | parsing_exception | [nested] of [sort] requires [path]
          {'sort':{'_score':{'missing':1}}} | parsing_exception | [sort] by [_score] does not support [missing]
          {'timeout':'2 parsecs'} | illegal_argument_exception | failed to parse setting [timeout] with value [2 parsecs] as a time value: it must be a whole number with a unit such as [ms], [s] or [m]
          {'timeout':5} | illegal_argument_exception | failed to parse setting [timeout] with value [5] as a time value: it must be a whole number with a unit such as [ms], [s] or [m]
          {'track_total_hits':-2} | illegal_argument_exception | [track_total_hits] parameter must be positive or equals to -1, got -2
          {'_source':{'only':'a'}} | parsing_exception | Unknown key for a VALUE_STRING in [only].
          {'post_filter':{'hybrid':{'queries':[{'match_all':{}}]}}} | illegal_argument_exception | [hybrid] query must be the top level query; inside another query use [bool] with [should]
          [] | parsing_exception | Expected [START_OBJECT] but found [START_ARRAY] at the start of the body
          {} {} | parsing_exception | unexpected token [START_OBJECT] after the end of the body
          """)
  void refusesNamingWhatIsWrong(String json, String type, String reason) {
    SearchException refusal = refusal(json, Map.of());
    assertThat(refusal.error().reason()).isEqualTo(reason);
    assertThat(refusal.error().type().typeName()).isEqualTo(type);
    assertThat(refusal.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "size, x, Failed to parse int parameter [size] with value [x]",
    "explain, yes, 'Failed to parse value [yes] of [explain] as only [true] or [false] are"
        + " allowed.'",
    "search_type, dfs_query_then_fetch, 'search_type [dfs_query_then_fetch] is not supported; use"
        + " [query_then_fetch]'",
    "track_total_hits, x, Failed to parse int parameter [track_total_hits] with value [x]",
    "sort, a:up, '[sort] order must be [asc] or [desc], got [up]'",
  })
  void refusesParameters(String name, String value, String reason) {
    assertThat(refusal("", Map.of(name, value)).error().reason()).isEqualTo(reason);
  }
}
