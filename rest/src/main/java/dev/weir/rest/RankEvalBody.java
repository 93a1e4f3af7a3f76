package dev.weir.rest;

import dev.weir.search.error.SearchException;
import dev.weir.search.evaluation.DocumentKey;
import dev.weir.search.evaluation.Metric;
import dev.weir.search.evaluation.Metric.Ideal;
import dev.weir.search.evaluation.Metric.Unjudged;
import dev.weir.search.evaluation.RatedDocument;
import dev.weir.search.json.KnownNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a {@code _rank_eval}: questions with their judgements, and what to measure.
 *
 * @param questions at least one; ids are unique
 */
record RankEvalBody(List<Question> questions, Metric metric) {
  /** Number of questions, each of which is a search. */
  private static final int QUESTIONS_MAX = 10_000;

  /** Hits of all questions together, which are held until the answer is written. */
  private static final int HITS_MAX = 1_000_000;

  private static final Set<String> KEYS = Set.of("requests", "metric", "max_concurrent_searches");
  private static final Set<String> QUESTION_KEYS = Set.of("id", "request", "ratings");
  private static final Set<String> RATING_KEYS = Set.of("_index", "_id", "rating");

  /** What a search for an evaluation may not ask for: it would be work for nobody. */
  private static final Set<String> NOT_IN_SEARCH =
      Set.of("aggs", "aggregations", "suggest", "highlight", "explain", "profile");

  /**
   * One question.
   *
   * @param search the body of its search
   */
  record Question(String id, ObjectNode search, List<RatedDocument> judged) {}

  /**
   * Reads a body.
   *
   * @throws SearchException 400 that names what is wrong
   */
  static RankEvalBody read(byte[] body) {
    ObjectNode root = JsonBody.object(body);
    refuseOthers("rank_eval", root, KEYS);
    JsonNode requests = root.path("requests");
    if (!requests.isArray() || requests.isEmpty()) {
      throw SearchException.illegalArgument(
          "[requests] must be an array of at least one question with [id], [request], [ratings]");
    }
    if (requests.size() > QUESTIONS_MAX) {
      throw SearchException.illegalArgument(
          "[requests] has " + requests.size() + " questions, expected at most " + QUESTIONS_MAX);
    }
    Metric metric = metric(root.path("metric"));
    if ((long) requests.size() * metric.k() > HITS_MAX) {
      throw SearchException.illegalArgument(
          "[k] is "
              + metric.k()
              + " for "
              + requests.size()
              + " questions, expected at most "
              + HITS_MAX
              + " hits in all");
    }
    List<Question> questions = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (JsonNode request : requests) {
      Question question = question(request, metric);
      if (!ids.add(question.id())) {
        throw SearchException.illegalArgument(
            "Found duplicate rated request id [" + question.id() + "]");
      }
      questions.add(question);
    }
    return new RankEvalBody(List.copyOf(questions), metric);
  }

  private static Question question(JsonNode request, Metric metric) {
    if (request.has("template_id") || request.has("params")) {
      throw SearchException.illegalArgument(
          "search templates are not supported here: write the search into [request]");
    }
    ObjectNode object = object("requests", request);
    refuseOthers("request", object, QUESTION_KEYS);
    String id = object.path("id").asString("");
    if (id.isEmpty()) {
      throw SearchException.illegalArgument("a question in [requests] needs an [id]");
    }
    ObjectNode search = object("request", object.path("request"));
    for (String key : search.propertyNames()) {
      if (NOT_IN_SEARCH.contains(key)) {
        throw SearchException.illegalArgument(
            "Query in rated requests should not contain [" + key + "]: question [" + id + "]");
      }
    }
    return new Question(id, search, judged(id, object.path("ratings"), metric));
  }

  private static List<RatedDocument> judged(String id, JsonNode ratings, Metric metric) {
    if (!ratings.isArray()) {
      throw SearchException.illegalArgument("[ratings] of question [" + id + "] must be an array");
    }
    List<RatedDocument> judged = new ArrayList<>();
    Set<DocumentKey> seen = new HashSet<>();
    for (JsonNode rating : ratings) {
      ObjectNode object = object("ratings", rating);
      refuseOthers("ratings", object, RATING_KEYS);
      DocumentKey document =
          new DocumentKey(object.path("_index").asString(""), object.path("_id").asString(""));
      JsonNode value = object.path("rating");
      if (document.index().isEmpty() || document.id().isEmpty() || !value.isInt()) {
        throw SearchException.illegalArgument(
            "a judgement of question [" + id + "] needs [_index], [_id] and a whole [rating]");
      }
      if (!seen.add(document)) {
        throw SearchException.illegalArgument(
            "Found duplicate rated document key ["
                + object
                + "] in evaluation request ["
                + id
                + "]");
      }
      judged.add(new RatedDocument(document, bounded(id, value.asInt(), metric)));
    }
    return judged;
  }

