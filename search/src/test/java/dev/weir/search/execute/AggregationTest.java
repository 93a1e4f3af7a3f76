package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.aggregation.result.ResultWriter;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shape of answers, on five documents in two shards. */
class AggregationTest {
  private final TestIndex index =
      new TestIndex(
          "i",
          TestIndex.mapping(
              Map.of(
                  "brand",
                  FieldType.Keyword.DEFAULT,
                  "title",
                  FieldType.Text.DEFAULT,
                  "price",
                  FieldType.Numeric.of(NumericKind.DOUBLE),
                  "stock",
                  FieldType.Numeric.of(NumericKind.LONG),
                  "sold",
                  FieldType.Bool.DEFAULT,
                  "day",
                  FieldType.DateTime.DEFAULT)),
          2);
  private TestSearches search = new TestSearches();

  @BeforeEach
  void write() {
    put(
        0,
        "1",
        shoe("salomon", "trail shoe", 100, 3),
        Map.of("sold", true, "day", "2024-01-31T23:30:00Z"));
    put(
        1,
        "2",
        shoe("asics", "trail shoe", 80, 5),
        Map.of("sold", false, "day", "2024-02-10T00:00:00Z"));
    put(
        0,
        "3",
        shoe("salomon", "road shoe", 120, 0),
        Map.of("sold", true, "day", "2024-04-01T00:00:00Z"));
    put(
        1,
        "4",
        shoe("hoka", "trail running shoe", 150, 3),
        Map.of("sold", false, "day", "2024-04-02T00:00:00Z"));
    index.put(1, "5", Map.of("title", "nothing else"));
    search = new TestSearches(index.open());
  }

  private static Map<String, Object> shoe(String brand, String title, double price, long stock) {
    return Map.of("brand", brand, "title", title, "price", price, "stock", stock);
  }

  private void put(int shard, String id, Map<String, Object> shoe, Map<String, Object> sale) {
    Map<String, Object> fields = new HashMap<>(shoe);
    fields.putAll(sale);
    index.put(shard, id, fields, "{\"id\":" + id + "}");
  }

  @AfterEach
  void close() {
    index.close();
  }

  private String answer(String aggregation) {
    return answer(aggregation, ResultWriter.Names.PLAIN, "{\"match_all\":{}}");
  }

