package dev.weir.search.ingest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Splits a text at a pattern. */
record SplitText(Target target, Pattern separator, Trailing trailing) implements Processor.Change {

  /** What becomes of empty pieces at the end. */
  enum Trailing {
    /** They are left out. */
    LEFT_OUT,
    /** They stay. */
    KEPT
  }

  @Override
  public String type() {
    return "split";
  }

  @Override
  public void apply(IngestDocument document) {
    Optional<JsonNode> found = target.value(document);
    if (found.isEmpty()) {
      return;
    }
    String text = Values.requireText(found.get(), target.field().text());
    List<String> pieces =
        BoundedRegex.with(
            separator, text, document.looks(), matcher -> pieces(text, matcher, document));
    ArrayNode array = Values.NODES.arrayNode();
    pieces.forEach(array::add);
    target.put(document, array);
  }

  /** As {@link String#split(String, int)} does; a match of nothing at the start is none. */
  private List<String> pieces(String text, Matcher matcher, IngestDocument document) {
    long chars = 0;
    List<String> pieces = new ArrayList<>();
    int start = 0;
    while (matcher.find()) {
      if (matcher.end() > 0) {
        chars += 3 + matcher.start() - start;
        document.requireRoom(chars);
        pieces.add(text.substring(start, matcher.start()));
        start = matcher.end();
      }
    }
    pieces.add(text.substring(start));
    while (trailing == Trailing.LEFT_OUT && pieces.size() > 1 && pieces.getLast().isEmpty()) {
      pieces.removeLast();
    }
    return pieces;
  }
}
