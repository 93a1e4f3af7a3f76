package dev.weir.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page that lists what a search can say, as far as tests compare it with what is read. */
public final class SearchPage {
  private static final Path PAGE = Path.of("..", "docs", "search.md");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private SearchPage() {}

  /** The names in the first column of a section's tables, subsections included, in their order. */
  public static List<String> listed(String section) {
    List<String> names = new ArrayList<>();
    for (String row : section(section).lines().toList()) {
      if (row.startsWith("| `")) {
        names.addAll(names(row.split("\\|", -1)[1]));
      }
    }
    return names;
  }

  /** The names in the first column of the row that has a text in its second. */
  public static List<String> listed(String section, String second) {
    for (String row : section(section).lines().toList()) {
      String[] cells = row.split("\\|", -1);
      if (cells.length > 2 && cells[2].contains(second)) {
        return names(cells[1]);
      }
    }
    throw new AssertionError("no row with " + second + " under " + section);
  }

  /** The text of a section, subsections included. */
  public static String section(String title) {
    try {
      String page = Files.readString(PAGE, StandardCharsets.UTF_8);
      int start = page.indexOf("\n## " + title + "\n");
      if (start < 0) {
        throw new AssertionError("no section " + title + " in " + PAGE);
      }
      int end = page.indexOf("\n## ", start + 1);
      return page.substring(start, end < 0 ? page.length() : end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> names(String cell) {
    Matcher name = NAME.matcher(cell);
    List<String> names = new ArrayList<>();
    while (name.find()) {
      names.add(name.group(1));
    }
    return names;
  }
}