  private String answer(String aggregation, ResultWriter.Names names, String query) {
    String body =
        "{\"size\":0,\"query\":"
            + query
            + ",\"aggs\":{\"a\":"
            + aggregation.replace('\'', '"')
            + "}}";
    String whole =
        TestSearches.json(
            out ->
                search
                    .search("i", body)
                    .write(out, new SearchResponse.Form(SearchResponse.TotalForm.OBJECT, names)));
    return whole
        .substring(whole.indexOf("\"aggregations\":") + 15, whole.length() - 1)
        .replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{'terms':{'field':'brand'}} ~"
            + " {'a':{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,"
            + "'buckets':[{'key':'salomon','doc_count':2},{'key':'asics','doc_count':1},"
            + "{'key':'hoka','doc_count':1}]}}",
        "{'terms':{'field':'brand','size':1,'missing':'none','order':{'p':'desc'}},"
            + "'aggs':{'p':{'max':{'field':'price'}}}} ~"
            + " {'a':{'doc_count_error_upper_bound':0,'sum_other_doc_count':4,"
            + "'buckets':[{'key':'hoka','doc_count':1,'p':{'value':150.0}}]}}",
        "{'terms':{'field':'brand','include':'[as].*','exclude':['asics']}} ~"
            + " {'a':{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,"
            + "'buckets':[{'key':'salomon','doc_count':2}]}}",
        "{'terms':{'field':'stock','order':{'_key':'desc'}}} ~"
            + " {'a':{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,"
            + "'buckets':[{'key':5,'doc_count':1},{'key':3,'doc_count':2},{'key':0,'doc_count':1}]}}",
        "{'terms':{'field':'sold'}} ~"
            + " {'a':{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,"
            + "'buckets':[{'key_as_string':'false','key':0,'doc_count':2},"
            + "{'key_as_string':'true','key':1,'doc_count':2}]}}",
        "{'avg':{'field':'price','missing':50}} ~ {'a':{'value':100.0}}",
        "{'max':{'field':'day'},'meta':{'x':[1]}} ~"
            + " {'a':{'meta':{'x':[1]},'value':1.7120160E12,'value_as_string':'2024-04-02T00:00:00.000Z'}}",
        "{'min':{'field':'nowhere'}} ~ {'a':{'value':null}}",
        "{'stats':{'field':'stock'}} ~ {'a':{'count':4,'min':0.0,'max':5.0,'avg':2.75,'sum':11.0}}",
        "{'value_count':{'field':'brand'}} ~ {'a':{'value':4}}",
        "{'cardinality':{'field':'brand'}} ~ {'a':{'value':3}}",
        "{'range':{'field':'price','ranges':[{'from':100,'key':'dear'},{'to':100}]}} ~"
            + " {'a':{'buckets':[{'key':'*-100.0','to':100.0,'doc_count':1},"
            + "{'key':'dear','from':100.0,'doc_count':3}]}}",
        "{'range':{'field':'price','keyed':true,'ranges':[{'to':100}]}} ~"
            + " {'a':{'buckets':{'*-100.0':{'to':100.0,'doc_count':1}}}}",
        "{'histogram':{'field':'price','interval':50}} ~"
            + " {'a':{'buckets':[{'key':50.0,'doc_count':1},"
            + "{'key':100.0,'doc_count':2},{'key':150.0,'doc_count':1}]}}",
        "{'histogram':{'field':'stock','interval':2,'offset':1,'extended_bounds':{'min':-3,'max':8}}}"
            + " ~ {'a':{'buckets':[{'key':-3.0,'doc_count':0},{'key':-1.0,'doc_count':1},"
            + "{'key':1.0,'doc_count':0},{'key':3.0,'doc_count':2},{'key':5.0,'doc_count':1},"
            + "{'key':7.0,'doc_count':0}]}}",
        "{'date_histogram':{'field':'day','calendar_interval':'month','format':'yyyy-MM'}} ~"
            + " {'a':{'buckets':[{'key_as_string':'2024-01','key':1704067200000,'doc_count':1},"
            + "{'key_as_string':'2024-02','key':1706745600000,'doc_count':1},"
            + "{'key_as_string':'2024-03','key':1709251200000,'doc_count':0},"
            + "{'key_as_string':'2024-04','key':1711929600000,'doc_count':2}]}}",
        "{'date_histogram':{'field':'day','calendar_interval':'quarter','time_zone':'Europe/Berlin','keyed':true}}"
            + " ~ {'a':{'buckets':{'2024-01-01T00:00:00.000+01:00':{'key_as_string':"
            + "'2024-01-01T00:00:00.000+01:00','key':1704063600000,'doc_count':2},"
            + "'2024-04-01T00:00:00.000+02:00':{'key_as_string':'2024-04-01T00:00:00.000+02:00',"
            + "'key':1711922400000,'doc_count':2}}}}",
        "{'date_histogram':{'field':'day','fixed_interval':'60d','min_doc_count':1}} ~"
            + " {'a':{'buckets':[{'key_as_string':'2024-01-18T00:00:00.000Z','key':1705536000000,"
            + "'doc_count':2},{'key_as_string':'2024-03-18T00:00:00.000Z','key':1710720000000,'doc_count':2}]}}",
        "{'filter':{'term':{'brand':'hoka'}},'aggs':{'p':{'sum':{'field':'price'}}}} ~"
            + " {'a':{'doc_count':1,'p':{'value':150.0}}}",
        "{'filters':{'filters':[{'match':{'title':'trail'}},{'match':{'title':'road'}}]}} ~"
            + " {'a':{'buckets':[{'doc_count':3},{'doc_count':1}]}}",
        "{'filters':{'other_bucket_key':'rest','filters':{'trail':{'match':{'title':'trail'}}}}} ~"
            + " {'a':{'buckets':{'trail':{'doc_count':3},'rest':{'doc_count':2}}}}",
        "{'missing':{'field':'brand'}} ~ {'a':{'doc_count':1}}",
      })
  void answersInTheShapeOfTheApi(String aggregation, String expected) {
    assertThat(answer(aggregation)).isEqualTo(expected.replace("1.7120160E12", "1.712016E12"));
  }

  @Test
  void globalSeesWhatTheQueryDoesNot() {
    String both = "{'global':{},'aggs':{'n':{'value_count':{'field':'price'}}}}";
    assertThat(answer(both, ResultWriter.Names.PLAIN, "{\"term\":{\"brand\":\"hoka\"}}"))
        .isEqualTo("{'a':{'doc_count':5,'n':{'value':4}}}");
  }

  @Test
  void topHitsShowTheBestOfEachBucket() {
    assertThat(
            answer(
                "{'terms':{'field':'sold'},'aggs':{'best':{'top_hits':{'size':1,'sort':[{'price':'desc'}],"
                    + "'_source':['id']}}}}"))
        .isEqualTo(
            "{'a':{'doc_count_error_upper_bound':0,'sum_other_doc_count':0,'buckets':["
                + "{'key_as_string':'false','key':0,'doc_count':2,'best':{'hits':{'total':{'value':2,"
                + "'relation':'eq'},'max_score':null,'hits':[{'_index':'i','_id':'4','_score':null,"
                + "'_source':{'id':4},'sort':[150.0]}]}}},"
                + "{'key_as_string':'true','key':1,'doc_count':2,'best':{'hits':{'total':{'value':2,"
                + "'relation':'eq'},'max_score':null,'hits':[{'_index':'i','_id':'3','_score':null,"
                + "'_source':{'id':3},'sort':[120.0]}]}}}]}}");
    assertThat(
            answer(
                "{'top_hits':{'size':1,'from':1,'_source':false}}",
                ResultWriter.Names.PLAIN,
                "{\"constant_score\":{\"filter\":{\"match\":{\"title\":\"trail\"}},\"boost\":2}}"))
        .isEqualTo(
            "{'a':{'hits':{'total':{'value':3,'relation':'eq'},'max_score':2.0,'hits':["
                + "{'_index':'i','_id':'2','_score':2.0}]}}}");
  }

  @Test
  void namesCarryTheKindOfAnswerWhereAskedFor() {
    List<String> names = new ArrayList<>();
    for (String aggregation :
        List.of(
            "{'terms':{'field':'brand'}}",
            "{'terms':{'field':'stock'}}",
            "{'terms':{'field':'price'}}",
            "{'terms':{'field':'nowhere'}}",
            "{'avg':{'field':'price'}}",
            "{'date_histogram':{'field':'day','calendar_interval':'1M'}}")) {
      String typed = answer(aggregation, ResultWriter.Names.TYPED, "{\"match_all\":{}}");
      names.add(typed.substring(2, typed.indexOf("':")));
    }
    assertThat(names)
        .containsExactly(
            "sterms#a", "lterms#a", "dterms#a", "umterms#a", "avg#a", "date_histogram#a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{'terms':{'field':'title'}} ~ keyword or number",
        "{'avg':{'field':'brand'}} ~ not supported for aggregation [avg]",
        "{'terms':{'field':'_id'}} ~ _id",
        "{'terms':{'field':'stock','include':'a.*'}} ~ Use an array",
        "{'terms':{'field':'brand','order':{'x':'asc'}}} ~ order path [x]",
        "{'terms':{'field':'brand','order':{'s':'asc'}},'aggs':{'s':{'stats':{'field':'price'}}}} ~"
            + " one of [min",
        "{'terms':{'field':'brand','script':'x'}} ~ unknown field [script]",
        "{'terms':{}} ~ field",
        "{'terms':{'field':'brand','size':0}} ~ greater than 0",
        "{'percentiles':{'field':'price'}} ~ Unknown aggregation type [percentiles]",
        "{'avg':{'field':'price'},'aggs':{'x':{'avg':{'field':'price'}}}} ~ sub-aggregations",
        "{'filter':{'match_all':{}},'aggs':{'g':{'global':{}}}} ~ top level",
        "{'histogram':{'field':'price','interval':0}} ~ must be >0",
        "{'histogram':{'field':'price','interval':0.0001}} ~ too many buckets",
        // each of the inner ones is within the bound, all of them are not
        "{'terms':{'field':'brand'},'aggs':{'h':{'histogram':{'field':'price','interval':1,"
            + "'min_doc_count':0,'extended_bounds':{'min':0,'max':40000}}}}} ~ too many buckets",
        "{'top_hits':{'from':2147483647}} ~ at most 10000",
        "{'date_histogram':{'field':'day'}} ~ calendar_interval",
        "{'date_histogram':{'field':'day','calendar_interval':'2d'}} ~ one unit",
        "{'date_histogram':{'field':'day','fixed_interval':'1M'}} ~ fixed_interval",
        "{'range':{'field':'price','ranges':[]}} ~ No [ranges]",
        "{'min':{'field':'price'},'max':{'field':'price'}} ~ two aggregation",
        "{} ~ Missing definition",
      })
  void whatCannotBeDoneIsRefused(String aggregation, String reason) {
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> answer(aggregation));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(TestSearches.json(refusal::write)).containsIgnoringCase(reason);
  }

  /** 256 filters inside 256 filters are buckets whatever is in them. */
  @Test
  void moreBucketsThanAnAnswerMayHaveAreRefusedBeforeTheyAreCollected() {
    String filters =
        "'filters':{'filters':[" + "{'match_all':{}},".repeat(255) + "{'match_all':{}}]}";
    assertThatThrownBy(() -> answer("{" + filters + ",'aggs':{'f':{" + filters + "}}}"))
        .isInstanceOfSatisfying(
            SearchException.class, refused -> assertThat(refused.status()).isEqualTo(400))
        .hasMessageContaining("but was [65792] of filters and ranges alone");
  }
}
