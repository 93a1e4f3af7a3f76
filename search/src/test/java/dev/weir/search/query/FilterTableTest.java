package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Boosting;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.DisMax;
import dev.weir.search.query.Query.Exists;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.Ids;
import dev.weir.search.query.Query.Match;
import dev.weir.search.query.Query.MatchAll;
import dev.weir.search.query.Query.MatchNone;
import dev.weir.search.query.Query.MatchPhrase;
import dev.weir.search.query.Query.MultiMatch;
import dev.weir.search.query.Query.Prefix;
import dev.weir.search.query.Query.Range;
import dev.weir.search.query.Query.Term;
import dev.weir.search.query.Query.Terms;
import dev.weir.search.query.Query.Wildcard;
import dev.weir.search.query.VectorSearch.Knn;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a filter does to each kind of query: whole trees, with boosts and names of their own. */
final class FilterTableTest {

  private static final Query F = new Term("f", Literal.of("x"), LetterCase.SENSITIVE, 3, "added");
  private static final Query G = new Term("g", Literal.of("y"), LetterCase.SENSITIVE, 4, "own");
  private static final Query LEAF =
      new Match("title", Literal.of("shoes"), MatchOptions.DEFAULT, 2, "leaf");
  private static final Knn KNN = knn(null);

  private static Knn knn(@Nullable Query filter) {
    return new Knn(
        "vector",
        QueryVector.of(1, 2),
        new KnnExtent.Nearest(7),
        filter,
        new KnnOptions(
            80,
            null,
            new Rescore.Oversample(2),
            /* ignoreUnmapped= */ true,
            KnnOptions.NestedDocs.BEST,
            OuterFilters.INSIDE),
        2.5f,
        "near");
  }

  private static Bool bool(List<Query> must, List<Query> filter) {
    return new Bool(must, filter, List.of(), List.of(), null, 5, "bool");
  }

  private static Query and(Query query) {
    return query.filteredBy(F, FilterMode.AND);
  }

  @Test
  void noFilterIsTheSameInstance() {
    for (Query query : List.of(LEAF, KNN, bool(List.of(LEAF), List.of(G)))) {
      for (FilterMode mode : FilterMode.values()) {
        assertThat(query.filteredBy(null, mode)).isSameAs(query);
      }
    }
  }

  @Test
  void anyLeafGoesIntoABoolBesideTheFilter() {
    List<Query> leaves =
        List.of(
            LEAF,
            new MatchAll(2, "n"),
            new MatchNone(2, "n"),
            new MatchPhrase("t", Literal.of("a b"), 1, "english", ZeroTerms.ALL, 2, "n"),
            new MultiMatch(
                Literal.of("a"),
                List.of(new WeightedField("t", 2)),
                MultiMatchType.PHRASE,
                0.5f,
                MatchOptions.DEFAULT,
                2,
                "n"),
            G,
            new Terms("t", List.of(Literal.of(1)), 2, "n"),
            new Range("t", null, null, RangeOptions.DEFAULT, 2, "n"),
            new Exists("t", 2, "n"),
            new Ids(List.of("1"), 2, "n"),
            new Query.Geo(
                "p",
                new GeoArea.Circle(new GeoPoint(1, 2), 5_000),
                /* ignoreUnmapped= */ true,
                2,
                "n"),
            new Prefix("t", "a", LetterCase.IGNORED, 2, "n"),
            new Wildcard("t", "a*", LetterCase.SENSITIVE, 2, "n"));
    for (Query leaf : leaves) {
      assertThat(and(leaf))
          .isEqualTo(
              new Bool(
                  List.of(leaf), List.of(F), List.of(), List.of(), null, Query.NO_BOOST, null));
    }
  }

  private static Query.Nested nested(Query query, @Nullable Query filter) {
    NestedOptions options =
        new NestedOptions(NestedOptions.ScoreMode.MAX, /* ignoreUnmapped= */ true, null);
    return new Query.Nested("c", query, filter, options, 2, "inside");
  }

  @Test
  void nestedWithoutAVectorSearchGoesIntoABoolBesideTheFilter() {
    Query nested = nested(LEAF, null);
    for (PushDown reach : PushDown.values()) {
      assertThat(nested.filteredBy(F, FilterMode.AND, reach))
          .isEqualTo(Bool.of(List.of(nested), List.of(F)));
    }
  }

