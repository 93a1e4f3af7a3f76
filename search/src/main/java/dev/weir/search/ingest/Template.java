package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A text with fields of the document in it: {@code {{field}}} or {@code {{{field}}}}, which mean
 * the same. A field that is not there is nothing; objects and arrays are JSON. Immutable.
 */
final class Template {

  private static final Pattern TAG = Pattern.compile("\\{\\{(\\{?)([^{}]*+)(}?)}}");
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_@.\\-]++");

  private sealed interface Part {
    record Literal(String text) implements Part {}

    record Value(DocumentPath path) implements Part {}
  }

  private final String text;
  private final List<Part> parts;

  private Template(String text, List<Part> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  /**
   * Reads a template.
   *
   * @throws SearchException with 400 if it has more than names between its braces
   */
  static Template of(String text) {
    List<Part> parts = new ArrayList<>();
    Matcher tag = TAG.matcher(text);
    int end = 0;
    while (tag.find()) {
      literal(text.substring(end, tag.start()), text, parts);
      String name = tag.group(2).strip();
      if (!NAME.matcher(name).matches() || tag.group(1).length() != tag.group(3).length()) {
        throw unsupported(text, tag.group());
      }
      parts.add(new Part.Value(DocumentPath.of(name)));
      end = tag.end();
    }
    literal(text.substring(end), text, parts);
    return new Template(text, parts);
  }

  private static void literal(String literal, String text, List<Part> parts) {
    if (literal.contains("{{")) {
      throw unsupported(text, literal);
    }
    if (!literal.isEmpty()) {
      parts.add(new Part.Literal(literal));
    }
  }

  private static SearchException unsupported(String text, String tag) {
    return SearchException.illegalArgument(
        "the template ["
            + Values.shown(text)
            + "] is not supported at ["
            + Values.shown(tag)
            + "]: between {{ and }} stands the name of one field");
  }

  /** Whether it is the same text for every document. */
  boolean isPlain() {
    return parts.stream().allMatch(Part.Literal.class::isInstance);
  }

  /** The text for a document. */
  String render(IngestDocument document) {
    if (parts.size() == 1 && parts.getFirst() instanceof Part.Literal(String literal)) {
      return literal;
    }
    StringBuilder out = new StringBuilder();
    for (Part part : parts) {
      String piece =
          switch (part) {
            case Part.Literal(String literal) -> literal;
            case Part.Value(DocumentPath path) ->
                document.find(path).map(value -> shown(value, document)).orElse("");
          };
      document.spend(piece.length());
      out.append(piece);
    }
    return out.toString();
  }

  private static String shown(JsonNode value, IngestDocument document) {
    if (value.isNull()) {
      return "";
    }
    String scalar = Values.scalarText(value);
    if (scalar != null) {
      return scalar;
    }
    document.measured(value);
    return value.toString();
  }

  @Override
  public String toString() {
    return text;
  }
}