  private static int bounded(String id, int rating, Metric metric) {
    int most =
        switch (metric) {
          case Metric.ExpectedReciprocalRank graded -> graded.maximumRelevance();
          case Metric.Precision _,
              Metric.Recall _,
              Metric.ReciprocalRank _,
              Metric.CumulativeGain _ ->
              Integer.MAX_VALUE;
        };
    if (rating < 0 || rating > most) {
      throw SearchException.illegalArgument(
          "[rating] of question [" + id + "] is " + rating + ", expected 0.." + most);
    }
    return rating;
  }

  private static Metric metric(JsonNode node) {
    ObjectNode object = object("metric", node);
    if (object.size() != 1) {
      throw SearchException.illegalArgument(
          "[metric] must name one metric, found " + object.propertyNames());
    }
    Map.Entry<String, JsonNode> only = object.properties().iterator().next();
    ObjectNode settings = object(only.getKey(), only.getValue());
    try {
      return metric(only.getKey(), settings);
    } catch (IllegalArgumentException refused) {
      throw SearchException.illegalArgument(
          "metric [" + only.getKey() + "]: " + refused.getMessage());
    }
  }

  private static Metric metric(String name, ObjectNode settings) {
    int k = whole(settings, "k", Metric.DEFAULT_K);
    int relevantFrom = whole(settings, "relevant_rating_threshold", Metric.DEFAULT_RELEVANT_FROM);
    return switch (name) {
      case "precision" -> {
        refuseOthers(name, settings, Set.of("k", "relevant_rating_threshold", "ignore_unlabeled"));
        Unjudged unjudged =
            flag(settings, "ignore_unlabeled") ? Unjudged.PASSED_OVER : Unjudged.IRRELEVANT;
        yield new Metric.Precision(k, relevantFrom, unjudged);
      }
      case "recall" -> {
        refuseOthers(name, settings, Set.of("k", "relevant_rating_threshold"));
        yield new Metric.Recall(k, relevantFrom);
      }
      case "mean_reciprocal_rank" -> {
        refuseOthers(name, settings, Set.of("k", "relevant_rating_threshold"));
        yield new Metric.ReciprocalRank(k, relevantFrom);
      }
      case "dcg" -> {
        refuseOthers(name, settings, Set.of("k", "normalize"));
        yield new Metric.CumulativeGain(
            k, flag(settings, "normalize") ? Ideal.DIVIDES : Ideal.NOT_USED);
      }
      case "expected_reciprocal_rank" -> {
        refuseOthers(name, settings, Set.of("k", "maximum_relevance"));
        if (!settings.has("maximum_relevance")) {
          throw new IllegalArgumentException("[maximum_relevance] is required");
        }
        yield new Metric.ExpectedReciprocalRank(k, whole(settings, "maximum_relevance", 0));
      }
      default ->
          throw new IllegalArgumentException(
              "unknown; expected precision, recall, mean_reciprocal_rank, dcg or"
                  + " expected_reciprocal_rank"
                  + KnownNames.of(
                          "precision",
                          "recall",
                          "mean_reciprocal_rank",
                          "dcg",
                          "expected_reciprocal_rank")
                      .hint(name));
    };
  }

  private static int whole(ObjectNode settings, String key, int unsaid) {
    JsonNode value = settings.path(key);
    if (value.isMissingNode()) {
      return unsaid;
    }
    if (!value.isInt()) {
      throw new IllegalArgumentException("[" + key + "] is " + value + ", expected a whole number");
    }
    return value.asInt();
  }

  private static boolean flag(ObjectNode settings, String key) {
    JsonNode value = settings.path(key);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw new IllegalArgumentException("[" + key + "] is " + value + ", expected true or false");
    }
    return value.asBoolean(false);
  }

  private static ObjectNode object(String name, JsonNode node) {
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw SearchException.illegalArgument(
        "[" + name + "] must be an object, found [" + node.getNodeType() + "]");
  }

  private static void refuseOthers(String owner, ObjectNode object, Set<String> known) {
    for (String key : object.propertyNames()) {
      if (!known.contains(key)) {
        throw SearchException.illegalArgument(
            "["
                + owner
                + "] unknown field ["
                + key
                + "], expected one of "
                + sorted(known)
                + KnownNames.of(known).hint(key));
      }
    }
  }

  private static List<String> sorted(Set<String> names) {
    return names.stream().sorted().toList();
  }
}