  @Test
  void aVectorSearchInTheFilterOfNestedGetsItInside() {
    for (PushDown reach : new PushDown[] {PushDown.VECTORS, PushDown.DEEP}) {
      assertThat(nested(LEAF, KNN).filteredBy(F, FilterMode.AND, reach))
          .isEqualTo(nested(LEAF, knn(F)));
      assertThat(nested(LEAF, knn(G)).filteredBy(F, FilterMode.AND, reach))
          .isEqualTo(nested(LEAF, knn(Bool.of(List.of(G), List.of(F)))));
      assertThat(nested(LEAF, nested(LEAF, KNN)).filteredBy(F, FilterMode.AND, reach))
          .isEqualTo(nested(LEAF, nested(LEAF, knn(F))));
    }
    assertThat(nested(LEAF, KNN).filteredBy(F, FilterMode.AND, PushDown.SHALLOW))
        .isEqualTo(Bool.of(List.of(nested(LEAF, KNN)), List.of(F)));
    assertThat(nested(LEAF, KNN).filteredBy(F, FilterMode.IGNORE_IF_EXISTS))
        .isEqualTo(nested(LEAF, KNN));
  }

  @Test
  void nestedAroundAVectorSearchGetsItForTheDocumentsAround() {
    Query deep = bool(List.of(nested(KNN, null)), List.of());
    assertThat(and(nested(KNN, null))).isEqualTo(nested(KNN, F));
    assertThat(and(nested(deep, null))).isEqualTo(nested(deep, F));
    assertThat(and(nested(KNN, G))).isEqualTo(nested(KNN, Bool.of(List.of(G), List.of(F))));
    assertThat(nested(KNN, G).filteredBy(F, FilterMode.IGNORE_IF_EXISTS)).isEqualTo(nested(KNN, G));
    assertThat(and(deep)).isEqualTo(bool(List.of(nested(KNN, F)), List.of(F)));
    assertThat(nested(KNN, null).filteredBy(F, FilterMode.AND, PushDown.SHALLOW))
        .isEqualTo(Bool.of(List.of(nested(KNN, null)), List.of(F)));
  }

  @Test
  void whatABoolRequiresBesideNestedIsHandedDownToIt() {
    Query inside = bool(List.of(KNN, LEAF), List.of());
    assertThat(bool(List.of(nested(inside, null)), List.of(F)).withOwnFilters())
        .isEqualTo(bool(List.of(nested(inside, F)), List.of(F)));
  }

  @Test
  void whatABoolInsideNestedRequiresStaysWhereItIsAskedOfTheNestedDocuments() {
    Query nested = nested(bool(List.of(KNN, LEAF), List.of(G)), null);
    assertThat(nested.withOwnFilters()).isEqualTo(nested);
    Query deeper = nested(bool(List.of(nested(KNN, null), LEAF), List.of()), null);
    assertThat(deeper.withOwnFilters()).isEqualTo(deeper);
  }

  @Test
  void boolGetsItAsOneMoreFilterClause() {
    Bool bool =
        new Bool(List.of(LEAF), List.of(G), List.of(LEAF), List.of(G), minimum("1"), 5, "bool");
    assertThat(and(bool))
        .isEqualTo(
            new Bool(
                List.of(LEAF), List.of(G, F), List.of(LEAF), List.of(G), minimum("1"), 5, "bool"));
  }

  @Test
  void boolFilteredTwiceStaysFlat() {
    assertThat(and(and(LEAF))).isEqualTo(Bool.of(List.of(LEAF), List.of(F, F)));
  }

  @Test
  void boolOfShouldAloneKeepsRequiringOne() {
    assertThat(and(should(null))).isEqualTo(filteredShould("1"));
    assertThat(and(should("0"))).isEqualTo(filteredShould("1"));
    assertThat(and(should("30%"))).isEqualTo(filteredShould("1"));
    assertThat(and(should("-100%"))).isEqualTo(filteredShould("1"));
    assertThat(and(should("2"))).isEqualTo(filteredShould("2"));
    assertThat(and(should("75%"))).isEqualTo(filteredShould("75%"));
  }

  private static Bool should(@Nullable String minimum) {
    return new Bool(
        List.of(), List.of(), List.of(LEAF, G), List.of(G), minimum(minimum), 5, "bool");
  }

  private static Bool filteredShould(String minimum) {
    return new Bool(
        List.of(), List.of(F), List.of(LEAF, G), List.of(G), minimum(minimum), 5, "bool");
  }

  private static @Nullable MinimumShouldMatch minimum(@Nullable String text) {
    return text == null ? null : new MinimumShouldMatch(text);
  }

  @Test
  void shouldBesideARequiredClauseStaysOptional() {
    Bool bool = new Bool(List.of(G), List.of(), List.of(LEAF), List.of(), null, 5, "bool");
    assertThat(and(bool))
        .isEqualTo(new Bool(List.of(G), List.of(F), List.of(LEAF), List.of(), null, 5, "bool"));
  }

  @Test
  void emptyBoolKeepsTheScoreOfEveryDocument() {
    Bool empty = bool(List.of(), List.of());
    assertThat(and(empty)).isEqualTo(bool(List.of(new MatchAll(Query.NO_BOOST, null)), List.of(F)));
  }

