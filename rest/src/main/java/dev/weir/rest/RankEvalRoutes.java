package dev.weir.rest;

import dev.weir.rest.RankEvalBody.Question;
import dev.weir.search.error.SearchException;
import dev.weir.search.evaluation.DocumentKey;
import dev.weir.search.evaluation.Metric;
import dev.weir.search.evaluation.MetricValue;
import dev.weir.search.evaluation.RankedDocument;
import dev.weir.search.evaluation.RatedDocument;
import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.Searches;
import dev.weir.search.json.StrictJson;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SearchRequest.Page;
import dev.weir.search.request.SearchRequestParser;
import dev.weir.search.request.SourceFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;

/** Measures how well searches answer questions, by documents that people have judged. */
final class RankEvalRoutes {
  /** How one question went. */
  private record Measured(MetricValue value, List<Scored> hits) {}

  /** What is kept of a hit until all questions have been asked: no document. */
  private record Scored(RankedDocument ranked, @Nullable Float score) {}

  /** What a {@link Scored} takes beside its id. */
  private static final int SCORED_BYTES = 200;

  private final Searches searches;
  private final IndexExpressions expressions;

  private RankEvalRoutes(RestServices services) {
    this.searches = services.engine().searches();
    this.expressions = IndexExpressions.of(services);
  }

  static void addTo(Router router, RestServices services) {
    RankEvalRoutes routes = new RankEvalRoutes(services);
    for (Method method : List.of(Method.GET, Method.POST)) {
      router.add(method, "/_rank_eval", UrlParameters.INDICES, routes::evaluate);
      router.add(method, "/{index}/_rank_eval", UrlParameters.INDICES, routes::evaluate);
    }
  }

  /** A search that fails is told beside the others, and does not count in the mean. */
  private RestResponse evaluate(RestRequest request) {
    RankEvalBody body = RankEvalBody.read(request.requiredBody());
    String expression = expressions.of(request);
    Map<String, Measured> measuredById = new LinkedHashMap<>();
    Map<String, SearchException> failureById = new LinkedHashMap<>();
    for (Question question : body.questions()) {
      long heldBefore = request.budget().heldBytes();
      try {
        measuredById.put(
            question.id(), measure(expression, question, body.metric(), request.budget()));
      } catch (SearchException failure) {
        request.budget().shrinkTo(heldBefore);
        failureById.put(question.id(), failure);
      }
    }
    double mean =
        measuredById.values().stream()
            .mapToDouble(each -> each.value().value())
            .average()
            .orElse(0);
    return RestResponse.json(
        request.budget(),
        200,
        json -> {
          json.writeStartObject();
          json.writeNumberProperty("metric_score", mean);
          json.writeName("details");
          json.writeStartObject();
          measuredById.forEach((id, measured) -> write(json, id, measured, body.metric()));
          json.writeEndObject();
          json.writeName("failures");
          json.writeStartObject();
          failureById.forEach((id, failure) -> write(json, id, failure));
          json.writeEndObject();
          json.writeEndObject();
        });
  }

  private Measured measure(
      String expression, Question question, Metric metric, AnswerBudget budget) {
    long heldBefore = budget.heldBytes();
    SearchRequest search;
    try {
      search =
          SearchRequestParser.DEFAULT.parse(
              StrictJson.parser(JsonBody.bytes(question.search())), Map.of());
    } catch (JacksonException malformed) {
      throw Errors.malformedJson(malformed);
    }
    Page page = new Page(search.page().from(), metric.k());
    SearchResponse found =
        searches.search(
            expression,
            search.withPage(page, search.sort()).withSource(new SourceFilter.Hidden()),
            budget);
    long heldBySearch = budget.heldBytes() - heldBefore;
    Map<DocumentKey, Integer> ratings = new HashMap<>();
    for (RatedDocument judged : question.judged()) {
      ratings.put(judged.document(), judged.rating());
    }
    List<Scored> hits = new ArrayList<>();
    for (Hit hit : found.hits()) {
      DocumentKey document = new DocumentKey(hit.index(), hit.id());
      Integer rating = ratings.get(document);
      RankedDocument ranked =
          new RankedDocument(
              document, rating == null ? OptionalInt.empty() : OptionalInt.of(rating));
      budget.take(AnswerPart.MATCHES, SCORED_BYTES + 2L * hit.id().length());
      hits.add(new Scored(ranked, hit.score()));
    }
    budget.giveBack(heldBySearch);
    List<RankedDocument> ranking = hits.stream().map(Scored::ranked).toList();
    return new Measured(metric.of(ranking, question.judged()), hits);
  }

  private static void write(JsonGenerator json, String id, Measured measured, Metric metric) {
    json.writeName(id);
    json.writeStartObject();
    json.writeNumberProperty("metric_score", measured.value().value());
    json.writeName("unrated_docs");
    json.writeStartArray();
    for (Scored hit : measured.hits()) {
      if (hit.ranked().rating().isEmpty()) {
        json.writeStartObject();
        writeKey(json, hit.ranked().document());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeName("hits");
    json.writeStartArray();
    measured.hits().forEach(hit -> writeHit(json, hit));
    json.writeEndArray();
    json.writeName("metric_details");
    json.writeStartObject();
    json.writeName(metric.metricName());
    json.writeStartObject();
    for (MetricValue.Detail detail : measured.value().details()) {
      json.writeName(detail.name());
      switch (detail.number()) {
        case Integer whole -> json.writeNumber(whole);
        default -> json.writeNumber(detail.number().doubleValue());
      }
    }
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void writeKey(JsonGenerator json, DocumentKey document) {
    json.writeStringProperty("_index", document.index());
    json.writeStringProperty("_id", document.id());
  }

  private static void writeHit(JsonGenerator json, Scored hit) {
    OptionalInt rating = hit.ranked().rating();
    json.writeStartObject();
    json.writeName("hit");
    json.writeStartObject();
    writeKey(json, hit.ranked().document());
    json.writeName("_score");
    Float score = hit.score();
    if (score == null) {
      json.writeNull();
    } else {
      json.writeNumber(score.floatValue());
    }
    json.writeEndObject();
    json.writeName("rating");
    if (rating.isPresent()) {
      json.writeNumber(rating.getAsInt());
    } else {
      json.writeNull();
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String id, SearchException failure) {
    json.writeName(id);
    json.writeStartObject();
    json.writeName("error");
    failure.writeError(json);
    json.writeEndObject();
  }
}
