package dev.weir.broker.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every property that a broker knows: those of Apache Kafka 4.4 and Weir's own, read from the table
 * {@code broker-properties.tsv} beside this class. Immutable.
 */
public final class BrokerProperties {
  private static final String TABLE = "broker-properties.tsv";

  private final Map<String, BrokerProperty> propertyByName;

  private BrokerProperties(Map<String, BrokerProperty> propertyByName) {
    this.propertyByName = Collections.unmodifiableMap(propertyByName);
  }

  /** Reads the table. */
  static BrokerProperties read() {
    Map<String, BrokerProperty> byName = new LinkedHashMap<>();
    InputStream table = BrokerProperties.class.getResourceAsStream(TABLE);
    if (table == null) {
      throw new IllegalStateException("the table " + TABLE + " is missing from the module");
    }
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("#")) {
          BrokerProperty property = property(line);
          byName.put(property.name(), property);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the table " + TABLE, e);
    }
    return new BrokerProperties(byName);
  }

  /** All properties in order of their names. */
  public Collection<BrokerProperty> all() {
    return propertyByName.values();
  }

  public Optional<BrokerProperty> find(String name) {
    return Optional.ofNullable(propertyByName.get(name));
  }

  /** The known name that differs least from {@code name}. */
  String nearestName(String name) {
    @Nullable String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String known : propertyByName.keySet()) {
      int distance = editDistance(name, known);
      if (distance < least) {
        least = distance;
        nearest = known;
      }
    }
    if (nearest == null) {
      throw new IllegalStateException("the table of properties is empty");
    }
    return nearest;
  }

  private static BrokerProperty property(String line) {
    String[] cells = line.split("\t", -1);
    if (cells.length != 5) {
      throw new IllegalStateException("line of " + TABLE + " without five cells: " + line);
    }
    return new BrokerProperty(
        cells[0],
        BrokerProperty.Type.valueOf(cells[1].toUpperCase(Locale.ROOT)),
        switch (cells[2]) {
          case "-" -> Optional.empty();
          case "\"\"" -> Optional.of("");
          default -> Optional.of(cells[2]);
        },
        range(cells[3]),
        BrokerProperty.Effect.valueOf(cells[4].toUpperCase(Locale.ROOT)));
  }

  private static BrokerProperty.Range range(String cell) {
    if (cell.equals("-")) {
      return new BrokerProperty.Range.Any();
    }
    int dots = cell.indexOf("..");
    if (dots < 0) {
      return new BrokerProperty.Range.OneOf(List.of(cell.split("\\|", -1)));
    }
    String greatest = cell.substring(dots + 2);
    return new BrokerProperty.Range.Between(
        Long.parseLong(cell.substring(0, dots)),
        greatest.isEmpty() ? Long.MAX_VALUE : Long.parseLong(greatest));
  }

  /** Levenshtein's distance: insertions, deletions and replacements that turn one into another. */
  private static int editDistance(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
