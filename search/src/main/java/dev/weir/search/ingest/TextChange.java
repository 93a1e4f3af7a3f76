package dev.weir.search.ingest;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Rewrites a text, or each text of an array. */
record TextChange(Kind kind, Target target) implements Processor.Change {

  /** How. */
  sealed interface Kind {
    /** To lower case. */
    record Lowercase() implements Kind {}

    /** To upper case. */
    record Uppercase() implements Kind {}

    /** Without blanks at both ends. */
    record Trim() implements Kind {}

    /** With what a pattern matches replaced. */
    record Replace(Pattern pattern, String replacement) implements Kind {}
  }

  @Override
  public String type() {
    return switch (kind) {
      case Kind.Lowercase() -> "lowercase";
      case Kind.Uppercase() -> "uppercase";
      case Kind.Trim() -> "trim";
      case Kind.Replace _ -> "gsub";
    };
  }

  @Override
  public void apply(IngestDocument document) {
    Optional<JsonNode> found = target.value(document);
    if (found.isEmpty()) {
      return;
    }
    if (found.get() instanceof ArrayNode array) {
      document.looks().spend(array.size());
      document.measured(array); // what comes out is as long, or counted where it is longer
      ArrayNode changed = Values.NODES.arrayNode();
      for (JsonNode element : array) {
        changed.add(changed(element, document));
      }
      target.put(document, changed);
    } else {
      target.put(document, Values.text(changed(found.get(), document)));
    }
  }

  private String changed(JsonNode value, IngestDocument document) {
    String text = Values.requireText(value, target.field().text());
    document.looks().spend(text.length());
    return switch (kind) {
      case Kind.Lowercase() -> text.toLowerCase(Locale.ROOT);
      case Kind.Uppercase() -> text.toUpperCase(Locale.ROOT);
      case Kind.Trim() -> text.trim();
      case Kind.Replace(Pattern pattern, String replacement) ->
          BoundedRegex.with(
              pattern, text, document.looks(), matcher -> replaced(matcher, replacement, document));
    };
  }

  /** Like replaceAll, counting what comes out: a replacement may be longer than what it is for. */
  private static String replaced(Matcher matcher, String replacement, IngestDocument document) {
    StringBuilder out = new StringBuilder();
    int counted = 0;
    while (matcher.find()) {
      matcher.appendReplacement(out, replacement);
      document.spend(out.length() - counted);
      counted = out.length();
    }
    return matcher.appendTail(out).toString();
  }
}
