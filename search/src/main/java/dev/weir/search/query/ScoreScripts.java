package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reader of scripts that make scores; one object a script, one thread. */
final class ScoreScripts {

  private static final String OWNER = "script";
  private static final String PAINLESS = "painless";
  private static final String KNN = "knn";
  private static final String KNN_SCORE = "knn_score";

  private static final KnownNames KEYS = KnownNames.of("source", "lang", "params");

  private final JsonReader in;
  private final Map<String, ScriptParam> params = new TreeMap<>();
  private @Nullable String source;
  private String language = PAINLESS;

  private ScoreScripts(JsonReader in) {
    this.in = in;
  }

  /** Reads a script, which is an object, or a string that is its source. */
  static ScoreScript read(JsonReader in) {
    ScoreScripts read = new ScoreScripts(in);
    if (in.at(JsonToken.START_OBJECT)) {
      read.object();
    } else {
      read.source = in.text(OWNER);
    }
    return read.build();
  }

  private void object() {
    while (in.nextKey()) {
      switch (in.key()) {
        case "source", "inline" -> source = in.text(OWNER);
        case "lang" -> language = in.text(OWNER);
        case "params" -> params();
        default -> throw in.unsupportedKey(OWNER, KEYS);
      }
    }
  }

  private void params() {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.illegalArgument("[script] [params] must be an object");
    }
    while (in.nextKey()) {
      String name = in.key();
      if (in.at(JsonToken.START_ARRAY)) {
        params.put(name, new ScriptParam.Vector(QueryVector.of(array(name))));
      } else if (in.atNumber()) {
        params.put(name, new ScriptParam.Scalar(in.decimal(OWNER)));
      } else {
        params.put(name, new ScriptParam.Text(in.text(OWNER)));
      }
    }
  }

  private float[] array(String name) {
    float[] values = new float[128];
    int count = 0;
    while (in.next() != JsonToken.END_ARRAY) {
      if (!in.atNumber()) {
        throw in.illegalArgument(
            "[script] parameter [" + name + "] must be a number, a text or an array of numbers");
      }
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count] = in.decimal(OWNER);
      count++;
    }
    return Arrays.copyOf(values, count);
  }

  private ScoreScript build() {
    if (source == null) {
      throw in.illegalArgument("[script] requires a [source]");
    }
    String text = source.strip();
    return switch (language) {
      case PAINLESS -> formula(text);
      case KNN -> nearness(text);
      default ->
          throw in.illegalArgument(
              "[script] language [" + language + "] is not supported; use [painless] or [knn]");
    };
  }

  private ScoreScript formula(String text) {
    if (text.equals(KNN_SCORE)) {
      throw in.illegalArgument(
          "[script] source [knn_score] is of the language [knn]; say \"lang\": \"knn\" beside it");
    }
    if (text.equals("_score")) {
      return new ScoreScript.QueryScore();
    }
    try {
      return new ScoreScript.Constant(Double.parseDouble(text));
    } catch (NumberFormatException _) {
      return ScoreScript.Computed.of(text, params);
    }
  }

  private ScoreScript nearness(String text) {
    if (!text.equals(KNN_SCORE)) {
      throw in.illegalArgument(
          "[script] source [" + text + "] is unknown in language [knn]; it has [knn_score] only");
    }
    if (!(params.get("query_value") instanceof ScriptParam.Vector(QueryVector vector))) {
      throw in.illegalArgument(
          "[knn_score] needs the parameter [query_value], an array of numbers");
    }
    return new ScoreScript.Nearness(word("field"), vector, word("space_type"));
  }

  private String word(String name) {
    if (params.get(name) instanceof ScriptParam.Text(String value)) {
      return value;
    }
    throw in.illegalArgument("[knn_score] needs the parameter [" + name + "], a text");
  }
}
