package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.Hit;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.request.SortValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Places in documents, queries on them, and what refusals say: as requests have it. */
final class GeoSearchTest {

  private final NestedIndex index =
      new NestedIndex(
          """
          {"at": {"type": "geo_point"}, "text": {"type": "text"},
           "scan": {"type": "geo_point", "index": false},
           "tree": {"type": "geo_point", "doc_values": false},
           "any": {"type": "geo_point", "ignore_malformed": true, "null_value": "1,1"},
           "flat": {"type": "geo_point", "ignore_z_value": false},
           "o": {"properties": {"at": {"type": "geo_point"}}},
           "v": {"type": "knn_vector", "dimension": 1}}\
          """);

  /** London, Paris, Berlin, and two islands on either side of the date line. */
  private void cities() {
    put("london", "51.5074,-0.1278", 1);
    put("paris", "48.8566,2.3522", 2);
    put("berlin", "52.52,13.405", 3);
    index.refresh();
    put("fiji", "-17.7,178.1", 4);
    put("samoa", "-13.8,-172.1", 5);
    index.put("nowhere", "{\"text\":\"sea\",\"v\":[0]}");
  }

  private void put(String id, String at, int v) {
    String place = "\"" + at + "\"";
    index.put(
        id,
        "{\"at\":"
            + place
            + ",\"scan\":"
            + place
            + ",\"tree\":"
            + place
            + ",\"o\":{\"at\":"
            + place
            + "},\"text\":\"land\",\"v\":["
            + v
            + "]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'geo_distance':{'distance':'400km','at':{'lat':51.5,'lon':0}}}                    | london, paris
          {'geo_distance':{'distance':'400km','at':'51.5,0'}}                                | london, paris
          {'geo_distance':{'distance':400,'unit':'km','at':[0,51.5]}}                        | london, paris
          {'geo_distance':{'distance':400000,'at':'POINT (0 51.5)','distance_type':'plane'}} | london, paris
          {'geo_distance':{'distance':'215nmi','at':'gcpvj'}}                                | london, paris
          {'geo_distance':{'distance':'1200km','at':'-15,180'}}                              | fiji, samoa
          {'geo_distance':{'distance':'1200km','at':'-15,540','validation_method':'COERCE'}} | fiji, samoa
          {'geo_distance':{'distance':'400km','scan':'51.5,0'}}                              | london, paris
          {'geo_distance':{'distance':'400km','tree':'51.5,0'}}                              | london, paris
          {'geo_distance':{'distance':'400km','o.at':'51.5,0'}}                              | london, paris
          {'geo_distance':{'distance':'9km','none':'1,2','ignore_unmapped':true}}            | ``
          {'geo_bounding_box':{'at':{'top_left':'53,-1','bottom_right':'48,3'}}}             | london, paris
          {'geo_bounding_box':{'at':{'top_left':[-1,53],'bottom_right':{'lat':48,'lon':3}}}} | london, paris
          {'geo_bounding_box':{'at':{'top_right':'53,3','bottom_left':'48,-1'}}}             | london, paris
          {'geo_bounding_box':{'at':{'top':53,'left':-1,'bottom':48,'right':3}}}             | london, paris
          {'geo_bounding_box':{'at':{'wkt':'BBOX (-1, 3, 53, 48)'},'type':'indexed'}}        | london, paris
          {'geo_bounding_box':{'at':{'top_left':'u3','bottom_right':'u3'}}}                  | berlin
          {'geo_bounding_box':{'at':{'top':0,'left':170,'bottom':-20,'right':-170}}}         | fiji, samoa
          {'geo_bounding_box':{'scan':{'top':0,'left':170,'bottom':-20,'right':-170}}}       | fiji, samoa
          {'geo_bounding_box':{'at':{'top':90,'left':-180,'bottom':0,'right':180}}}          | berlin, london, paris
          {'geo_bounding_box':{'at':{'top':90,'left':0,'bottom':0,'right':360},'validation_method':'coerce'}} | berlin, london, paris
          {'geo_polygon':{'at':{'points':['53,-1','53,3','48,3','48,-1']}}}                  | london, paris
          {'geo_polygon':{'at':{'points':[[-1,53],{'lat':53,'lon':3},'48,3','48,-1','53,-1']}}} | london, paris
          {'geo_polygon':{'scan':{'points':['53,-1','53,3','47,3']}}}                        | paris
          {'exists':{'field':'at'}}                                                          | berlin, fiji, london, paris, samoa
          {'exists':{'field':'tree'}}                                                        | berlin, fiji, london, paris, samoa
          {'exists':{'field':'o'}}                                                           | berlin, fiji, london, paris, samoa
          {'bool':{'must_not':{'exists':{'field':'scan'}}}}                                  | nowhere
          {'knn':{'v':{'vector':[0],'k':2,'filter':{'geo_bounding_box':{'at':{'top':0,'left':170,'bottom':-20,'right':-170}}}}}} | fiji, samoa
          {'bool':{'must':{'knn':{'v':{'vector':[9],'k':2}}},'filter':{'geo_distance':{'distance':'400km','at':'51.5,0'}}}} | london, paris
          {'hybrid':{'queries':[{'match':{'text':'land'}},{'knn':{'v':{'vector':[0],'k':1}}}],'filter':{'geo_distance':{'distance':'100km','at':'52.5,13.4'}}}} | berlin
          """)
  void findsPlacesInAreas(String query, String found) {
    cities();
    assertThat(String.join(", ", index.ids(query))).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'geo_distance':{'distance':'1km','at':'91,0'}}            | illegal latitude value [91.0]
          {'geo_distance':{'distance':'1km','at':'0,181'}}           | illegal longitude value [181.0]
          {'geo_distance':{'distance':'1km','at':'a,b'}}             | failed to parse [geo_distance] of field [at]: latitude must be a number, got [a,b]
          {'geo_distance':{'distance':'1km','at':{'lat':1}}}         | got [{lat=1}]
          {'geo_distance':{'distance':'1km','at':['1,2','3,4']}}     | one geo point is needed, got 2
          {'geo_distance':{'distance':'1km','at':null}}              | got null
          {'geo_distance':{'distance':'0km','at':'1,2'}}             | [distance] must be above 0
          {'geo_distance':{'distance':'-1km','at':'1,2'}}            | not negative, got [-1km]
          {'geo_distance':{'distance':'1 lightyear','at':'1,2'}}     | No matching unit to [lightyear]
          {'geo_distance':{'at':'1,2'}}                              | requires a [distance]
          {'geo_distance':{'distance':'1km'}}                        | requires a field
          {'geo_distance':{'distance':'1km','at':'1,2','scan':'1,2'}} | multiple fields, found [at] and [scan]
          {'geo_distance':{'distance':'1km','at':'1,2','distance_type':'straight'}} | [distance_type] must be [arc] or [plane]
          {'geo_distance':{'distance':'1km','at':'1,2','validation_method':'lax'}} | [validation_method] must be one of
          {'geo_distance':{'distance':'1km','text':'1,2'}}           | field [text] is of type [text] and not [geo_point]
          {'geo_distance':{'distance':'1km','none':'1,2'}}           | failed to find geo field [none]
          {'geo_bounding_box':{'at':{'top_left':'1,2'}}}             | [bottom] is missing
          {'geo_bounding_box':{'at':{'top':1,'top_left':'1,2','bottom_right':'0,3'}}} | says a side twice
          {'geo_bounding_box':{'at':{'top_left':'1,2','bottom_right':'3,4'}}} | top is below bottom corner: 1.0 vs. 3.0
          {'geo_bounding_box':{'at':{'wkt':'BBOX (1,2)'}}}           | must be BBOX (west, east, north, south)
          {'geo_bounding_box':{'at':{'corner':1}}}                   | does not support [corner]
          {'geo_bounding_box':{'at':'1,2'}}                          | unknown token
          {'geo_bounding_box':{'at':{'top':1,'left':1,'bottom':0,'right':2},'type':'disk'}} | must be [memory] or [indexed]
          {'geo_polygon':{'at':{'points':['1,2','3,4']}}}            | needs 3 different ones, got 2
          {'geo_polygon':{'at':{'points':['1,2','3,4','95,6']}}}     | illegal latitude value [95.0]
          {'geo_polygon':{'at':{'ring':[]}}}                         | does not support [ring]
          {'term':{'at':'1,2'}}                                      | use [geo_distance]
          {'range':{'at':{'gte':1}}}                                 | use [geo_distance]
          {'match':{'at':'1,2'}}                                     | use [geo_distance]
          {'function_score':{'gauss':{'at':{'origin':'1,2','scale':'x'}}}} | [scale] must be a distance
          {'function_score':{'gauss':{'at':{'scale':'1km'}}}}        | needs an [origin]
          {'function_score':{'gauss':{'at':{'origin':'99,2','scale':'1km'}}}} | illegal latitude value [99.0]
          """)
  void whatIsNoAreaIsRefusedWith400(String query, String reason) {
    cities();
    assertThatThrownBy(() -> index.ids(query))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(TestSearches.json(out -> e.error().write(out)).replace("\\\"", "\""))
                  .contains(reason);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'_geo_distance':{'at':'51.5,0','unit':'km'}}                     | london, paris, berlin, samoa, fiji, nowhere
          {'_geo_distance':{'at':'51.5,0','order':'desc'}}                  | nowhere, fiji, samoa, berlin, paris, london
          {'_geo_distance':{'at':[[13.4,52.5],[2.3,48.8]],'mode':'min'}}    | berlin, paris, london, samoa, fiji, nowhere
          {'_geo_distance':{'at':['52.5,13.4','40.4,-3.7'],'mode':'max','distance_type':'plane'}} | paris, london, berlin, samoa, fiji, nowhere
          {'_geo_distance':{'none':'1,2','ignore_unmapped':true}}           | london, paris, berlin, fiji, samoa, nowhere
          """)
  void sortsByDistance(String sort, String order) {
    cities();
    List<String> ids =
        index.search("{\"sort\":[" + NestedIndex.json(sort) + ",\"_doc\"]}").hits().stream()
            .map(Hit::id)
            .toList();
    assertThat(String.join(", ", ids)).isEqualTo(order);
  }

  @Test
  void sortValuesAreDistancesInTheUnitAndPagesGoOnBehindThem() {
    cities();
    String sort = "\"sort\":{\"_geo_distance\":{\"at\":\"51.5074,-0.1278\",\"unit\":\"km\"}}";
    List<Hit> hits = index.search("{" + sort + "}").hits();
    assertThat(((SortValue.Fraction) hits.get(1).sort().getFirst()).value())
        .isCloseTo(343.5, within(1.0)); // London to Paris
    assertThat(hits.getLast().sort().getFirst())
        .isEqualTo(new SortValue.Fraction(Double.POSITIVE_INFINITY));
    List<String> behind =
        index.search("{" + sort + ",\"search_after\":[343.9]}").hits().stream()
            .map(Hit::id)
            .toList();
    assertThat(behind).startsWith("berlin").endsWith("nowhere").hasSize(4);
    assertThat(index.search("{" + sort + ",\"search_after\":[\"Infinity\"]}").hits()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'_geo_distance':{'unit':'km'}}                        | requires a field
          {'_geo_distance':{'at':'1,2','scan':'1,2'}}            | names two fields
          {'_geo_distance':{'at':'99,2'}}                        | illegal latitude value [99.0]
          {'_geo_distance':{'at':[]}}                            | geo points are needed, got 0
          {'_geo_distance':{'at':'1,2','mode':'sum'}}            | sort_mode [sum] isn't supported
          {'_geo_distance':{'at':'1,2','nested':{'path':'c'}}}   | does not support [nested]
          {'_geo_distance':{'text':'1,2'}}                       | is of type [text] and not [geo_point]
          {'_geo_distance':{'none':'1,2'}}                       | failed to find geo field [none]
          {'_geo_distance':{'tree':'1,2'}}                       | keeps no doc values
          '_geo_distance'                                        | must be an object
          {'at':'asc'}                                           | sort by [_geo_distance]
          """)
  void whatCannotBeSortedByIsRefusedWith400(String sort, String reason) {
    cities();
    assertThatThrownBy(() -> index.search("{\"sort\":[" + NestedIndex.json(sort) + "]}"))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(TestSearches.json(out -> e.error().write(out))).contains(reason);
            });
  }

  @ParameterizedTest
  @CsvSource({"gauss,0.5", "exp,0.5", "linear,0.5"})
  void scoresFallWithTheDistance(String curve, double atScale) {
    index.put("here", "{\"at\":\"0,0\"}");
    index.put("near", "{\"at\":[0.5,0]}"); // within the offset
    index.put("there", "{\"at\":\"0,3\"}");
    index.put("both", "{\"at\":[\"0,3\",\"0,0\"]}"); // the nearer one counts
    index.put("nowhere", "{\"text\":\"sea\"}");
    double degree = 111_195.08; // of the equator of a sphere
    List<Hit> hits =
        index
            .search(
                NestedIndex.json(
                    "{'query':{'function_score':{'"
                        + curve
                        + "':{'at':{'origin':{'lat':0,'lon':0},'offset':'"
                        + degree
                        + "m','scale':'"
                        + 2 * degree
                        + "'}}}}}"))
            .hits();
    for (Hit hit : hits) {
      Float score = hit.score();
      assertThat(score == null ? -1.0 : score.doubleValue())
          .as(hit.id())
          .isCloseTo(hit.id().equals("there") ? atScale : 1, within(1e-4));
    }
    assertThat(hits).hasSize(5);
  }

  // -- documents

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'at':'95,0'}        | failed to parse field [at] of type [geo_point] in document with id 'x'. Preview of field's value: '95.0,0.0' | illegal latitude value [95.0]
          {'at':[0,-95]}       | Preview of field's value: '-95.0,0.0' | illegal latitude value [-95.0]
          {'at':['1,2','b a']} | Preview of field's value: 'b a'       | unsupported symbol
          {'at':{'lat':1}}     | Preview of field's value: '{lat=1}'   | a geo point is
          {'at':7}             | Preview of field's value: '7'         | a geo point is
          {'flat':[1,2,3]}     | Preview of field's value: '[1,2,3]'   | third coordinate
          {'o':{'at':true}}    | failed to parse field [o.at]          | a geo point is
          """)
  void aPlaceThatIsNoneIsRefusedWithFieldAndValue(String document, String reason, String cause) {
    WriteResult result =
        index
            .engine
            .bulk("{\"index\":{\"_index\":\"books\",\"_id\":\"x\"}}", NestedIndex.json(document))
            .getFirst();
    assertThat(result)
        .isInstanceOfSatisfying(
            WriteResult.Failed.class,
            failed -> {
              assertThat(failed.error().status()).isEqualTo(400);
              assertThat(failed.error().error().reason()).contains(reason);
              assertThat(failed.error().error().root().reason()).contains(cause);
            });
  }

  @Test
  void whatIsMalformedIsLeftOutWhereTheFieldSaysSoAndNullStandsForItsValue() {
    index.put(
        "some",
        NestedIndex.json("{'any':['95,0',{'x':[1]},'7,7',[1],{'lat':1,'lon':{}}],'text':'a'}"));
    index.put("none", NestedIndex.json("{'any':'somewhere','text':'a'}"));
    index.put("null", NestedIndex.json("{'any':null,'text':'a'}"));
    assertThat(index.ids("{'exists':{'field':'any'}}")).containsExactly("null", "some");
    assertThat(index.ids("{'geo_distance':{'distance':'1km','any':'7,7'}}"))
        .containsExactly("some");
    assertThat(index.ids("{'geo_distance':{'distance':'1km','any':'1,1'}}"))
        .containsExactly("null");
    assertThat(index.ids("{'match':{'text':'a'}}")).containsExactly("none", "null", "some");
  }

  @Test
  void aDocumentWithSeveralPlacesIsFoundByEach() {
    index.put("two", NestedIndex.json("{'at':[[0,50],{'lat':10,'lon':10}]}"));
    assertThat(index.ids("{'geo_distance':{'distance':'1km','at':'50,0'}}")).containsExactly("two");
    assertThat(index.ids("{'geo_distance':{'distance':'1km','at':'10,10'}}"))
        .containsExactly("two");
    assertThat(index.ids("{'geo_distance':{'distance':'1km','at':'30,5'}}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'geo_point','null_value':'x,1'}   | Error parsing [null_value] on field [p]: latitude must be a number, got [x,1]
          {'type':'geo_point','null_value':[0,95]}  | illegal latitude value [95.0]
          {'type':'geo_point','coerce':true}        | unknown parameter [coerce] on mapper [p] of type [geo_point]
          {'type':'geo_point','fields':{}}          | unknown parameter [fields] on mapper [p] of type [geo_point]
          {'type':'long','ignore_z_value':true}     | unknown parameter [ignore_z_value] on mapper [p] of type [long]
          """)
  void mappingsThatDoNotFitAreRefused(String type, String reason) {
    assertThatThrownBy(
            () ->
                index.engine.create(
                    "other",
                    "{\"mappings\":{\"properties\":{\"p\":" + NestedIndex.json(type) + "}}}"))
        .isInstanceOfSatisfying(
            SearchException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(e.error().reason()).contains(reason);
            });
  }
}
