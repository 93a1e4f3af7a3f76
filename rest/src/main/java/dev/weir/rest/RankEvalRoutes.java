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
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SearchRequest.Page;
import dev.weir.search.request.SearchRequestParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;

/** Measures how well searches answer questions, by documents that people have judged. */
final class RankEvalRoutes {
  /** How one question went. */
  private record Measured(MetricValue value, List<Hit> hits, List<RankedDocument> ranked) {}

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
      try {
        measuredById.put(question.id(), measure(expression, question, body.metric()));
      } catch (SearchException failure) {
        failureById.put(question.id(), failure);
      }
    }
    double mean =
        measuredById.values().stream()
            .mapToDouble(each -> each.value().value())
            .average()
            .orElse(0);
    return RestResponse.json(
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

  private Measured measure(String expression, Question question, Metric metric) {
    SearchRequest search;
    try {
      search =
          SearchRequestParser.DEFAULT.parse(
              StrictJson.parser(JsonBody.bytes(question.search())), Map.of());
    } catch (JacksonException malformed) {
      throw Errors.malformedJson(malformed);
    }
    Page page = new Page(search.page().from(), metric.k());
    SearchResponse found = searches.search(expression, search.withPage(page, search.sort()));
    Map<DocumentKey, Integer> ratings = new HashMap<>();
    for (RatedDocument judged : question.judged()) {
      ratings.put(judged.document(), judged.rating());
    }
    List<RankedDocument> ranked = new ArrayList<>();
    for (Hit hit : found.hits()) {
      DocumentKey document = new DocumentKey(hit.index(), hit.id());
      Integer rating = ratings.get(document);
      ranked.add(
          new RankedDocument(
              document, rating == null ? OptionalInt.empty() : OptionalInt.of(rating)));
    }
    return new Measured(metric.of(ranked, question.judged()), found.hits(), List.copyOf(ranked));
  }

  private static void write(JsonGenerator json, String id, Measured measured, Metric metric) {
    json.writeName(id);
    json.writeStartObject();
    json.writeNumberProperty("metric_score", measured.value().value());
    json.writeName("unrated_docs");
    json.writeStartArray();
    for (RankedDocument ranked : measured.ranked()) {
      if (ranked.rating().isEmpty()) {
        json.writeStartObject();
        json.writeStringProperty("_index", ranked.document().index());
        json.writeStringProperty("_id", ranked.document().id());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeName("hits");
    json.writeStartArray();
    for (int i = 0; i < measured.hits().size(); i++) {
      writeHit(json, measured.hits().get(i), measured.ranked().get(i).rating());
    }
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

  private static void writeHit(JsonGenerator json, Hit hit, OptionalInt rating) {
    json.writeStartObject();
    json.writeName("hit");
    json.writeStartObject();
    json.writeStringProperty("_index", hit.index());
    json.writeStringProperty("_id", hit.id());
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
