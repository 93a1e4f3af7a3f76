package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.query.Query.MatchAll;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.Query.Term;
import dev.weir.search.query.VectorLeg.Restriction;
import dev.weir.search.query.VectorSearch.Knn;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who asked for the filters of a vector search, told from the tree that is carried out. */
final class FilterOriginsTest {
  private static final Query OWN = term("own");
  private static final Query COMMON = term("common");
  private static final Query ALIAS = term("alias");
  private static final Query AROUND = term("around");

  private static final FilterOrigins ORIGINS =
      new FilterOrigins()
          .and(FilterOrigin.HYBRID, List.of(COMMON))
          .and(FilterOrigin.ALIAS, List.of(ALIAS));

  private static Query term(String value) {
    return new Term("f", Literal.of(value), LetterCase.SENSITIVE, Query.NO_BOOST, null);
  }

  private static Knn knn(@Nullable Query filter, OuterFilters outer) {
    return new Knn(
        "v",
        QueryVector.of(1, 2),
        new KnnExtent.Nearest(7),
        filter,
        new KnnOptions(
            null, null, null, /* ignoreUnmapped= */ false, KnnOptions.NestedDocs.BEST, outer),
        Query.NO_BOOST,
        null);
  }

  private static Knn knn(@Nullable Query filter) {
    return knn(filter, OuterFilters.INSIDE);
  }

  private static VectorLeg only(Query tree) {
    List<VectorLeg> legs = ORIGINS.legs(tree);
    assertThat(legs).hasSize(1);
    return legs.getFirst();
  }

  private static Restriction from(FilterOrigin origin, Query query) {
    return Restriction.of(origin, query);
  }

  @Test
  void aSearchWithoutAFilterHasNothing() {
    assertThat(only(knn(null)).inside()).isEmpty();
    assertThat(only(knn(null)).after()).isEmpty();
    assertThat(ORIGINS.legs(OWN)).isEmpty();
  }

  @Test
  void filtersAreTakenApartInTheOrderInWhichTheyCame() {
    Query tree = knn(OWN).filteredBy(COMMON, FilterMode.AND).filteredBy(ALIAS, FilterMode.AND);
    assertThat(only(tree).inside())
        .containsExactly(
            from(FilterOrigin.OWN, OWN),
            from(FilterOrigin.HYBRID, COMMON),
            from(FilterOrigin.ALIAS, ALIAS));
  }

  @Test
  void aBoolOfTheSearchStaysWhole() {
    Query should =
        new Bool(List.of(), List.of(), List.of(OWN, AROUND), List.of(), null, Query.NO_BOOST, null);
    Restriction own = only(knn(should).filteredBy(COMMON, FilterMode.AND)).inside().getFirst();
    assertThat(own.origins()).containsExactly(FilterOrigin.OWN);
    // what the push-down made of it: one of the two is still required
    assertThat(own.query()).isInstanceOfSatisfying(Bool.class, this::requiresOne);
  }

  private void requiresOne(Bool bool) {
    assertThat(bool.should()).containsExactly(OWN, AROUND);
    assertThat(bool.requiredShould()).isEqualTo(1);
    assertThat(bool.filter()).isEmpty();
  }

  @Test
  void anEqualFilterOfSomebodyElseIsNotTakenForTheCommonOne() {
    assertThat(only(knn(term("common"))).inside()).containsExactly(from(FilterOrigin.OWN, COMMON));
  }

  @Test
  void eitherOfTwoBelongsToBoth() {
    Query tree = knn(OWN).filteredBy(COMMON, FilterMode.OR);
    assertThat(only(tree).inside())
        .singleElement()
        .extracting(Restriction::origins)
        .isEqualTo(List.of(FilterOrigin.OWN, FilterOrigin.HYBRID));
  }

  @Test
  void clausesOfABoolAreToldByTheirKind() {
    Query tree = Bool.of(List.of(knn(null), AROUND), List.of(OWN)).withOwnFilters();
    assertThat(only(tree).inside())
        .containsExactly(from(FilterOrigin.BOOL_FILTER, OWN), from(FilterOrigin.BOOL_MUST, AROUND));
    assertThat(only(tree).after()).isEmpty();
  }

  @Test
  void whatASearchDoesNotTakeInsideComesAfter() {
    Query tree =
        Bool.of(List.of(knn(OWN, OuterFilters.AFTER)), List.of(AROUND))
            .withOwnFilters()
            .filteredBy(ALIAS, FilterMode.AND);
    assertThat(only(tree).inside()).containsExactly(from(FilterOrigin.OWN, OWN));
    assertThat(only(tree).after())
        .containsExactly(from(FilterOrigin.BOOL_FILTER, AROUND), from(FilterOrigin.ALIAS, ALIAS));
  }

  @Test
  void aConstantScoreIsLookedThrough() {
    Query own = new ConstantScore(OWN, 3, null);
    Query tree = knn(own).filteredBy(COMMON, FilterMode.AND);
    assertThat(only(tree).inside())
        .containsExactly(from(FilterOrigin.OWN, OWN), from(FilterOrigin.HYBRID, COMMON));
  }

