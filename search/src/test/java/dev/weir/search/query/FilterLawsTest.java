package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.query.Documents.Doc;
import dev.weir.search.query.Trees.Vectors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The laws of adding a filter, over random trees and documents, judged by a linear scan. */
final class FilterLawsTest {

  private static final int CASES = 1_000;
  private static final int DEPTH = 4;

  /** What most laws are about. */
  private record Case(Query query, Query filter, PushDown reach, List<Doc> corpus) {

    static Case of(RandomGenerator random, Vectors vectors) {
      Trees trees = new Trees(random, "q", vectors).nesting();
      Query query =
          random.nextInt(8) == 0 ? trees.hybrid(DEPTH - 1) : trees.tree(1 + random.nextInt(DEPTH));
      return of(random, query);
    }

    static Case of(RandomGenerator random, Query query) {
      Query filter =
          new Trees(random, "f", Vectors.NONE).nesting().tree(1 + random.nextInt(DEPTH - 1));
      PushDown reach = Cases.oneOf(random, PushDown.values());
      return new Case(query, filter, reach, Documents.corpus(random));
    }

    Query filtered() {
      return query.filteredBy(filter, FilterMode.AND, reach);
    }

    Map<String, Double> hits(Query asked) {
      return ReferenceSearch.hits(asked, corpus);
    }

    @Override
    public String toString() {
      return "query "
          + QueryWriter.toJson(query)
          + " filter "
          + QueryWriter.toJson(filter)
          + " reach "
          + reach
          + " gives "
          + QueryWriter.toJson(filtered())
          + " over "
          + corpus;
    }
  }

  @Test
  void neverWiden() {
    // With k above the number of documents a vector search is a plain condition; with a smaller k
    // other documents move up when some are filtered out, and the law is the next one.
    Cases.run(
        "never widen",
        CASES,
        random -> {
          Case one = Case.of(random, random.nextBoolean() ? Vectors.NONE : Vectors.TAKING_ALL);
          Set<String> both = new HashSet<>(one.hits(one.query()).keySet());
          both.retainAll(one.hits(one.filter()).keySet());
          assertThat(both).as(one::toString).containsAll(one.hits(one.filtered()).keySet());
        });
  }

  @Test
  void theAnswerIsThatOfTheFilteredDocumentsAlone() {
    Cases.run(
        "as if only the filtered documents existed",
        CASES,
        random -> {
          Case any = Case.of(random, Vectors.TAKING_FEW);
          PushDown reach = random.nextBoolean() ? PushDown.VECTORS : PushDown.DEEP;
          Case one = new Case(any.query(), any.filter(), reach, any.corpus());
          List<Doc> allowed = ReferenceSearch.matching(one.filter(), one.corpus());
          assertThat(one.hits(one.filtered()))
              .as(one::toString)
              .isEqualTo(ReferenceSearch.hits(one.query(), allowed));
        });
  }

  @Test
  void nothingOutsideTheFilterComesThrough() {
    Cases.run(
        "nothing outside the filter",
        CASES,
        random -> {
          Case one = Case.of(random, Vectors.TAKING_FEW);
          assertThat(one.hits(one.filter()).keySet())
              .as(one::toString)
              .containsAll(one.hits(one.filtered()).keySet());
        });
  }

  @Test
  void neverStarve() {
    Cases.run(
        "never starve",
        CASES,
        random -> {
          VectorSearch.Knn bare =
              new Trees(random, "q", Vectors.TAKING_FEW)
                  .knn(1)
                  .withFilter(
                      random.nextBoolean() ? null : new Trees(random, "g", Vectors.NONE).tree(2));
          int k = 1 + random.nextInt(4);
          VectorSearch.Knn knn =
              new VectorSearch.Knn(
                  bare.field(),
                  bare.vector(),
                  new KnnExtent.Nearest(k),
                  bare.filter(),
                  bare.options(),
                  bare.boost(),
                  bare.name());
          Case any = Case.of(random, around(random, knn));
          Case one = new Case(any.query(), any.filter(), PushDown.VECTORS, any.corpus());
          List<Doc> allowed = ReferenceSearch.matching(one.filter(), one.corpus());
          if (knn.filter() != null) {
            allowed = new ArrayList<>(allowed);
            allowed.retainAll(ReferenceSearch.matching(knn.filter(), one.corpus()));
          }
          long candidates = allowed.stream().filter(doc -> doc.vector() != null).count();
          assertThat(one.hits(one.filtered()))
              .as(one::toString)
              .hasSize((int) Math.min(k, candidates));
        });
  }