  @Test
  void constantScoreHandsItOnAndKeepsBoostAndName() {
    assertThat(and(new ConstantScore(LEAF, 1.2f, "constant")))
        .isEqualTo(new ConstantScore(Bool.of(List.of(LEAF), List.of(F)), 1.2f, "constant"));
    assertThat(and(new ConstantScore(KNN, 1.2f, "constant")))
        .isEqualTo(new ConstantScore(knn(F), 1.2f, "constant"));
  }

  @Test
  void constantScoreOfWhatDoesNotChangeIsTheSameInstance() {
    Query constant = new ConstantScore(knn(G), 1.2f, "constant");
    assertThat(constant.filteredBy(F, FilterMode.IGNORE_IF_EXISTS)).isSameAs(constant);
  }

  @Test
  void knnTakesItInside() {
    assertThat(and(KNN)).isEqualTo(knn(F));
  }

  @Test
  void knnCombinesItWithItsOwnFilterByTheSameTable() {
    assertThat(and(knn(G))).isEqualTo(knn(Bool.of(List.of(G), List.of(F))));
    assertThat(and(knn(bool(List.of(), List.of(G)))))
        .isEqualTo(knn(bool(List.of(), List.of(G, F))));
    assertThat(and(knn(should(null)))).isEqualTo(knn(filteredShould("1")));
  }

  @Test
  void hybridHandsItToEveryQuery() {
    Query hybrid =
        new Hybrid(List.of(LEAF, KNN, bool(List.of(LEAF), List.of(G))), 20, List.of(), 1, "hybrid");
    assertThat(and(hybrid))
        .isEqualTo(
            new Hybrid(
                List.of(
                    Bool.of(List.of(LEAF), List.of(F)), knn(F), bool(List.of(LEAF), List.of(G, F))),
                20,
                List.of(),
                1,
                "hybrid"));
  }

  @Test
  void boolThatContainsVectorSearchesHandsItToThemToo() {
    Query inner = new ConstantScore(KNN, 2, "inner");
    Bool bool = new Bool(List.of(inner), List.of(KNN), List.of(LEAF), List.of(KNN), null, 5, "b");
    assertThat(and(bool))
        .isEqualTo(
            new Bool(
                List.of(new ConstantScore(knn(F), 2, "inner")),
                List.of(knn(F), F),
                List.of(LEAF),
                List.of(knn(F)),
                null,
                5,
                "b"));
  }

  @Test
  void disMaxThatContainsVectorSearchesHandsItToThemToo() {
    assertThat(and(new DisMax(List.of(LEAF, KNN), 0.5f, 5, "dis_max")))
        .isEqualTo(
            Bool.of(List.of(new DisMax(List.of(LEAF, knn(F)), 0.5f, 5, "dis_max")), List.of(F)));
  }

  @Test
  void boostingThatContainsVectorSearchesHandsItToThemToo() {
    assertThat(and(new Boosting(KNN, KNN, 0.5f, 5, "boosting")))
        .isEqualTo(Bool.of(List.of(new Boosting(knn(F), knn(F), 0.5f, 5, "boosting")), List.of(F)));
  }

  @Test
  void functionScoreThatContainsVectorSearchesHandsItToThemToo() {
    assertThat(and(functionScore(KNN, KNN)))
        .isEqualTo(Bool.of(List.of(functionScore(knn(F), knn(F))), List.of(F)));
    assertThat(shallow(functionScore(KNN, KNN)))
        .isEqualTo(Bool.of(List.of(functionScore(KNN, KNN)), List.of(F)));
    Query wrapped = Bool.of(List.of(LEAF), List.of(F));
    assertThat(functionScore(KNN, LEAF).filteredBy(F, FilterMode.AND, PushDown.DEEP))
        .isEqualTo(Bool.of(List.of(functionScore(knn(F), wrapped)), List.of(F)));
  }

  private static Query functionScore(Query query, Query filter) {
    return new Query.FunctionScore(
        query,
        List.of(
            new ScoreFunction(filter, new ScoreShape.One(), 3f),
            new ScoreFunction(null, new ScoreShape.Random("7", "number"), null)),
        new FunctionCombination(ScoreMode.SUM, BoostMode.REPLACE, 9),
        0.5f,
        5,
        "function_score");
  }

  @Test
  void scriptScoreThatContainsVectorSearchesHandsItToThemToo() {
    assertThat(and(scriptScore(KNN))).isEqualTo(Bool.of(List.of(scriptScore(knn(F))), List.of(F)));
    assertThat(and(scriptScore(LEAF))).isEqualTo(Bool.of(List.of(scriptScore(LEAF)), List.of(F)));
  }

