package dev.weir.rest;

import dev.weir.search.error.SearchException;
import dev.weir.search.request.NamePattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A table as the cat APIs show it: text in columns, or JSON in which all values are strings.
 * Immutable.
 */
record CatTable(List<Column> columns, List<List<Cell>> rows) {
  /** URL parameters that shape a table. */
  static final Set<String> PARAMETERS =
      Set.of("v", "h", "s", "bytes", "time", "format", "help", "local");

  /** When a column is shown. */
  enum Shown {
    BY_DEFAULT,
    ON_REQUEST
  }

  /** A column, by its name and the other names it is asked for by. */
  record Column(String name, List<String> aliases, String description, Shown shown) {
    /** A column that is shown unless others are chosen. */
    static Column column(String name, String description, String... aliases) {
      return new Column(name, List.of(aliases), description, Shown.BY_DEFAULT);
    }

    /** A column that is shown where it is asked for. */
    static Column hidden(String name, String description, String... aliases) {
      return new Column(name, List.of(aliases), description, Shown.ON_REQUEST);
    }

    boolean isNamed(String asked) {
      return name.equals(asked) || aliases.contains(asked);
    }
  }

  /** A value with its type, which decides how it is written, aligned and sorted. */
  sealed interface Cell {
    /** A text. */
    record Text(String value) implements Cell {}

    /** A whole number. */
    record Count(long value) implements Cell {}

    /** A size in bytes. */
    record Size(long bytes) implements Cell {}

    /** Unknown, such as a figure of an index that is not open. */
    record Unknown() implements Cell {}
  }

  private static final List<String> UNITS = List.of("b", "kb", "mb", "gb", "tb", "pb");

  /** The table in the form that the request asks for; the route must know {@link #PARAMETERS}. */
  RestResponse answer(RestRequest request) {
    if (request.flag("help")) {
      return RestResponse.text(200, help());
    }
    List<Integer> shown = chosen(request.parameter("h"));
    List<List<Cell>> sorted = sorted(request.parameter("s"));
    Optional<String> unit = request.parameter("bytes");
    unit.filter(asked -> !UNITS.contains(longUnit(asked)))
        .ifPresent(
            asked -> {
              throw SearchException.illegalArgument("unknown unit of sizes bytes=[" + asked + "]");
            });
    return request.parameter("format").orElse("text").equals("json")
        ? json(shown, sorted, unit)
        : RestResponse.text(200, text(shown, sorted, unit, request.flag("v")));
  }

  private String help() {
    int width = columns.stream().mapToInt(column -> column.name().length()).max().orElse(0);
    StringBuilder help = new StringBuilder();
    for (Column column : columns) {
      help.append(column.name())
          .repeat(' ', width - column.name().length())
          .append(" | ")
          .append(column.aliases().isEmpty() ? "-" : String.join(",", column.aliases()))
          .append(" | ")
          .append(column.description())
          .append('\n');
    }
    return help.toString();
  }

