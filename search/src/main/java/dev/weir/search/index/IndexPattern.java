package dev.weir.search.index;

import dev.weir.search.catalog.Catalog;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.request.NamePattern;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Names, patterns with {@code *}, exclusions with {@code -} in front, separated by commas; {@code
 * _all}, {@code *} and nothing stand for all. Hidden indexes (a dot in front) are matched by
 * patterns with a dot in front only. Pure.
 */
public final class IndexPattern {

  /** What a caller tolerates. */
  public enum Leniency {
    /** A name without an index is passed over. */
    IGNORE_UNAVAILABLE,
    /** Patterns may match nothing. */
    ALLOW_NO_INDICES
  }

  /** Patterns may match nothing, names may not: what most requests want. */
  public static final Set<Leniency> DEFAULT = Set.of(Leniency.ALLOW_NO_INDICES);

  private IndexPattern() {}

  /**
   * The indexes that an expression stands for, each once, by name. Patterns pass over indexes whose
   * definition cannot be read.
   *
   * @throws SearchException with 404 {@code index_not_found_exception}, or with 503 for the name of
   *     an index whose definition cannot be read
   */
  public static List<IndexDefinition> resolve(
      Catalog catalog, String expression, Set<Leniency> leniency) {
    Map<String, IndexDefinition> found = new TreeMap<>();
    String all = expression.isEmpty() || expression.equals("_all") ? "*" : expression;
    for (String part : all.split(",", -1)) {
      if (part.startsWith("-") && !found.isEmpty()) {
        NamePattern excluded = NamePattern.of(part.substring(1));
        found.keySet().removeIf(name -> excluded.matches(name));
      } else if (part.contains("*")) {
        match(catalog.indexByName().values(), part, found);
      } else {
        catalog
            .setAsideIndex(part)
            .ifPresent(
                setAside -> {
                  throw setAside.unavailable();
                });
        catalog
            .index(part)
            .ifPresentOrElse(
                index -> found.put(part, index),
                () -> {
                  if (!leniency.contains(Leniency.IGNORE_UNAVAILABLE)) {
                    throw missing(part);
                  }
                });
      }
    }
    if (found.isEmpty() && !leniency.contains(Leniency.ALLOW_NO_INDICES)) {
      throw SearchException.indexNotFound(expression);
    }
    return List.copyOf(found.values());
  }

  private static void match(
      Collection<IndexDefinition> indexes, String pattern, Map<String, IndexDefinition> found) {
    NamePattern glob = NamePattern.of(pattern);
    for (IndexDefinition index : indexes) {
      boolean hidden = index.name().startsWith(".") && !pattern.startsWith(".");
      if (index.isVisible() && !hidden && glob.matches(index.name())) {
        found.put(index.name(), index);
      }
    }
  }

  private static SearchException missing(String name) {
    if (name.startsWith("_")) {
      return new SearchException(
          ErrorCause.of(
                  ErrorType.INVALID_INDEX_NAME,
                  "Invalid index name [" + name + "], must not start with '_'.")
              .with("index", name)
              .with("index_uuid", "_na_"));
    }
    return SearchException.indexNotFound(name);
  }
}
