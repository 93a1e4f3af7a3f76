package dev.weir.search.request;

import dev.weir.search.error.SearchException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Definitions of one kind that are kept elsewhere as JSON: found by the names that clients give,
 * and read once, not for each request. Safe for use by any thread.
 *
 * @param <T> what a definition means
 */
public final class NamedDefinitions<T> {
  /** Stands for no definition where one is named. */
  public static final String NONE = "_none";

  private final Supplier<Map<String, String>> kept;
  private final BiFunction<String, String, T> reading;
  private final Map<String, Read<T>> readById = new ConcurrentHashMap<>(); // at most those kept

  /** A definition with what it means. */
  private record Read<T>(String json, T meaning) {}

  /**
   * The definitions that {@code kept} has by id at the time.
   *
   * @param reading makes of id and JSON what the definition means
   */
  public NamedDefinitions(
      Supplier<Map<String, String>> kept, BiFunction<String, String, T> reading) {
    this.kept = kept;
    this.reading = reading;
  }

  /**
   * Refuses an id that could not be told from an expression.
   *
   * @param kind of the definition, with its article
   * @throws SearchException with 400
   */
  public static void requireId(String kind, String id) {
    if (id.isBlank() || id.equals(NONE) || id.contains("*") || id.contains(",")) {
      throw SearchException.illegalArgument(
          kind + " can't have the id [" + id + "]: no blank, no [_none], no * or comma");
    }
  }

  /**
   * The definitions that an expression names, by id.
   *
   * @param expression ids and patterns with {@code *}, separated by commas; {@code *} for all
   */
  public SortedMap<String, String> matching(String expression) {
    SortedMap<String, String> found = new TreeMap<>();
    Map<String, String> all = kept.get();
    for (String name : expression.split(",", -1)) {
      NamePattern pattern = NamePattern.of(name.strip());
      all.forEach(
          (id, json) -> {
            if (pattern.matches(id)) {
              found.put(id, json);
            }
          });
    }
    return found;
  }

  /** What the definition of this id means; empty if there is none. */
  public Optional<T> find(String id) {
    String json = kept.get().get(id);
    if (json == null) {
      readById.remove(id);
      return Optional.empty();
    }
    Read<T> known = readById.get(id);
    if (known == null || !known.json.equals(json)) {
      known = new Read<>(json, reading.apply(id, json));
      readById.put(id, known);
    }
    return Optional.of(known.meaning);
  }

  /** Lets go of what a definition meant that is kept no more. */
  public void forget(String id) {
    readById.remove(id);
  }
}
