package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.json.StrictJson;
import dev.weir.search.query.Documents.Doc;
import dev.weir.search.query.Trees.Vectors;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a query requires reaches the vector searches inside it: whole trees as the parser gives
 * them, and the rule over random trees and documents, judged by a scan that knows only the rule.
 */
final class OwnFiltersTest {

  private static final int CASES = 2_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {bool:{must:[K,A]}}                       | {bool:{must:[K(A),A]}}
          {bool:{must:[K],filter:[A]}}              | {bool:{must:[K(A)],filter:[A]}}
          {bool:{must:[K,A],filter:[B]}}            | {bool:{must:[K(BA),A],filter:[B]}}
          {bool:{filter:[K,A]}}                     | {bool:{filter:[K(A),A]}}
          {bool:{should:[K],filter:[A]}}            | {bool:{should:[K(A)],filter:[A]}}
          {bool:{must_not:[K],filter:[A]}}          | {bool:{must_not:[K(A)],filter:[A]}}
          {bool:{must:[K],should:[A]}}              | {bool:{must:[K],should:[A]}}
          {bool:{must:[K],must_not:[A]}}            | {bool:{must:[K],must_not:[A]}}
          {bool:{should:[K,A]}}                     | {bool:{should:[K,A]}}
          {bool:{must:[{constant_score:{filter:K}}],filter:[A]}} | {bool:{must:[{constant_score:{filter:K(A)}}],filter:[A]}}
          {bool:{must:[{dis_max:{queries:[K,B]}}],filter:[A]}} | {bool:{must:[{dis_max:{queries:[K(A),B]}}],filter:[A]}}
          {bool:{must:[{boosting:{positive:K,negative:B,negative_boost:0.5}}],filter:[A]}} | {bool:{must:[{boosting:{positive:K(A),negative:B,negative_boost:0.5}}],filter:[A]}}
          {boosting:{positive:A,negative:K,negative_boost:0.5}} | {boosting:{positive:A,negative:K,negative_boost:0.5}}
          {dis_max:{queries:[K,A]}}                 | {dis_max:{queries:[K,A]}}
          {bool:{must:[K,{bool:{should:[A,B]}}]}}   | {bool:{must:[K({bool:{should:[A,B]}}),{bool:{should:[A,B]}}]}}
          {bool:{must:[K,{bool:{must:[K,A]}}]}}     | {bool:{must:[K,{bool:{must:[K(A),A]}}]}}
          {bool:{must:[{bool:{must:[K,A]}}],filter:[B]}} | {bool:{must:[{bool:{must:[K(BA),A]}}],filter:[B]}}
          {bool:{must:[{bool:{must:[K],filter:[A]}}],filter:[A]}} | {bool:{must:[{bool:{must:[K(A)],filter:[A]}}],filter:[A]}}
          {bool:{must:[K,K],filter:[A]}}            | {bool:{must:[K(A),K(A)],filter:[A]}}
          {bool:{must:[AFTER],filter:[A]}}          | {bool:{must:[AFTER],filter:[A]}}
          {bool:{must:[AFTER,K],filter:[A]}}        | {bool:{must:[AFTER,K(A)],filter:[A]}}
          {bool:{must:[A],filter:[B]}}              | {bool:{must:[A],filter:[B]}}
          {bool:{must:[{nested:{path:c,query:B,filter:K}}],filter:[A]}} | {bool:{must:[{nested:{path:c,query:B,filter:K(A)}}],filter:[A]}}
          {bool:{must:[{nested:{path:c,query:B,filter:K}},K],filter:[A]}} | {bool:{must:[{nested:{path:c,query:B,filter:K(A)}},K(A)],filter:[A]}}
          {nested:{path:c,query:B,filter:{bool:{must:[K,A]}}}} | {nested:{path:c,query:B,filter:{bool:{must:[K(A),A]}}}}
          {bool:{must:[{nested:{path:c,query:B,filter:AFTER}}],filter:[A]}} | {bool:{must:[{nested:{path:c,query:B,filter:AFTER}}],filter:[A]}}
          """)
  void theParserHandsRequirementsDown(String asked, String pushed) {
    assertThat(parse(asked)).isEqualTo(plain(pushed));
    assertThat(parse(pushed)).isEqualTo(plain(pushed));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          vectors | or  | {bool:{must:[K],filter:[A]}} | {bool:{must:[K(EITHER)],filter:[EITHER]}}
          vectors | and | {bool:{must:[K],filter:[A]}} | {bool:{must:[K(FA)],filter:[A,F]}}
          vectors | ignore_if_exists | {bool:{must:[K],filter:[A]}} | {bool:{must:[K(A)],filter:[A]}}
          shallow | and | {bool:{must:[K],filter:[A]}} | {bool:{must:[K],filter:[A,F]}}
          deep    | and | {bool:{must:[K],filter:[A]}} | {bool:{must:[K(FA)],filter:[{bool:{must:[A],filter:[F]}},F]}}
          """)
  void aHybridDoesAsItsRequestSays(String reach, String mode, String asked, String pushed) {
    String json =
        "{hybrid:{queries:[" + asked + "],filter:F,filter_push_down:" + reach + ",filter_mode:";
    Query.Hybrid hybrid = (Query.Hybrid) parse(json + mode + "}}");
    Query expected = plain(pushed);
    if (reach.equals("deep")) {
      // What is said of the bool's filter is its clause with the filter inside it.
      assertThat(((Query.Bool) hybrid.queries().getFirst()).filter())
          .isEqualTo(((Query.Bool) expected).filter());
    } else {
      assertThat(hybrid.queries()).containsExactly(expected);
    }
  }

  @Test
  void aSearchThatLeavesFiltersOutsideIsFilteredLikeALeaf() {
    Query after = plain("AFTER");
    Query filter = plain("F");
    assertThat(after.filteredBy(filter, FilterMode.AND))
        .isEqualTo(Query.Bool.of(List.of(after), List.of(filter)));
    Query bool = Query.Bool.of(List.of(after), List.of());
    assertThat(bool.filteredBy(filter, FilterMode.AND))
        .isEqualTo(Query.Bool.of(List.of(after), List.of(filter)));
  }

  @Test
  void boolsAnswerAsIfOnlyTheirRequiredDocumentsExisted() {
    Cases.run(
        "own filters",
        CASES,
        random -> {
          Trees trees = new Trees(random, "q", Vectors.TAKING_FEW, OuterFilters.AFTER).nesting();
          Query query = trees.tree(1 + random.nextInt(4));
          List<Doc> corpus = Documents.corpus(random);
          assertThat(ReferenceSearch.hits(query.withOwnFilters(), corpus))
              .as(() -> QueryWriter.toJson(query) + " over " + corpus)
              .isEqualTo(ReferenceSearch.hitsWithOwnFilters(query, corpus));
        });
  }

  @Test
  void aFilterOnTopStillLeavesTheFilteredDocumentsAlone() {
    Cases.run(
        "own filters and a common one",
        CASES,
        random -> {
          Query query =
              new Trees(random, "q", Vectors.TAKING_FEW).nesting().tree(1 + random.nextInt(4));
          Query filter = new Trees(random, "f", Vectors.NONE).tree(1 + random.nextInt(3));
          List<Doc> corpus = Documents.corpus(random);
          List<Doc> allowed = ReferenceSearch.matching(filter, corpus);
          Map<String, Double> expected = ReferenceSearch.hitsWithOwnFilters(query, allowed);
          Query ownFirst = query.withOwnFilters().filteredBy(filter, FilterMode.AND);
          Query ownLast = query.filteredBy(filter, FilterMode.AND).withOwnFilters();
          assertThat(ReferenceSearch.hits(ownFirst, corpus)).isEqualTo(expected);
          assertThat(ReferenceSearch.hits(ownLast, corpus)).isEqualTo(expected);
        });
  }

  @Test
  void aRequirementThatOneSearchHasReachesTheOtherInTheSameFilter() {
    Cases.run(
        "own filters in filters",
        CASES / 4,
        random -> {
          Trees trees = new Trees(random, "q", Vectors.TAKING_FEW);
          Query required = new Trees(random, "r", Vectors.NONE).tree(1 + random.nextInt(2));
          Query both =
              Query.Bool.of(List.of(trees.knn(1).withFilter(required), trees.knn(1)), List.of());
          Query search =
              random.nextBoolean()
                  ? trees.knn(1).withFilter(both)
                  : new Query.Nested(
                      "parts", new Query.MatchAll(1, null), both, NestedOptions.DEFAULT, 1, null);
          Query query = Query.Bool.of(List.of(search), List.of(required));
          List<Doc> corpus = Documents.corpus(random);
          Query once = query.withOwnFilters();
          assertThat(ReferenceSearch.hits(once, corpus))
              .as(() -> QueryWriter.toJson(query) + " over " + corpus)
              .isEqualTo(ReferenceSearch.hitsWithOwnFilters(query, corpus));
          assertThat(once.withOwnFilters()).isEqualTo(once);
        });
  }

  @Test
  void handingDownTwiceAnswersAsOnceAndChangesNoTree() {
    Cases.run(
        "own filters twice",
        CASES,
        random -> {
          Query query =
              new Trees(random, "q", Vectors.TAKING_FEW, OuterFilters.AFTER).nesting().tree(4);
          List<Doc> corpus = Documents.corpus(random);
          String before = QueryWriter.toJson(query);
          Query once = query.withOwnFilters();
          assertThat(ReferenceSearch.hits(once.withOwnFilters(), corpus))
              .isEqualTo(ReferenceSearch.hits(once, corpus));
          assertThat(QueryWriter.toJson(query)).isEqualTo(before);
        });
  }

  private static Query parse(String shorthand) {
    return QueryParser.DEFAULT.parse(StrictJson.parser(json(shorthand)));
  }

  /** Read without anything handed down, through the filter of a search that nothing is put upon. */
  private static Query plain(String shorthand) {
    String search = "{hybrid:{queries:[" + shorthand + "],filter_push_down:shallow}}";
    return ((Query.Hybrid) parse(search)).queries().getFirst();
  }

  /** Letters for queries, K(...) for a search with a filter, and words without quotation marks. */
  private static String json(String shorthand) {
    String knn = "{knn:{v:{vector:[1],k:3,boost:2,_name:near%s}}}";
    String json = shorthand;
    int at;
    while ((at = json.indexOf("K(")) >= 0) {
      int depth = 1;
      int end = at + 2;
      while (depth > 0) {
        depth += json.charAt(end) == '(' ? 1 : json.charAt(end) == ')' ? -1 : 0;
        end++;
      }
      String inner = json.substring(at + 2, end - 1);
      String filter =
          switch (inner) {
            case "BA" -> "{bool:{filter:[B,A]}}";
            case "FA" -> "{bool:{must:[F],filter:[A]}}";
            default -> inner;
          };
      json = json.substring(0, at) + knn.formatted(",filter:" + filter) + json.substring(end);
    }
    String either = "{bool:{should:[A,F],minimum_should_match:1}}";
    json =
        json.replace("EITHER", either)
            .replace("AFTER", knn.formatted(",outer_filters:after"))
            .replaceAll("\\bK\\b", knn.formatted(""))
            .replaceAll("\\b([ABF])\\b", "{term:{t:{value:$1,boost:3,_name:n$1}}}");
    return json.replaceAll("[A-Za-z_][A-Za-z_0-9]*", "\"$0\"");
  }
}