  private static Query scriptScore(Query query) {
    return new Query.ScriptScore(query, new ScoreScript.Constant(2), 0.5f, 5, "script_score");
  }

  @Test
  void withoutVectorSearchesInsideNothingInsideChanges() {
    DisMax disMax = new DisMax(List.of(LEAF, bool(List.of(LEAF), List.of())), 0.5f, 5, "dis_max");
    Bool filtered = (Bool) and(disMax);
    assertThat(filtered).isEqualTo(Bool.of(List.of(disMax), List.of(F)));
    assertThat(filtered.must().getFirst()).isSameAs(disMax);
  }

  @Test
  void shallowStopsAfterOneLevel() {
    assertThat(shallow(KNN)).isEqualTo(knn(F));
    assertThat(shallow(bool(List.of(KNN), List.of()))).isEqualTo(bool(List.of(KNN), List.of(F)));
    assertThat(shallow(new DisMax(List.of(KNN), 0, 5, "d")))
        .isEqualTo(Bool.of(List.of(new DisMax(List.of(KNN), 0, 5, "d")), List.of(F)));
    assertThat(shallow(new ConstantScore(KNN, 2, "c")))
        .isEqualTo(new ConstantScore(knn(F), 2, "c"));
  }

  private static Query shallow(Query query) {
    return query.filteredBy(F, FilterMode.AND, PushDown.SHALLOW);
  }

  @Test
  void deepReachesEveryInnerQuery() {
    Query query =
        new Bool(
            List.of(new DisMax(List.of(LEAF, KNN), 0, 5, "d")),
            List.of(),
            List.of(bool(List.of(), List.of(G))),
            List.of(),
            null,
            5,
            "b");
    Query wrapped = Bool.of(List.of(LEAF), List.of(F));
    assertThat(query.filteredBy(F, FilterMode.AND, PushDown.DEEP))
        .isEqualTo(
            new Bool(
                List.of(
                    Bool.of(List.of(new DisMax(List.of(wrapped, knn(F)), 0, 5, "d")), List.of(F))),
                List.of(F),
                List.of(bool(List.of(), List.of(Bool.of(List.of(G), List.of(F)), F))),
                List.of(),
                null,
                5,
                "b"));
  }

  @Test
  void modeOrMeetsTheOwnFilter() {
    Query either = new Bool(List.of(), List.of(), List.of(G, F), List.of(), minimum("1"), 1, null);
    assertThat(or(knn(G))).isEqualTo(knn(either));
    assertThat(or(bool(List.of(LEAF), List.of(G)))).isEqualTo(bool(List.of(LEAF), List.of(either)));
    assertThat(or(bool(List.of(LEAF), List.of(G, LEAF))))
        .isEqualTo(
            bool(
                List.of(LEAF),
                List.of(
                    new Bool(
                        List.of(),
                        List.of(),
                        List.of(Bool.of(List.of(), List.of(G, LEAF)), F),
                        List.of(),
                        minimum("1"),
                        1,
                        null))));
  }

  private static Query or(Query query) {
    return query.filteredBy(F, FilterMode.OR);
  }

  @Test
  void modeOrAndIgnoreAddItWhereThereIsNoFilter() {
    for (FilterMode mode : List.of(FilterMode.OR, FilterMode.IGNORE_IF_EXISTS)) {
      for (Query query : List.of(LEAF, KNN, bool(List.of(KNN), List.of()), should(null))) {
        assertThat(query.filteredBy(F, mode)).isEqualTo(and(query));
      }
    }
  }

  @Test
  void modeIgnoreLeavesAFilterAlone() {
    for (Query query : List.of(knn(G), bool(List.of(KNN), List.of(G)))) {
      assertThat(query.filteredBy(F, FilterMode.IGNORE_IF_EXISTS)).isSameAs(query);
    }
  }

  @Test
  void belowTheOutermostLevelTheFilterAlwaysHolds() {
    // The bool has no filter, so the added one restricts its hits; the search inside would starve
    // if its own filter were the only one it knew.
    Query query = bool(List.of(knn(G)), List.of());
    assertThat(query.filteredBy(F, FilterMode.IGNORE_IF_EXISTS))
        .isEqualTo(bool(List.of(knn(Bool.of(List.of(G), List.of(F)))), List.of(F)));
  }

  @Test
  void hybridIsNeverInsideAnotherQuery() {
    Query hybrid = new Hybrid(List.of(LEAF), null, List.of(), 1, null);
    assertThatThrownBy(() -> Bool.of(List.of(hybrid), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> knn(hybrid)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Hybrid(List.of(hybrid), null, List.of(), 1, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> and(LEAF.filteredBy(hybrid, FilterMode.AND)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
