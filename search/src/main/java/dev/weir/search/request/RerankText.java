package dev.weir.search.request;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** The text that hits are reranked for ({@code ext.rerank.query_context} of a request). */
public sealed interface RerankText {

  /** As it stands there. */
  record Said(String text) implements RerankText {}

  /** As it stands somewhere in the request, such as {@code query.neural.v.query_text}. */
  record At(String path) implements RerankText {}

  /** Reads {@code ext}; null if it says nothing. */
  static @Nullable RerankText readExt(JsonReader in) {
    RerankText text = null;
    if (in.at(JsonToken.VALUE_NULL)) {
      return null;
    }
    requireObject(in, "ext");
    while (in.nextKey()) {
      String name = in.key();
      if (name.equals("rerank")) {
        text = rerank(in);
      } else if (in.asksForSomething()) {
        throw in.illegalArgument("search option [ext." + name + "] is not supported");
      }
    }
    return text;
  }

  private static @Nullable RerankText rerank(JsonReader in) {
    RerankText text = null;
    requireObject(in, "ext.rerank");
    while (in.nextKey()) {
      if (!in.key().equals("query_context")) {
        throw in.parsing(
            "[ext.rerank] has no ["
                + in.key()
                + "], only [query_context]"
                + KnownNames.of("query_context").hint(in.key()));
      }
      text = context(in);
    }
    return text;
  }

  private static RerankText context(JsonReader in) {
    RerankText text = null;
    requireObject(in, "ext.rerank.query_context");
    while (in.nextKey()) {
      String name = in.key();
      if (text != null) {
        throw in.parsing(
            "[ext.rerank.query_context] takes one of [query_text] and [query_text_path], not more");
      }
      text =
          switch (name) {
            case "query_text" -> new Said(in.text("rerank"));
            case "query_text_path" -> new At(in.text("rerank"));
            default ->
                throw in.parsing(
                    "[ext.rerank.query_context] has no ["
                        + name
                        + "], only [query_text] and [query_text_path]"
                        + KnownNames.of("query_text", "query_text_path").hint(name));
          };
    }
    if (text == null) {
      throw in.parsing("[ext.rerank.query_context] needs a [query_text] or a [query_text_path]");
    }
    return text;
  }

  private static void requireObject(JsonReader in, String name) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[" + name + "] must be an object, found [" + in.tokenName() + "]");
    }
  }
}
