package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.SearchSettings;
import dev.weir.search.execute.Slicing;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.vector.VectorSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code fields} and {@code docvalue_fields} show of documents, type by type. */
final class HitFieldsTest {

  private final NestedIndex index =
      new NestedIndex(
          json(
              """
              {'text':{'type':'text','fields':{'raw':{'type':'keyword','ignore_above':5}}},
               'key':{'type':'keyword','ignore_above':5,'null_value':'none'},
               'byte':{'type':'byte'},'long':{'type':'long','null_value':7},
               'double':{'type':'double','ignore_malformed':true},'float':{'type':'float'},
               'half':{'type':'half_float'},
               'flag':{'type':'boolean'},'day':{'type':'date','format':'dd/MM/uuuu||epoch_second'},
               'time':{'type':'date'},
               'at':{'type':'geo_point','ignore_malformed':true},
               'v':{'type':'knn_vector','dimension':2},
               'bits':{'type':'knn_vector','dimension':16,'data_type':'binary',
                       'space_type':'hamming'},
               'bare':{'type':'keyword','doc_values':false},
               'o':{'properties':{'k':{'type':'keyword'},'n':{'type':'integer'}}},
               'off':{'type':'object','enabled':false},
               'loose':{'dynamic':false,'properties':{'k':{'type':'keyword'}}},
               'c':{'type':'nested','properties':{'k':{'type':'keyword'},'t':{'type':'text'},
                    'd':{'type':'nested','properties':{'n':{'type':'integer'}}}}}}\
              """));

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private JsonNode answer(String body) {
    return JsonMapper.shared().readTree(TestSearches.json(index.search(json(body))::write));
  }

