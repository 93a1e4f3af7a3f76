package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.mapping.Trait;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each query finds among a few documents, by the type of the field. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryCasesTest {
  private TestIndex index;
  private TestSearches search;

  @BeforeAll
  void write() {
    index = new TestIndex("i", TestIndex.mapping(fields()), 2);
    index.put(
        0,
        "1",
        Map.ofEntries(
            Map.entry("title", "The quick brown fox jumps"),
            Map.entry("body", "foxes are running"),
            Map.entry("tag", List.of("red", "Green")),
            Map.entry("int", 10),
            Map.entry("long", 9007199254740993L),
            Map.entry("float", 0.1f),
            Map.entry("double", 0.1),
            Map.entry("half", 0.1f),
            Map.entry("flag", true),
            Map.entry("day", "2024-01-31T10:00:00Z"),
            Map.entry("slow", 10),
            Map.entry("slowtag", "x"),
            Map.entry("author.name", "ann"),
            Map.entry("v", new float[] {1, 0})));
    index.put(
        0,
        "2",
        Map.of(
            "title",
            "quick brown dogs",
            "tag",
            "blue*",
            "int",
            -3,
            "long",
            -1L,
            "float",
            -0.0f,
            "double",
            2.5,
            "flag",
            false,
            "day",
            "2024-02-01T00:00:00Z",
            "v",
            new float[] {0, 1}));
    index.cut(0);
    index.put(1, "3", Map.of("title", "brown quick", "tag", "GREEN", "int", 2147483647));
    index.put(1, "4", Map.of("body", "a run"));
    search = new TestSearches(index.open());
  }

  private static Map<String, FieldType> fields() {
    Map<String, FieldType> fields = new TreeMap<>();
    fields.put("title", FieldType.Text.DEFAULT);
    fields.put(
        "body",
        new FieldType.Text(
            dev.weir.search.mapping.Analysis.ENGLISH,
            null,
            FieldType.Text.DEFAULT.traits(),
            none()));
    fields.put("tag", FieldType.Keyword.DEFAULT);
    fields.put("int", FieldType.Numeric.of(NumericKind.INTEGER));
    fields.put("long", FieldType.Numeric.of(NumericKind.LONG));
    fields.put("float", FieldType.Numeric.of(NumericKind.FLOAT));
    fields.put("double", FieldType.Numeric.of(NumericKind.DOUBLE));
    fields.put("half", FieldType.Numeric.of(NumericKind.HALF_FLOAT));
    fields.put("flag", FieldType.Bool.DEFAULT);
    fields.put("day", FieldType.DateTime.DEFAULT);
    fields.put(
        "slow", new FieldType.Numeric(NumericKind.INTEGER, null, Set.of(Trait.DOC_VALUES), none()));
    fields.put(
        "slowtag",
        new FieldType.Keyword(
            FieldType.Keyword.NO_IGNORE_ABOVE, null, Set.of(Trait.DOC_VALUES), none()));
    fields.put("author", FieldType.ObjectType.EMPTY.with("name", FieldType.Keyword.DEFAULT));
    fields.put("v", new FieldType.KnnVector(2, SpaceType.COSINE, KnnMethod.DEFAULT));
    return fields;
  }

  private static SortedMap<String, FieldType.Leaf> none() {
    return new TreeMap<>();
  }

  @AfterAll
  void close() {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        // match
        "{'match':{'title':'QUICK fox'}} ~ 1 2 3",
        "{'match':{'title':{'query':'quick fox','operator':'and'}}} ~ 1",
        "{'match':{'title':{'query':'quick fox dogs','minimum_should_match':2}}} ~ 1 2",
        "{'match':{'title':{'query':'quick fox dogs','minimum_should_match':'-1'}}} ~ 1 2",
        "{'match':{'title':{'query':'quack','fuzziness':1}}} ~ 1 2 3",
        "{'match':{'title':{'query':'quack','fuzziness':'AUTO'}}} ~ 1 2 3",
        "{'match':{'title':{'query':'quack','fuzziness':1,'prefix_length':3}}} ~ ",
        "{'match':{'body':'the fox runs'}} ~ 1 4",
        "{'match':{'body':'the'}} ~ ",
        "{'match':{'body':{'query':'the','zero_terms_query':'all'}}} ~ 1 2 3 4",
        "{'match':{'tag':'red'}} ~ 1",
        "{'match':{'tag':'RED'}} ~ ",
        "{'match':{'int':'10'}} ~ 1",
        "{'match':{'int':{'query':'ten','lenient':true}}} ~ ",
        "{'match':{'nowhere':'x'}} ~ ",
        "{'match_phrase':{'title':'quick brown'}} ~ 1 2",
        "{'match_phrase':{'title':{'query':'quick fox','slop':1}}} ~ 1",
        "{'multi_match':{'query':'fox','fields':['title','body^2']}} ~ 1",
        "{'multi_match':{'query':'run','fields':['b*']}} ~ 1 4",
        "{'multi_match':{'query':'red'}} ~ 1",
        "{'multi_match':{'query':'quick brown','type':'phrase','fields':['title']}} ~ 1 2",
        // exact values
        "{'term':{'tag':'green'}} ~ ",
        "{'term':{'tag':{'value':'green','case_insensitive':true}}} ~ 1 3",
        "{'term':{'tag':{'value':'BLUE*','case_insensitive':true}}} ~ 2",
        "{'terms':{'tag':['red','GREEN','none']}} ~ 1 3",
        "{'term':{'int':10}} ~ 1",
        "{'term':{'int':'10'}} ~ 1",
        "{'term':{'int':10.0}} ~ 1",
        "{'term':{'int':10.5}} ~ ",
        "{'term':{'int':99999999999}} ~ ",
        "{'terms':{'int':[10,-3,0.5]}} ~ 1 2",
        "{'term':{'long':9007199254740993}} ~ 1",
        "{'term':{'long':9007199254740992}} ~ ",
        "{'term':{'float':0.1}} ~ 1",
        "{'term':{'float':0}} ~ 2",
        "{'terms':{'float':[0,7]}} ~ 2",
        "{'terms':{'double':[0.1,2.5]}} ~ 1 2",
        "{'term':{'half':0.1}} ~ 1",
        "{'term':{'flag':true}} ~ 1",
        "{'term':{'flag':'false'}} ~ 2",
        "{'terms':{'flag':[true,false]}} ~ 1 2",
        "{'term':{'day':'2024-01-31'}} ~ 1",
        "{'terms':{'day':['2024-01-31','2024-02-01T00:00:00Z']}} ~ 1 2",
        "{'term':{'slow':10}} ~ 1",
        "{'term':{'slowtag':'x'}} ~ 1",
        "{'term':{'_id':'3'}} ~ 3",
        "{'terms':{'_index':['i','j']}} ~ 1 2 3 4",
        "{'term':{'_index':'j'}} ~ ",
        "{'ids':{'values':['4','1','9']}} ~ 1 4",
        "{'term':{'author.name':'ann'}} ~ 1",
        "{'term':{'author':'ann'}} ~ ",
        // ranges
        "{'range':{'int':{'gte':-3,'lt':10}}} ~ 2",
        "{'range':{'int':{'gt':-3}}} ~ 1 3",
        "{'range':{'int':{'gt':9.5,'lte':10.5}}} ~ 1",
        "{'range':{'int':{'gte':'9','lt':1e300}}} ~ 1 3",
        "{'range':{'int':{'gt':2147483647}}} ~ ",
        "{'range':{'int':{'lt':-1e300}}} ~ ",
        "{'range':{'int':{'gt':1e-999999,'lt':11}}} ~ 1",
        "{'range':{'float':{'gt':0.1}}} ~ ",
        "{'range':{'float':{'gte':0}}} ~ 1 2",
        "{'range':{'float':{'gt':0}}} ~ 1",
        "{'range':{'double':{'gt':0.1}}} ~ 2",
        "{'range':{'tag':{'gte':'blue','lt':'c'}}} ~ 2",
        "{'range':{'flag':{'gt':false}}} ~ 1",
        "{'range':{'flag':{'lt':true}}} ~ 2",
        "{'range':{'flag':{'lte':true}}} ~ 1 2",
        "{'range':{'day':{'lte':'2024-01'}}} ~ 1",
        "{'range':{'day':{'gt':'2024-01'}}} ~ 2",
        "{'range':{'day':{'gte':'2024-02-01||-1d/d','lt':'2024-02-01'}}} ~ 1",
        "{'range':{'day':{'gte':'31/01/2024','format':'dd/MM/yyyy','lt':'01/02/2024'}}} ~ 1",
        "{'range':{'day':{'gte':'2024-02-01','time_zone':'+01:00'}}} ~ 2",
        "{'range':{'day':{'lt':'now-1d/d'}}} ~ ",
        "{'range':{'slow':{'gte':10}}} ~ 1",
        "{'range':{'nowhere':{'gte':10}}} ~ ",
        // forms of terms
        "{'prefix':{'tag':'bl'}} ~ 2",
        "{'prefix':{'tag':{'value':'gr','case_insensitive':true}}} ~ 1 3",
        "{'wildcard':{'tag':'?e*'}} ~ 1",
        "{'wildcard':{'tag':'blue\\\\*'}} ~ 2",
        "{'wildcard':{'tag':{'value':'?r*N','case_insensitive':true}}} ~ 1 3",
        // existence
        "{'exists':{'field':'title'}} ~ 1 2 3",
        "{'exists':{'field':'flag'}} ~ 1 2",
        "{'exists':{'field':'v'}} ~ 1 2",
        "{'exists':{'field':'author'}} ~ 1",
        "{'exists':{'field':'nowhere'}} ~ ",
        "{'exists':{'field':'_id'}} ~ 1 2 3 4",
        // compounds
        "{'bool':{'must_not':{'exists':{'field':'flag'}}}} ~ 3 4",
        "{'bool':{'filter':{'term':{'tag':'red'}},'should':{'term':{'int':-3}}}} ~ 1",
        "{'bool':{'should':[{'term':{'tag':'red'}},{'term':{'int':-3}}]}} ~ 1 2",
        "{'bool':{}} ~ 1 2 3 4",
        "{'constant_score':{'filter':{'term':{'tag':'red'}}}} ~ 1",
        "{'dis_max':{'queries':[{'term':{'tag':'red'}},{'term':{'int':-3}}]}} ~ 1 2",
        "{'boosting':{'positive':{'exists':{'field':'flag'}},'negative':{'term':{'flag':true}},"
            + "'negative_boost':0.5}} ~ 1 2",
        "{'match_none':{}} ~ ",
        // vectors: k counts on each shard
        "{'knn':{'v':{'vector':[1,0.1],'k':1}}} ~ 1",
        "{'knn':{'v':{'vector':[1,0.1],'k':1,'filter':{'term':{'flag':false}}}}} ~ 2",
        "{'knn':{'v':{'vector':[1,0.1],'min_score':0.9}}} ~ 1",
        "{'knn':{'v':{'vector':[1,0.1],'max_distance':0.9}}} ~ 1",
        "{'knn':{'v':{'vector':[1,0.1],'max_distance':1}}} ~ 1 2",
        "{'knn':{'nowhere':{'vector':[1],'k':1,'ignore_unmapped':true}}} ~ ",
      })
  void finds(String query, String ids) {
    List<String> found =
        search.ids("i", "{'query':%s}".formatted(query).replace('\'', '"')).stream()
            .sorted()
            .toList();
    assertThat(found).isEqualTo(ids == null ? List.of() : List.of(ids.split(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{'term':{'int':'ten'}} ~ ten",
        "{'match':{'int':'ten'}} ~ ten",
        "{'range':{'int':{'gte':'ten'}}} ~ ten",
        "{'term':{'float':1e300}} ~ finite",
        "{'wildcard':{'tag':'*a????????????????????????????????????????'}} ~ too complex",
        "{'term':{'flag':'maybe'}} ~ maybe",
        "{'term':{'day':'soon'}} ~ soon",
        "{'range':{'day':{'gte':'2024','time_zone':'Mars'}}} ~ Mars",
        "{'range':{'day':{'gte':'2024','format':'QQQQQQQ'}}} ~ format",
        "{'term':{'v':1}} ~ knn_vector",
        "{'prefix':{'int':'1'}} ~ int",
        "{'prefix':{'slowtag':'1'}} ~ not indexed",
        "{'match':{'title':{'query':'x','analyzer':'none'}}} ~ none",
        "{'knn':{'v':{'vector':[1,2,3],'k':1}}} ~ dimension: 3",
        "{'knn':{'v':{'vector':[0,0],'k':1}}} ~ zero vector",
        "{'knn':{'title':{'vector':[1,2],'k':1}}} ~ text",
        "{'knn':{'nowhere':{'vector':[1,2],'k':1}}} ~ unmapped",
        "{'knn':{'v':{'vector':[1,2],'min_score':1.5}}} ~ min_score",
        "{'knn':{'v':{'vector':[1,2],'max_distance':-1}}} ~ max_distance",
      })
  void refuses(String query, String reason) {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class,
            () -> search.ids("i", "{'query':%s}".formatted(query).replace('\'', '"')));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.error().type().typeName()).isEqualTo("search_phase_execution_exception");
    assertThat(refusal.error().causedBy()).isNotNull();
    assertThat(Stream.of(TestSearches.json(refusal::write)))
        .allMatch(json -> json.contains("\"query_shard_exception\"") && json.contains(reason));
  }

  @ParameterizedTest
  @CsvSource({"L2, 0.990099", "COSINE, 0.9994805", "INNER_PRODUCT, 4.1"})
  void aVectorScoresByItsSpace(SpaceType space, float score) {
    try (TestIndex vectors =
        new TestIndex(
            "v",
            TestIndex.mapping(Map.of("v", new FieldType.KnnVector(3, space, KnnMethod.DEFAULT))),
            1)) {
      vectors.put(0, "1", Map.of("v", new float[] {1, 1, 1}), "{}");
      SearchResponse response =
          new TestSearches(vectors.open())
              .search("v", "{\"query\":{\"knn\":{\"v\":{\"vector\":[1.1,1,1],\"k\":1}}}}");
      assertThat(response.maxScore()).isCloseTo(score, org.assertj.core.data.Offset.offset(1e-5f));
    }
  }
}