  @Test
  void nestedSearchesAreGivenWhatIsAroundThem() {
    Query nested =
        new Nested("parts", knn(OWN), AROUND, NestedOptions.DEFAULT, Query.NO_BOOST, null);
    VectorLeg leg = only(nested.filteredBy(COMMON, FilterMode.AND));
    assertThat(leg.path()).isEqualTo("parts");
    assertThat(leg.inside())
        .containsExactly(
            from(FilterOrigin.OWN, OWN),
            from(FilterOrigin.NESTED, AROUND),
            from(FilterOrigin.HYBRID, COMMON));
  }

  @Test
  void searchesInTheFilterOfNestedAreTold() {
    Query nested =
        new Nested(
            "parts",
            new MatchAll(Query.NO_BOOST, null),
            knn(OWN),
            NestedOptions.DEFAULT,
            Query.NO_BOOST,
            null);
    Query tree = Bool.of(List.of(nested), List.of(AROUND)).withOwnFilters();
    VectorLeg leg = only(tree.filteredBy(COMMON, FilterMode.AND));
    assertThat(leg.path()).isNull();
    assertThat(leg.inside())
        .containsExactly(
            from(FilterOrigin.OWN, OWN),
            from(FilterOrigin.BOOL_FILTER, AROUND),
            from(FilterOrigin.HYBRID, COMMON));
    assertThat(leg.after()).isEmpty();
  }

  @Test
  void aBoolThatOthersWereAddedToIsStillKnown() {
    for (Query common :
        List.of(
            Bool.of(List.of(OWN), List.of(AROUND)),
            new ConstantScore(Bool.of(List.of(OWN), List.of(AROUND)), 2, null),
            new ConstantScore(OWN, 2, null))) {
      FilterOrigins origins =
          new FilterOrigins()
              .and(FilterOrigin.HYBRID, List.of(common))
              .and(FilterOrigin.ALIAS, List.of(ALIAS));
      Query tree = knn(null).filteredBy(common, FilterMode.AND).filteredBy(ALIAS, FilterMode.AND);
      assertThat(origins.legs(tree).getFirst().inside())
          .extracting(Restriction::origins)
          .containsExactly(List.of(FilterOrigin.HYBRID), List.of(FilterOrigin.ALIAS));
    }
  }

  @Test
  void aBoolAroundThatOthersWereAddedToIsStillKnown() {
    Query around = Bool.of(List.of(OWN), List.of(AROUND));
    Query tree =
        Bool.of(List.of(knn(null)), List.of(around))
            .withOwnFilters()
            .filteredBy(ALIAS, FilterMode.AND);
    assertThat(only(tree).inside())
        .extracting(Restriction::origins)
        .containsExactly(List.of(FilterOrigin.BOOL_FILTER), List.of(FilterOrigin.ALIAS));
    assertThat(only(tree).after()).isEmpty();
  }

  @Test
  void eachSearchOfAHybridIsTold() {
    Query tree =
        new Hybrid(
                List.of(knn(null), new MatchAll(Query.NO_BOOST, null), knn(OWN)),
                null,
                List.of(),
                Query.NO_BOOST,
                null)
            .filteredBy(COMMON, FilterMode.AND);
    assertThat(ORIGINS.legs(tree)).extracting(leg -> leg.inside().size()).containsExactly(1, 2);
  }

  /** Should-only ones are what access rights look like. */
  @Test
  void aFilterThatChangedAsAnotherWasPutIntoItIsStillThatOfWhoAskedForIt() {
    Query should =
        new Bool(List.of(), List.of(), List.of(OWN), List.of(), null, Query.NO_BOOST, null);
    Query none = new Bool(List.of(), List.of(), List.of(), List.of(), null, Query.NO_BOOST, null);
    Query constant = new ConstantScore(COMMON, Query.NO_BOOST, null);
    Query twice = new ConstantScore(constant, Query.NO_BOOST, null);
    Query both = Bool.of(List.of(OWN), List.of(COMMON));
    for (Query common : List.of(should, none, constant, twice, both)) {
      Query sub = Bool.of(List.of(knn(null)), List.of(AROUND));
      for (FilterOrigins origins :
          List.of(
              new FilterOrigins().and(FilterOrigin.HYBRID, List.of(common)),
              new FilterOrigins()
                  .and(FilterOrigin.HYBRID, List.of(common))
                  .and(FilterOrigin.ALIAS, List.of(ALIAS)))) {
        Query tree = sub.filteredBy(common, FilterMode.AND).withOwnFilters();
        Query filtered = tree.filteredBy(ALIAS, FilterMode.AND);
        for (Query asked : List.of(tree, filtered)) {
          List<VectorLeg> legs = origins.legs(asked);
          assertThat(legs).hasSize(1);
          assertThat(legs.getFirst().after()).as("%s", common).isEmpty();
          assertThat(legs.getFirst().inside())
              .as("%s in %s", common, legs.getFirst().search())
              .flatExtracting(Restriction::origins)
              .contains(FilterOrigin.HYBRID, FilterOrigin.BOOL_FILTER);
        }
      }
    }
  }
}
