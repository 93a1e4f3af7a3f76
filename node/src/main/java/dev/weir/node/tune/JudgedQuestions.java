package dev.weir.node.tune;

import dev.weir.search.evaluation.DocumentKey;
import dev.weir.search.evaluation.RatedDocument;
import dev.weir.search.json.ExactJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Questions with the judgements of documents that belong to them. */
public final class JudgedQuestions {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String[] ID_KEYS = {"query_id", "id", "_id"};

  /** So many ids show how they are written. */
  private static final int SHOWN_IDS_MAX = 3;

  private static final String[] RATING_KEYS = {"rating", "gain", "relevance"};

  /**
   * A question.
   *
   * @param values what the query's places are filled with
   */
  public record Question(String id, ObjectNode values, List<RatedDocument> judged) {}

  private JudgedQuestions() {}

  /**
   * Joins questions and judgements, each a JSON object a line. A question has {@code query_id} (or
   * {@code id}); a judgement has that too, {@code _id} of the document and a whole {@code rating}
   * (or {@code gain}), and {@code _index} where the document is not in {@code index}. Questions
   * without a judged document above 0 are left out: every answer to them scores the same.
   *
   * @throws IllegalArgumentException that names the line that cannot be read, or says that no
   *     question has a judgement
   */
  public static List<Question> join(
      List<String> questionLines, List<String> judgementLines, String index) {
    Map<String, List<RatedDocument>> judgedById = new HashMap<>();
    for (int i = 0; i < judgementLines.size(); i++) {
      String place = "judgement in line " + (i + 1);
      ObjectNode judgement = object(judgementLines.get(i), place);
      JsonNode rating = first(judgement, RATING_KEYS, place);
      if (!rating.isIntegralNumber() || rating.asInt() < 0) {
        throw new IllegalArgumentException(place + ": rating is " + rating + ", expected 0, 1, …");
      }
      JsonNode document = judgement.path("_id");
      if (document.isMissingNode()) {
        throw new IllegalArgumentException(place + ": no [_id] of a document");
      }
      judgedById
          .computeIfAbsent(
              first(judgement, new String[] {"query_id"}, place).asString(), _ -> new ArrayList<>())
          .add(
              new RatedDocument(
                  new DocumentKey(judgement.path("_index").asString(index), document.asString()),
                  rating.asInt()));
    }
    List<Question> questions = new ArrayList<>();
    for (int i = 0; i < questionLines.size(); i++) {
      String place = "question in line " + (i + 1);
      ObjectNode values = object(questionLines.get(i), place);
      String id = first(values, ID_KEYS, place).asString();
      List<RatedDocument> judged = judgedById.getOrDefault(id, List.of());
      if (judged.stream().anyMatch(each -> each.rating() > 0)) {
        questions.add(new Question(id, values, List.copyOf(judged)));
      }
    }
    requireJoined(questions, questionLines, judgedById);
    return List.copyOf(questions);
  }

  private static void requireJoined(
      List<Question> questions,
      List<String> questionLines,
      Map<String, List<RatedDocument>> judgedById) {
    if (!questions.isEmpty()) {
      return;
    }
    List<String> ids =
        questionLines.stream()
            .map(line -> first(object(line, "question"), ID_KEYS, "question").asString())
            .toList();
    if (ids.stream().noneMatch(judgedById::containsKey)) {
      throw new IllegalArgumentException(
          "no judgement has the query_id of a question: questions have "
              + some(ids)
              + ", judgements "
              + some(judgedById.keySet().stream().sorted().toList()));
    }
    throw new IllegalArgumentException(
        "no question has a document that is judged above 0, so every answer scores the same");
  }

  private static String some(List<String> ids) {
    List<String> shown = ids.subList(0, Math.min(SHOWN_IDS_MAX, ids.size()));
    return shown + (ids.size() > SHOWN_IDS_MAX ? " and others" : "");
  }

  private static ObjectNode object(String line, String place) {
    JsonNode node;
    try {
      node = MAPPER.readTree(line);
    } catch (tools.jackson.core.JacksonException e) {
      throw new IllegalArgumentException(
          place + " is no JSON: " + ExactJson.malformed(e).reason(), e);
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException(place + " is no JSON object");
  }

  private static JsonNode first(ObjectNode object, String[] keys, String place) {
    for (String key : keys) {
      if (object.has(key)) {
        return object.path(key);
      }
    }
    throw new IllegalArgumentException(place + ": no [" + keys[0] + "]");
  }
}
