package dev.weir.rest;

import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerBudget;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * The URL parameters that every route understands, applied to the finished answer. Immutable.
 *
 * @param pretty whether JSON is indented
 * @param keep paths of which one must name a member; empty for all
 * @param drop paths that remove members
 */
record CommonParameters(boolean pretty, Set<List<String>> keep, Set<List<String>> drop) {
  static final Set<String> NAMES =
      Set.of("pretty", "human", "error_trace", "filter_path", "format");

  /** Nothing asked. */
  static final CommonParameters NONE =
      new CommonParameters(/* pretty= */ false, Set.of(), Set.of());

  /** Patterns of one request; OpenSearch's clients send a handful. */
  private static final int PATTERNS_MAX = 1_000;

  private static final JsonFactory FACTORY = new JsonFactory();

  /**
   * Reads them. A pattern of {@code filter_path} is a dotted path in which {@code *} stands for any
   * part of a name and {@code **} for any number of levels; one that begins with a minus sign
   * removes.
   *
   * @throws SearchException 400 if a value is not understood
   */
  static CommonParameters of(Map<String, String> parameters) {
    String format = parameters.getOrDefault("format", "json");
    if (!format.equals("json") && !format.equals("text")) {
      throw SearchException.illegalArgument(
          "format [" + format + "] is not served; use [json], or [text] with _cat");
    }
    String pretty = parameters.getOrDefault("pretty", "false");
    Set<List<String>> keep = new LinkedHashSet<>();
    Set<List<String>> drop = new LinkedHashSet<>();
    for (String pattern : parameters.getOrDefault("filter_path", "").split(",", PATTERNS_MAX)) {
      if (pattern.startsWith("-")) {
        drop.add(List.of(pattern.substring(1).split("\\.", -1)));
      } else if (!pattern.isEmpty()) {
        keep.add(List.of(pattern.split("\\.", -1)));
      }
    }
    return new CommonParameters(!pretty.equals("false"), keep, drop);
  }

  /**
   * Filters and indents a JSON answer; others pass unchanged.
   *
   * @param budget takes the memory for what is made of it; what it holds of the answer stays held
   * @throws SearchException 429 if there is no memory for it
   */
  RestResponse applyTo(RestResponse response, AnswerBudget budget) {
    if (!response.contentType().startsWith("application/json") || response.body().size() == 0) {
      return response;
    }
    return pretty || !keep.isEmpty() || !drop.isEmpty()
        ? response.withBody(rewritten(response.body(), budget))
        : response;
  }

  /** In one pass, from piece to piece: neither the answer in one array nor a tree of it. */
  private AnswerBody rewritten(AnswerBody body, AnswerBudget budget) {
    AnswerBody.Writer out = new AnswerBody.Writer(budget);
    ObjectWriteContext form = pretty ? new Indented() : ObjectWriteContext.empty();
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), body.input());
        JsonGenerator generator = FACTORY.createGenerator(form, out)) {
      new AnswerFilter(parser, generator, budget)
          .copy(
              keep.isEmpty() ? AnswerPaths.everything() : AnswerPaths.of(keep),
              AnswerPaths.of(drop));
    }
    if (pretty) {
      out.write('\n');
    }
    return out.body();
  }

  private static final class Indented extends ObjectWriteContext.Base {
    @Override
    public PrettyPrinter getPrettyPrinter() {
      return new DefaultPrettyPrinter();
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }
}
