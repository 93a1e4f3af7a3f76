package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reader of scripts that make scores. */
final class ScoreScripts {

  private static final String OWNER = "script";

  private ScoreScripts() {}

  /** Reads a script, which is an object, or a string that is its source. */
  static ScoreScript read(JsonReader in) {
    String source = null;
    if (!in.at(JsonToken.START_OBJECT)) {
      return of(in, in.text(OWNER));
    }
    while (in.nextKey()) {
      switch (in.key()) {
        case "source", "inline" -> source = in.text(OWNER);
        case "lang" -> requirePainless(in, in.text(OWNER));
        case "params" -> in.skip();
        default -> throw in.unsupportedKey(OWNER, in.key());
      }
    }
    return of(in, source);
  }

  private static ScoreScript of(JsonReader in, @Nullable String source) {
    if (source == null) {
      throw in.illegalArgument("[script] requires a [source]");
    }
    String text = source.strip();
    if (text.equals("_score")) {
      return new ScoreScript.QueryScore();
    }
    try {
      return new ScoreScript.Constant(Double.parseDouble(text));
    } catch (NumberFormatException _) {
      throw in.illegalArgument(
          "[script] source ["
              + text
              + "] is not supported: a source is [_score] or a number. For the value of a field use"
              + " [function_score] with [field_value_factor] or a decay function");
    }
  }

  private static void requirePainless(JsonReader in, String language) {
    if (!language.equals("painless")) {
      throw in.illegalArgument("[script] language [" + language + "] is not supported");
    }
  }
}
