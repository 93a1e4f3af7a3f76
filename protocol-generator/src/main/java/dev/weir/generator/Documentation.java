package dev.weir.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Doc comments out of the plain text of a specification. */
final class Documentation {
  private static final int COLUMNS = 90;
  private static final Pattern SPACES = Pattern.compile("\\s+");

  private Documentation() {}

  /** The lines of a doc comment, wrapped; each paragraph starts on a line of its own. */
  static List<String> comment(List<String> paragraphs) {
    List<String> lines = new ArrayList<>();
    lines.add("/**");
    for (String paragraph : paragraphs) {
      StringBuilder line = new StringBuilder(" *");
      for (String word : SPACES.splitAsStream(paragraph).toList()) {
        if (line.length() + word.length() >= COLUMNS) {
          lines.add(line.toString());
          line = new StringBuilder(" *    ");
        }
        line.append(' ').append(word);
      }
      lines.add(line.toString());
    }
    lines.add(" */");
    return lines;
  }

  /** Text that means nothing to javadoc but itself. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("@", "&#64;")
        .replace("*/", "*&#47;")
        .replace("{", "&#123;")
        .replace("\\", "&#92;");
  }
}