  /** Wrappers that leave the documents of a query as they are. */
  private static Query around(RandomGenerator random, Query query) {
    Query inner = query;
    int levels = random.nextInt(4);
    for (int level = 0; level < levels; level++) {
      Query one = inner;
      inner =
          switch (random.nextInt(7)) {
            case 6 -> inFilterOfNested(one);
            case 0 -> new Query.ConstantScore(one, 2, "constant" + level);
            case 1 -> new Query.DisMax(List.of(one), 0.5f, 2, "dis_max" + level);
            case 2 -> new Query.Boosting(one, new Query.MatchNone(1, null), 0.5f, 2, null);
            case 3 -> Query.Bool.of(List.of(one), List.of());
            case 4 -> Query.Bool.of(List.of(), List.of(one));
            default ->
                new Query.Bool(List.of(), List.of(), List.of(one), List.of(), null, 2, "b" + level);
          };
    }
    return random.nextInt(4) == 0
        ? new Query.Hybrid(List.of(inner), null, List.of(), 1, null)
        : inner;
  }

  /** Or else those that have nothing nested. */
  private static Query inFilterOfNested(Query query) {
    Query any = new Query.MatchAll(1, null);
    Query nested = new Query.Nested("parts", any, query, NestedOptions.DEFAULT, 2, "nested");
    Query none = new Query.Nested("parts", any, null, NestedOptions.DEFAULT, 1, null);
    return new Query.DisMax(
        List.of(
            nested,
            new Query.Bool(List.of(query), List.of(), List.of(), List.of(none), null, 1, null)),
        0,
        1,
        null);
  }

  @Test
  void neverForget() {
    Cases.run(
        "never forget",
        CASES,
        random -> {
          Case one = Case.of(random, Vectors.TAKING_FEW);
          FilterMode mode = Cases.oneOf(random, FilterMode.values());
          Query filtered = one.query().filteredBy(one.filter(), mode, one.reach());
          Set<Labelled> before = new HashSet<>(Labelled.all(one.query()));
          Set<Labelled> added = new HashSet<>(Labelled.all(one.filter()));
          List<Labelled> after = Labelled.all(filtered);
          assertThat(after).as(one::toString).containsAll(before);
          Set<Labelled> fresh = new HashSet<>(after);
          fresh.removeAll(before);
          fresh.removeAll(added);
          assertThat(fresh)
              .as(one::toString)
              .allMatch(each -> each.name().isEmpty() && each.boost() == Query.NO_BOOST);
        });
  }

  /** Kind, boost and name of one query of a tree. */
  private record Labelled(String kind, float boost, String name) {

    static List<Labelled> all(Query query) {
      List<Labelled> all = new ArrayList<>();
      collect(query, all);
      return all;
    }

    private static void collect(Query query, List<Labelled> into) {
      String name = query.name();
      into.add(new Labelled(QueryWriter.name(query), query.boost(), name == null ? "" : name));
      switch (query) {
        case Query.Leaf _ -> {}
        case Query.Bool bool ->
            List.of(bool.must(), bool.filter(), bool.should(), bool.mustNot()).stream()
                .flatMap(Collection::stream)
                .forEach(each -> collect(each, into));
        case Query.ConstantScore constant -> collect(constant.query(), into);
        case Query.DisMax disMax -> disMax.queries().forEach(each -> collect(each, into));
        case Query.Boosting boosting -> {
          collect(boosting.positive(), into);
          collect(boosting.negative(), into);
        }
        case Query.FunctionScore scored -> {
          collect(scored.query(), into);
          for (ScoreFunction function : scored.functions()) {
            Query filter = function.filter();
            if (filter != null) {
              collect(filter, into);
            }
          }
        }
        case Query.ScriptScore scored -> collect(scored.query(), into);
        case VectorSearch search -> {
          if (search.filter() != null) {
            collect(search.filter(), into);
          }
        }
        case Query.Nested nested -> {
          collect(nested.query(), into);
          if (nested.filter() != null) {
            collect(nested.filter(), into);
          }
        }
        case Query.Hybrid hybrid -> hybrid.queries().forEach(each -> collect(each, into));
      }
    }
  }