  private String fields(String body) {
    return answer("{'_source':false," + body + "}").at("/hits/hits/0/fields").toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'text':'Red Fox'}                  | 'text'      | {'text':['Red Fox']}
          {'text':['a',['b'],null,3,true]}    | 'text'      | {'text':['a','b','3','true']}
          {'text':['short','too long']}       | 'text*'     | {'text':['short','too long'],'text.raw':['short']}
          {'key':['b','a','longer','b']}      | 'key'       | {'key':['b','a','b']}
          {'key':null}                        | 'key'       | {'key':['none']}
          {'key':1.50}                        | 'key'       | {'key':['1.50']}
          {'byte':['3',4.9]}                  | 'byte'      | {'byte':[3,4]}
          {'long':[9007199254740993,null,'']} | 'long'      | {'long':[9007199254740993,7,7]}
          {'double':[1,'2.5','x']}            | 'double'    | {'double':[1.0,2.5]}
          {'float':[0.1]}                     | 'float'     | {'float':[0.1]}
          {'half':[0.5]}                      | 'half'      | {'half':[0.5]}
          {'flag':[true,'false','']}          | 'flag'      | {'flag':[true,false,false]}
          {'day':['05/06/2024',0]}            | 'day'       | {'day':['05/06/2024','01/01/1970']}
          {'day':'05/06/2024'}                | {'field':'day','format':'epoch_millis'} | {'day':['1717545600000']}
          {'time':1717545600000}              | 'time'      | {'time':['2024-06-05T00:00:00.000Z']}
          {'time':'2024-06-05T01:00:00+01:00'} | {'field':'time','format':'yyyy/MM/dd HH'} | {'time':['2024/06/05 00']}
          {'time':'2024-06-05'}               | {'field':'t*me','format':'use_field_mapping'} | {'time':['2024-06-05T00:00:00.000Z']}
          {'at':'1,2'}                        | 'at'        | {'at':[{'coordinates':[2.0,1.0],'type':'Point'}]}
          {'at':[[2,1],'!','3,4',[9,99]]}     | {'field':'at','format':'wkt'} | {'at':['POINT (2.0 1.0)','POINT (4.0 3.0)']}
          {'at':[2,1]}                        | {'field':'at','format':'geojson'} | {'at':[{'coordinates':[2.0,1.0],'type':'Point'}]}
          {'v':[0.10,2]}                      | 'v'         | {'v':[0.10,2]}
          {'v':'zczMPQAAAEA='}                | 'v'         | {'v':[0.1,2.0]}
          {'bits':[1,-2]}                     | 'bits'      | {'bits':[1,-2]}
          {'bare':'x'}                        | 'bare'      | {'bare':['x']}
          {'o':[{'k':'a','n':1},{'k':'b'}],'o.k':'c'} | 'o.*' | {'o.k':['a','b','c'],'o.n':[1]}
          {'o':{'k':'a'}}                     | 'o'         |
          {'o':{'k':'a'}}                     | 'nope','_id','_source' |
          {'c':[{'k':['a','b'],'t':'x'},{'t':'y'},{'k':'z','d':{'n':[1,2]}}]} | 'c.k','c.d.n' | {'c':[{'k':['a','b']},{'d':[{'n':[1,2]}],'k':['z']}]}
          {'off':{'a':[1.10,{'b':'x'}],'n':null}} | 'off*' |
          {'off':{'a':[1.10,{'b':true}],'n':null}} | {'field':'off.*','include_unmapped':true} | {'off.a':[1.10],'off.a.b':[true]}
          {'loose':{'k':'a','x':'b'},'o':{'k':'c'}} | {'field':'*','include_unmapped':true} | {'loose.k':['a'],'loose.x':['b'],'o.k':['c']}
          {'loose':{'k':'a','x':'b'}}         | {'field':'loose.k','include_unmapped':true} | {'loose.k':['a']}
          """)
  void valuesOfTheSource(String document, String asked, String shown) {
    index.put("1", json(document));
    assertThat(fields("'fields':[" + asked + "]"))
        .isEqualTo(shown == null ? "" : exact(json(shown)));
  }

  /** Numbers as Jackson prints them after reading; digits beyond that are looked at below. */
  private static String exact(String shown) {
    return JsonMapper.shared().readTree(shown).toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'key':['b','a','longer','b']} | 'key'      | {'key':['a','b']}
          {'text':'short'}               | 'text.raw' | {'text.raw':['short']}
          {'long':[3,-4]}                | 'long'     | {'long':[-4,3]}
          {'long':[3]}                   | {'field':'long','format':'000.0'} | {'long':['003.0']}
          {'double':[2.5,-1]}            | 'double'   | {'double':[-1.0,2.5]}
          {'double':2.567}               | {'field':'double','format':'#.0'} | {'double':['2.6']}
          {'float':0.1}                  | 'float'    | {'float':[0.1]}
          {'half':0.5}                   | 'half'     | {'half':[0.5]}
          {'flag':[true,false]}          | 'flag'     | {'flag':[false,true]}
          {'day':'05/06/2024'}           | 'day'      | {'day':['05/06/2024']}
          {'day':'05/06/2024'}           | {'field':'day','format':'yyyy'} | {'day':['2024']}
          {'at':'0,0'}                   | 'at'       | {'at':['0.0, 0.0']}
          {'key':'a','text':'x','v':[1,2]} | '*'      | {'key':['a'],'text.raw':['x']}
          {'key':'a'}                    | 'nope','long' |
          {'c':{'k':'a'}}                | 'c.k'      |
          """)
  void docValues(String document, String asked, String shown) {
    index.put("1", json(document));
    assertThat(fields("'docvalue_fields':[" + asked + "]"))
        .isEqualTo(shown == null ? "" : exact(json(shown)));
  }

  @Test
  void digitsOfVectorsAndUnmappedNumbersStay() {
    index.put("1", json("{'v':[0.10,1e0],'off':{'n':123456789012345678901234567890.10}}"));
    String answer =
        TestSearches.json(
            index.search(
                    json("{'_source':false,'fields':['v',{'field':'*','include_unmapped':true}]}"))
                ::write);
    assertThat(answer)
        .contains("\"fields\":{\"off.n\":[123456789012345678901234567890.10],\"v\":[0.10,1e0]}");
  }

  @Test
  void ofAFieldThatBothNameTheSourceIsShown() {
    index.put("1", json("{'long':[3,1,3]}"));
    assertThat(fields("'fields':['long'],'docvalue_fields':['long']"))
        .isEqualTo(json("{'long':[3,1,3]}"));
  }

  @Test
  void innerHitsNameTheirFieldsByTheWholePath() {
    index.put("1", json("{'c':[{'k':'a','t':'x'},{'k':'b','t':'x','d':[{'n':1},{'n':2}]}]}"));
    JsonNode hits =
        answer(
                "{'query':{'nested':{'path':'c','query':{'match':{'c.t':'x'}},'inner_hits':{"
                    + "'sort':'c.k','stored_fields':'_none_','docvalue_fields':['c.k'],"
                    + "'fields':['c.t','c.d.n']}}}}")
            .at("/hits/hits/0/inner_hits/c/hits/hits");
    assertThat(hits.at("/0/fields").toString()).isEqualTo(json("{'c.k':['a'],'c.t':['x']}"));
    assertThat(hits.at("/1/fields").toString())
        .isEqualTo(json("{'c.d':[{'n':[1]},{'n':[2]}],'c.k':['b'],'c.t':['x']}"));
    assertThat(hits.at("/0/_source").isMissingNode()).isTrue();
  }

  @Test
  void topHitsAndGroupsShowFieldsToo() {
    index.put("1", json("{'key':'a','long':1,'day':'05/06/2024'}"));
    index.put("2", json("{'key':'a','long':2,'day':'06/06/2024'}"));
    JsonNode found =
        answer(
            "{'sort':'long','docvalue_fields':['long'],'collapse':{'field':'key','inner_hits':{"
                + "'sort':'long','fields':[{'field':'day','format':'dd'}]}},'aggs':{'t':{'top_hits':{"
                + "'sort':'long','fields':['day'],'docvalue_fields':['key'],"
                + "'stored_fields':'_none_'}}}}");
    assertThat(found.at("/hits/hits/0/fields").toString())
        .isEqualTo(json("{'key':['a'],'long':[1]}"));
    assertThat(found.at("/hits/hits/0/inner_hits/key/hits/hits/1/fields").toString())
        .isEqualTo(json("{'day':['06']}"));
    JsonNode top = found.at("/aggregations/t/hits/hits/1");
    assertThat(top.at("/fields").toString()).isEqualTo(json("{'day':['06/06/2024'],'key':['a']}"));
    assertThat(top.at("/_source").isMissingNode()).isTrue();
  }

  @Test
  void aCollapsedHitShowsTheFormatThatWasAskedFor() {
    index.put("1", json("{'long':5}"));
    assertThat(
            fields(
                "'collapse':{'field':'long'},"
                    + "'docvalue_fields':[{'field':'long','format':'00'}]"))
        .isEqualTo(json("{'long':['05']}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'docvalue_fields':['text'] | [docvalue_fields] can't show the field [text] of type [text], which keeps no doc values; ask for it in [fields], which reads the source, or name a keyword field
          'docvalue_fields':['v']    | [docvalue_fields] can't show the field [v] of type [knn_vector], which keeps no doc values; ask for it in [fields], which reads the source
          'docvalue_fields':['bare'] | can't show the field [bare] of type [keyword], which keeps no doc values
          'docvalue_fields':[{'field':'key','format':'x'}]   | Field [key] of type [keyword] doesn't support formats; leave [format] out, it is [x]
          'docvalue_fields':[{'field':'long','format':'#.#.#'}] | [format] of the number field [long] is a decimal pattern such as [0.00], not [#.#.#]
          'docvalue_fields':[{'field':'day','format':'bogus'}] | [format] of the date field [day] can't be read: Invalid format: [bogus]
          'fields':[{'field':'long','format':'0'}]           | Field [long] of type [long] doesn't support formats
          'fields':[{'field':'day','format':'bogus'}]        | [format] of the date field [day] can't be read: Invalid format: [bogus]
          'fields':[{'field':'at','format':'wkb'}]           | [format] of the geo_point field [at] is [geojson] or [wkt], not [wkb]
          'collapse':{'field':'key','inner_hits':{'docvalue_fields':['v']}} | can't show the field [v] of type [knn_vector]
          """)
  void whatCanNotBeShownIsRefusedWithoutAHitToo(String asked, String reason) {
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> index.search(json("{" + asked + "}")));
    assertThat(refusal).as(asked).isNotNull();
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(JsonMapper.shared().readTree(TestSearches.json(refusal::write)).toString())
        .contains(reason);
  }

  @Test
  void aFormatWithoutRoomForADateIsRefused() {
    index.put("1", json("{'day':'05/06/2024'}"));
    for (String clause : new String[] {"fields", "docvalue_fields"}) {
      SearchException refusal =
          catchThrowableOfType(
              SearchException.class,
              () -> index.search(json("{'" + clause + "':[{'field':'day','format':'pD'}]}")));
      assertThat(refusal.status()).isEqualTo(400);
      assertThat(refusal.error().reason())
          .contains("[format] [pD] can't show a value of the date field [day]");
    }
  }

  @Test
  void theNumberOfDocValueFieldsIsBounded() {
    index.put("1", json("{'key':'a'}"));
    SearchSettings two =
        new SearchSettings(10_000, 100, null, 5, 2, VectorSettings.DEFAULT, Slicing.DEFAULT);
    assertThat(index.search(json("{'docvalue_fields':['key','long']}"), two).hits()).hasSize(1);
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> index.search(json("{'docvalue_fields':['*']}"), two));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(TestSearches.json(refusal::write))
        .contains(
            "Trying to retrieve too many docvalue_fields. Must be less than or equal to: [2] but"
                + " was [")
        .contains("[index.max_docvalue_fields_search]");
  }

  @Test
  void valuesFromBeforeAFieldWasMappedAreShownWhereTheyFit() {
    index.put("1", json("{'loose':{'x':[{'y':1},'a',5],'z':'b','u':[[1,'q'],{'r':2}],'w':7}}"));
    index.engine.await(
        index.engine.indices.putMapping(
            NestedIndex.NAME,
            JsonMapper.shared()
                .readTree(
                    json(
                        "{'properties':{'loose':{'properties':{'x':{'type':'integer'},"
                            + "'w':{'type':'nested'},'z':{'properties':{'k':{'type':'keyword'}}},"
                            + "'u':{'type':'knn_vector','dimension':2}}}}}"))));
    assertThat(fields("'fields':['*','loose.z.k']"))
        .isEqualTo(json("{'loose.u':[1],'loose.x':[5]}"));
  }
}
