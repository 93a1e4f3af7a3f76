package dev.weir.search.query;

import dev.weir.search.query.Documents.Doc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a query means, in the dumbest form: a scan over documents in memory. Scores are made up but
 * depend on the query and the document alone; the vector search is exact and breaks ties by id.
 * Written without looking at {@link Bool#requiredShould()} and the like, so as to judge them.
 */
final class ReferenceSearch {

  /** What the required clauses of a bool are to the vector searches inside it. */
  private enum Own {
    /** Nothing: they are asked of what the searches have found. */
    AROUND,
    /** The end of the world: no document but theirs exists. */
    ALL_THERE_IS
  }

  private final List<Doc> corpus;
  private final List<Doc> everything;
  private final Own own;

  private ReferenceSearch(List<Doc> corpus, List<Doc> everything, Own own) {
    this.corpus = corpus;
    this.everything = everything;
    this.own = own;
  }

  /** As {@link #hits}, where in each bool only the documents of its required clauses exist. */
  static Map<String, Double> hitsWithOwnFilters(Query query, List<Doc> corpus) {
    return new ReferenceSearch(corpus, corpus, Own.ALL_THERE_IS).hits(query);
  }

  /** Score by id of every document that matches. */
  static Map<String, Double> hits(Query query, List<Doc> corpus) {
    return new ReferenceSearch(corpus, corpus, Own.AROUND).hits(query);
  }

  /** The documents that match, in the order of the corpus. */
  static List<Doc> matching(Query query, List<Doc> corpus) {
    Map<String, Double> hits = hits(query, corpus);
    return corpus.stream().filter(doc -> hits.containsKey(doc.id())).toList();
  }

  private Map<String, Double> hits(Query query) {
    Map<String, Double> hits = new TreeMap<>();
    switch (query) {
      case Query.Leaf leaf -> {
        for (Doc doc : corpus) {
          Double score = leaf(leaf, doc);
          if (score != null) {
            hits.put(doc.id(), score);
          }
        }
      }
      case Query.Bool bool -> new ReferenceSearch(required(bool), everything, own).bool(bool, hits);
      case Query.ConstantScore constant ->
          hits(constant.query()).keySet().forEach(id -> hits.put(id, 1.0));
      case Query.DisMax disMax -> disMax(disMax, hits);
      case Query.Boosting boosting -> {
        Map<String, Double> negative = hits(boosting.negative());
        hits(boosting.positive())
            .forEach(
                (id, score) ->
                    hits.put(
                        id, negative.containsKey(id) ? score * boosting.negativeBoost() : score));
      }
      case Query.FunctionScore scored -> functionScore(scored, hits);
      case Query.ScriptScore scored ->
          hits(scored.query())
              .forEach(
                  (id, score) -> {
                    double said =
                        scored.script() instanceof ScoreScript.Constant(double constant)
                            ? constant
                            : score;
                    keep(id, said, scored.minScore(), scored.boost(), hits);
                  });
      case VectorSearch.Knn knn -> knn(knn, doc -> near(knn, doc.vector()), hits);
      case Query.Nested nested -> nested(nested, hits);
      case VectorSearch.Neural neural ->
          throw new AssertionError("no vector was put in for " + neural);
      case Query.Hybrid hybrid ->
          hybrid
              .queries()
              .forEach(each -> hits(each).forEach((id, s) -> hits.merge(id, s, Double::sum)));
    }
    hits.replaceAll((_, score) -> score * query.boost());
    return hits;
  }

  private static @Nullable Double leaf(Query.Leaf leaf, Doc doc) {
    return switch (leaf) {
      case Query.MatchAll _ -> 1.0;
      case Query.MatchNone _ -> null;
      case Query.Match match -> {
        List<String> wanted = List.of(match.text().text().split(" "));
        long overlap = doc.words().stream().filter(wanted::contains).count();
        yield overlap == 0 ? null : overlap + 0.25;
      }
      case Query.Term term -> term.value().text().equals(doc.tag()) ? 1.5 : null;
      case Query.Terms terms ->
          terms.values().stream().anyMatch(value -> value.text().equals(doc.tag())) ? 1.0 : null;
      case Query.Range range -> inRange(range, doc.number()) ? 1.0 : null;
      case Query.Exists exists ->
          switch (exists.field()) {
            case "tag" -> doc.tag() == null ? null : 1.0;
            case "number" -> doc.number() == null ? null : 1.0;
            case "place" -> doc.place() == null ? null : 1.0;
            default -> throw new IllegalArgumentException(exists.field());
          };
      case Query.Ids ids -> ids.values().contains(doc.id()) ? 1.0 : null;
      case Query.Geo geo -> doc.place() != null && Earth.isIn(geo.area(), doc.place()) ? 1.0 : null;
      case Query.MatchPhrase _, Query.MultiMatch _, Query.Prefix _, Query.Wildcard _ ->
          throw new IllegalArgumentException("the model has no " + leaf);
    };
  }

  private static boolean inRange(Query.Range range, @Nullable Integer number) {
    if (number == null) {
      return false;
    }
    RangeEnd lower = range.lower();
    RangeEnd upper = range.upper();
    boolean above =
        lower == null
            || number > Integer.parseInt(lower.value().text())
            || (lower.closed() && number == Integer.parseInt(lower.value().text()));
    boolean below =
        upper == null
            || number < Integer.parseInt(upper.value().text())
            || (upper.closed() && number == Integer.parseInt(upper.value().text()));
    return above && below;
  }

  private List<Doc> required(Query.Bool bool) {
    List<Doc> left = corpus;
    if (own == Own.ALL_THERE_IS) {
      for (Query clause : Stream.concat(bool.must().stream(), bool.filter().stream()).toList()) {
        if (!QueryWriter.toJson(clause).contains("\"knn\"")) {
          left = matching(clause, left);
        }
      }
    }
    return left;
  }

  private void bool(Query.Bool bool, Map<String, Double> hits) {
    List<Map<String, Double>> must = bool.must().stream().map(this::hits).toList();
    List<Map<String, Double>> filter = bool.filter().stream().map(this::hits).toList();
    List<Map<String, Double>> should = bool.should().stream().map(this::hits).toList();
    List<Map<String, Double>> mustNot = bool.mustNot().stream().map(this::hits).toList();
    boolean empty = must.isEmpty() && filter.isEmpty() && should.isEmpty() && mustNot.isEmpty();
    for (Doc doc : corpus) {
      String id = doc.id();
      boolean required =
          must.stream().allMatch(each -> each.containsKey(id))
              && filter.stream().allMatch(each -> each.containsKey(id))
              && mustNot.stream().noneMatch(each -> each.containsKey(id));
      long matched = should.stream().filter(each -> each.containsKey(id)).count();
      MinimumShouldMatch said = bool.minimumShouldMatch();
      long least = said == null ? 0 : said.of(should.size());
      if (must.isEmpty() && filter.isEmpty() && !should.isEmpty() && least < 1) {
        least = 1;
      }
      if (empty) {
        hits.put(id, 1.0);
      } else if (required && matched >= least) {
        double score = 0;
        for (Map<String, Double> each : must) {
          score += each.getOrDefault(id, 0.0);
        }
        for (Map<String, Double> each : should) {
          score += each.getOrDefault(id, 0.0);
        }
        hits.put(id, score);
      }
    }
  }

  private static void keep(
      String id, double score, @Nullable Float least, float boost, Map<String, Double> hits) {
    if (least == null || score * boost >= least) {
      hits.put(id, score);
    }
  }

  private void functionScore(Query.FunctionScore scored, Map<String, Double> hits) {
    List<Map<String, Double>> filters = new ArrayList<>();
    for (ScoreFunction function : scored.functions()) {
      Query filter = function.filter();
      filters.add(hits(filter == null ? new Query.MatchAll(1, null) : filter));
    }
    Map<String, Double> inner = hits(scored.query());
    for (Doc doc : corpus) {
      Double score = inner.get(doc.id());
      if (score == null) {
        continue;
      }
      List<Double> values = new ArrayList<>();
      double weights = 0;
      for (int i = 0; i < filters.size(); i++) {
        if (filters.get(i).containsKey(doc.id())) {
          ScoreFunction function = scored.functions().get(i);
          double weight = function.weight() == null ? 1 : function.weight();
          double half = (doc.number() == null ? 3 : doc.number()) / 2.0;
          values.add((function.shape() instanceof ScoreShape.One ? 1 : half * half) * weight);
          weights += weight;
        }
      }
      double sum = values.stream().mapToDouble(value -> value).sum();
      double factor =
          values.isEmpty()
              ? 1
              : switch (scored.combination().scoreMode()) {
                case MULTIPLY -> values.stream().reduce(1.0, (one, other) -> one * other);
                case SUM -> sum;
                case AVG -> sum / weights;
                case FIRST -> values.getFirst();
                case MAX -> Collections.max(values);
                case MIN -> Collections.min(values);
              };
      factor = Math.min(factor, scored.combination().maxBoost());
      double result =
          switch (scored.combination().boostMode()) {
            case MULTIPLY -> score * factor;
            case REPLACE -> factor;
            case SUM -> score + factor;
            case AVG -> (score + factor) / 2;
            case MAX -> Math.max(score, factor);
            case MIN -> Math.min(score, factor);
          };
      keep(doc.id(), result, scored.minScore(), scored.boost(), hits);
    }
  }

  private void disMax(Query.DisMax disMax, Map<String, Double> hits) {
    List<Map<String, Double>> queries = disMax.queries().stream().map(this::hits).toList();
    for (Doc doc : corpus) {
      double best = Double.NEGATIVE_INFINITY;
      double sum = 0;
      for (Map<String, Double> each : queries) {
        Double score = each.get(doc.id());
        if (score != null) {
          best = Math.max(best, score);
          sum += score;
        }
      }
      if (best != Double.NEGATIVE_INFINITY) {
        hits.put(doc.id(), best + disMax.tieBreaker() * (sum - best));
      }
    }
  }

  /** No document but those of its filter exists for the query on nested ones. */
  private void nested(Query.Nested nested, Map<String, Double> hits) {
    Query filter = nested.filter();
    List<Doc> around = corpus;
    if (filter != null) {
      Map<String, Double> allowed = hits(filter);
      around = corpus.stream().filter(doc -> allowed.containsKey(doc.id())).toList();
    }
    Map<String, Double> found = new TreeMap<>();
    new ReferenceSearch(around, everything, own).ofParts(nested.query(), found);
    around.forEach(doc -> found.computeIfPresent(doc.id(), hits::put));
  }

  private void ofParts(Query query, Map<String, Double> hits) {
    switch (query) {
      case Query.MatchAll _ ->
          corpus.stream()
              .filter(doc -> !doc.parts().isEmpty())
              .forEach(doc -> hits.put(doc.id(), 1.0));
      case Query.Range range ->
          corpus.stream()
              .filter(doc -> doc.parts().stream().anyMatch(part -> inRange(range, part.number())))
              .forEach(doc -> hits.put(doc.id(), 1.0));
      case VectorSearch.Knn knn ->
          knn(
              knn,
              doc ->
                  doc.parts().stream()
                      .map(part -> near(knn, part.vector()))
                      .filter(Objects::nonNull)
                      .max(Comparator.naturalOrder())
                      .orElse(null),
              hits);
      default -> throw new IllegalArgumentException("the model asks no part for " + query);
    }
    hits.replaceAll((_, score) -> score * query.boost());
  }

  private static @Nullable Double near(VectorSearch.Knn knn, @Nullable QueryVector vector) {
    return vector == null ? null : closeness(knn.vector(), vector);
  }

  private void knn(
      VectorSearch.Knn knn, Function<Doc, @Nullable Double> closeness, Map<String, Double> hits) {
    record Near(String id, double score) {}
    Query filter = knn.filter();
    ReferenceSearch inside =
        knn.outerFilters() == OuterFilters.AFTER
            ? new ReferenceSearch(everything, everything, own)
            : this;
    Map<String, Double> allowed =
        inside.hits(filter == null ? new Query.MatchAll(Query.NO_BOOST, null) : filter);
    List<Near> near = new ArrayList<>();
    for (Doc doc : inside.corpus) {
      Double score = closeness.apply(doc);
      if (score != null && allowed.containsKey(doc.id())) {
        near.add(new Near(doc.id(), score));
      }
    }
    near.sort(Comparator.comparingDouble(Near::score).reversed().thenComparing(Near::id));
    switch (knn.extent()) {
      case KnnExtent.Nearest(int k) ->
          near.stream().limit(k).forEach(each -> hits.put(each.id(), each.score()));
      case KnnExtent.MinScore(float least) ->
          near.stream()
              .filter(each -> each.score() >= least)
              .forEach(each -> hits.put(each.id(), each.score()));
      case KnnExtent.MaxDistance(float most) ->
          near.stream()
              .filter(each -> 1 / each.score() - 1 <= most)
              .forEach(each -> hits.put(each.id(), each.score()));
    }
  }

  private static double closeness(QueryVector one, QueryVector other) {
    double distance = 0;
    for (int index = 0; index < one.dimension(); index++) {
      double difference = one.at(index) - other.at(index);
      distance += difference * difference;
    }
    return 1 / (1 + distance);
  }
}