  @Test
  void neverMutate() {
    Cases.run(
        "never mutate",
        CASES,
        random -> {
          Case one = Case.of(random, Vectors.TAKING_FEW);
          FilterMode mode = Cases.oneOf(random, FilterMode.values());
          String query = QueryWriter.toJson(one.query());
          String filter = QueryWriter.toJson(one.filter());
          Query first = one.query().filteredBy(one.filter(), mode, one.reach());
          String firstText = QueryWriter.toJson(first);
          Query second = one.query().filteredBy(one.filter(), mode, one.reach());
          assertThat(second).isEqualTo(first);
          first.filteredBy(one.filter(), mode, one.reach());
          assertThat(QueryWriter.toJson(one.query())).isEqualTo(query);
          assertThat(QueryWriter.toJson(one.filter())).isEqualTo(filter);
          assertThat(QueryWriter.toJson(first)).isEqualTo(firstText);
        });
  }

  @Test
  void withoutVectorsTheHitsAreThoseOfBothWithTheScoresOfTheQuery() {
    Cases.run(
        "hits of both, scores of the query",
        CASES,
        random -> {
          Case one = Case.of(random, random.nextBoolean() ? Vectors.NONE : Vectors.TAKING_ALL);
          Map<String, Double> expected = one.hits(one.query());
          expected.keySet().retainAll(one.hits(one.filter()).keySet());
          assertThat(one.hits(one.filtered())).as(one::toString).isEqualTo(expected);
        });
  }

  @Test
  void filteringTwiceIsFilteringOnce() {
    Cases.run(
        "idempotent",
        CASES,
        random -> {
          Case one = Case.of(random, Vectors.TAKING_FEW);
          Query twice = one.filtered().filteredBy(one.filter(), FilterMode.AND, one.reach());
          assertThat(one.hits(twice)).as(one::toString).isEqualTo(one.hits(one.filtered()));
        });
  }

  @Test
  void theOrderOfTwoFiltersDoesNotMatter() {
    Cases.run(
        "commutative",
        CASES,
        random -> {
          Case one = Case.of(random, Vectors.TAKING_FEW);
          Query other = new Trees(random, "g", Vectors.NONE).tree(2);
          Query thenOther = one.filtered().filteredBy(other, FilterMode.AND, one.reach());
          Query otherFirst =
              one.query()
                  .filteredBy(other, FilterMode.AND, one.reach())
                  .filteredBy(one.filter(), FilterMode.AND, one.reach());
          assertThat(one.hits(thenOther))
              .as(() -> one + " and " + QueryWriter.toJson(other))
              .isEqualTo(one.hits(otherFirst));
        });
  }

  @Test
  void modeOrAdmitsTheDocumentsOfEitherFilter() {
    Cases.run(
        "either filter",
        CASES,
        random -> {
          Trees trees = new Trees(random, "q", Vectors.TAKING_FEW);
          Query own = new Trees(random, "g", Vectors.NONE).tree(3);
          VectorSearch.Knn knn = trees.knn(1);
          Query.Bool bool = trees.bool(3);
          Query.Bool bare =
              new Query.Bool(
                  List.of(new Query.MatchAll(1, null)),
                  List.of(),
                  bool.should(),
                  bool.mustNot(),
                  bool.minimumShouldMatch(),
                  bool.boost(),
                  bool.name());
          Query.Bool restricted =
              new Query.Bool(
                  bare.must(),
                  List.of(own),
                  bare.should(),
                  bare.mustNot(),
                  bare.minimumShouldMatch(),
                  bare.boost(),
                  bare.name());
          for (Query unfiltered : List.of(knn, bare)) {
            Query filtered =
                unfiltered instanceof VectorSearch.Knn ? knn.withFilter(own) : restricted;
            Case one = Case.of(random, filtered);
            Query either = filtered.filteredBy(one.filter(), FilterMode.OR, PushDown.VECTORS);
            List<Doc> allowed = new ArrayList<>(one.corpus());
            Set<String> ofEither = new HashSet<>(one.hits(own).keySet());
            ofEither.addAll(one.hits(one.filter()).keySet());
            allowed.removeIf(doc -> !ofEither.contains(doc.id()));
            assertThat(one.hits(either))
                .as(() -> one + " or-ed " + QueryWriter.toJson(either))
                .isEqualTo(ReferenceSearch.hits(unfiltered, allowed));
          }
        });
  }
}