  /**
   * Numbers of the columns to show; a name may have wildcards, and one that is unknown is nothing.
   */
  private List<Integer> chosen(Optional<String> names) {
    List<Integer> chosen = new ArrayList<>();
    if (names.isEmpty()) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).shown() == Shown.BY_DEFAULT) {
          chosen.add(i);
        }
      }
      return chosen;
    }
    for (String name : names.get().split(",", -1)) {
      for (int i = 0; i < columns.size(); i++) {
        boolean matches =
            name.contains("*")
                ? NamePattern.of(name).matches(columns.get(i).name())
                : columns.get(i).isNamed(name);
        if (matches && !chosen.contains(i)) {
          chosen.add(i);
        }
      }
    }
    return chosen;
  }

  private List<List<Cell>> sorted(Optional<String> keys) {
    if (keys.isEmpty()) {
      return rows;
    }
    Comparator<List<Cell>> order = (_, _) -> 0;
    for (String key : keys.get().split(",", -1)) {
      int colon = key.indexOf(':');
      String name = colon < 0 ? key : key.substring(0, colon);
      String direction = colon < 0 ? "asc" : key.substring(colon + 1).toLowerCase(Locale.ROOT);
      if (!direction.equals("asc") && !direction.equals("desc")) {
        throw SearchException.illegalArgument(
            "order of [" + name + "] must be [asc] or [desc], found [" + direction + "]");
      }
      Comparator<List<Cell>> next = byColumn(name);
      order = order.thenComparing(direction.equals("asc") ? next : next.reversed());
    }
    return rows.stream().sorted(order).toList();
  }

  private Comparator<List<Cell>> byColumn(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).isNamed(name)) {
        int column = i;
        return (left, right) -> compare(left.get(column), right.get(column));
      }
    }
    throw SearchException.illegalArgument("Unable to sort by unknown sort key [" + name + "]");
  }

  private static int compare(Cell left, Cell right) {
    if (left instanceof Cell.Text(String a) && right instanceof Cell.Text(String b)) {
      return a.compareTo(b);
    }
    return Long.compare(number(left), number(right));
  }

  private static long number(Cell cell) {
    return switch (cell) {
      case Cell.Count(long value) -> value;
      case Cell.Size(long bytes) -> bytes;
      case Cell.Text _, Cell.Unknown _ -> -1;
    };
  }

  private RestResponse json(List<Integer> shown, List<List<Cell>> sorted, Optional<String> unit) {
    return RestResponse.json(
        200,
        json -> {
          json.writeStartArray();
          for (List<Cell> row : sorted) {
            json.writeStartObject();
            for (int column : shown) {
              json.writeName(columns.get(column).name());
              if (row.get(column) instanceof Cell.Unknown) {
                json.writeNull();
              } else {
                json.writeString(text(row.get(column), unit));
              }
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private String text(
      List<Integer> shown, List<List<Cell>> sorted, Optional<String> unit, boolean heading) {
    List<List<String>> lines = new ArrayList<>();
    if (heading) {
      lines.add(shown.stream().map(column -> columns.get(column).name()).toList());
    }
    for (List<Cell> row : sorted) {
      lines.add(shown.stream().map(column -> text(row.get(column), unit)).toList());
    }
    int[] widths = new int[shown.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).codePointCount(0, line.get(i).length()));
      }
    }
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < lines.size(); row++) {
      for (int i = 0; i < widths.length; i++) {
        boolean right = isRight(sorted, shown.get(i));
        append(text, lines.get(row).get(i), widths[i], right, i == widths.length - 1);
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static boolean isRight(List<List<Cell>> rows, int column) {
    return !rows.isEmpty() && rows.stream().noneMatch(row -> row.get(column) instanceof Cell.Text);
  }

  private static void append(
      StringBuilder text, String value, int width, boolean right, boolean last) {
    int padding = width - value.codePointCount(0, value.length());
    if (right) {
      text.repeat(' ', padding).append(value);
    } else {
      text.append(value);
      if (!last) {
        text.repeat(' ', padding);
      }
    }
    if (!last) {
      text.append(' ');
    }
  }

  private static String text(Cell cell, Optional<String> unit) {
    return switch (cell) {
      case Cell.Text(String value) -> value;
      case Cell.Count(long value) -> Long.toString(value);
      case Cell.Size(long bytes) ->
          unit.map(asked -> Long.toString(bytes / unitBytes(asked))).orElseGet(() -> size(bytes));
      case Cell.Unknown() -> "";
    };
  }

  private static long unitBytes(String unit) {
    return 1L << (10 * UNITS.indexOf(longUnit(unit)));
  }

  private static String longUnit(String unit) {
    return unit.equals("b") || unit.endsWith("b") ? unit : unit + "b";
  }

  /** A size for people: the largest unit that leaves a number before the point, one digit after. */
  static String size(long bytes) {
    int unit = 0;
    while (unit < UNITS.size() - 1 && bytes >= 1L << (10 * (unit + 1))) {
      unit++;
    }
    if (unit == 0) {
      return bytes + "b";
    }
    double value = (double) bytes / (1L << (10 * unit));
    double oneDigit = Math.floor(value * 10) / 10;
    return oneDigit == Math.rint(oneDigit)
        ? (long) oneDigit + UNITS.get(unit)
        : oneDigit + UNITS.get(unit);
  }
}
