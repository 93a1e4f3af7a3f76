package dev.weir.search.index;

import dev.weir.search.catalog.Catalog;
import dev.weir.search.catalog.IndexAlias;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.request.NamePattern;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Names, patterns with {@code *}, exclusions with {@code -} in front, separated by commas; {@code
 * _all}, {@code *} and nothing stand for all. Names and patterns of aliases stand for their
 * indexes. Hidden indexes (a dot in front) are matched by patterns with a dot in front only. Pure.
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
    return targets(catalog, expression, leniency).stream().map(IndexTarget::index).toList();
  }

  /**
   * The indexes that an expression stands for, and what of each is to be seen: all, or the
   * documents of the filtered aliases that alone lead to it.
   *
   * @throws SearchException as {@link #resolve}
   */
  public static List<IndexTarget> targets(
      Catalog catalog, String expression, Set<Leniency> leniency) {
    Found found = new Found();
    String all = expression.isEmpty() || expression.equals("_all") ? "*" : expression;
    for (String part : all.split(",", -1)) {
      if (part.startsWith("-") && !found.isEmpty()) {
        found.exclude(NamePattern.of(part.substring(1)));
      } else if (part.contains("*")) {
        match(catalog.indexByName().values(), part, found);
      } else if (!named(catalog, part, found) && !leniency.contains(Leniency.IGNORE_UNAVAILABLE)) {
        throw missing(part);
      }
    }
    if (found.isEmpty() && !leniency.contains(Leniency.ALLOW_NO_INDICES)) {
      throw SearchException.indexNotFound(expression);
    }
    return found.targets();
  }

  /**
   * The indexes that an expression stands for without any alias, as where an index is to go.
   *
   * @throws SearchException as {@link #resolve}, and with 400 for the name of an alias
   */
  public static List<IndexDefinition> concrete(Catalog catalog, String expression) {
    for (String part : expression.split(",", -1)) {
      if (!part.contains("*") && catalog.index(part).isEmpty()) {
        List<IndexDefinition> behind = catalog.withAlias(part);
        if (!behind.isEmpty()) {
          throw SearchException.illegalArgument(
              "The provided expression ["
                  + part
                  + "] matches an alias, specify the corresponding concrete indices instead: "
                  + behind.stream().map(IndexDefinition::name).toList());
        }
      }
    }
    return targets(catalog, expression, DEFAULT).stream()
        .filter(target -> isNamed(expression, target.index().name()))
        .map(IndexTarget::index)
        .toList();
  }

  private static boolean isNamed(String expression, String index) {
    return expression.isEmpty()
        || expression.equals("_all")
        || Arrays.stream(expression.split(",", -1))
            .anyMatch(part -> NamePattern.of(part).matches(index));
  }

  /**
   * The expression without the names that stand for nothing, so that it can be resolved where
   * nothing is tolerated; empty if nothing is left.
   *
   * @throws SearchException as {@link #resolve}
   */
  public static Optional<String> existing(
      Catalog catalog, String expression, Set<Leniency> leniency) {
    if (targets(catalog, expression, leniency).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Arrays.stream(expression.split(",", -1))
            .filter(
                part ->
                    part.contains("*")
                        || part.startsWith("-")
                        || part.equals("_all")
                        || named(catalog, part, new Found()))
            .collect(Collectors.joining(",")));
  }

  /** What has been found so far, by the names of the indexes. */
  private static final class Found {
    private final Map<String, IndexDefinition> indexes = new TreeMap<>();
    private final Map<String, Set<String>> filtersByName = new HashMap<>(); // of filtered ones only

    boolean isEmpty() {
      return indexes.isEmpty();
    }

    void whole(IndexDefinition index) {
      indexes.put(index.name(), index);
      filtersByName.remove(index.name());
    }

    void through(IndexDefinition index, IndexAlias alias) {
      String filter = alias.filter();
      if (filter == null) {
        whole(index);
      } else if (!indexes.containsKey(index.name())) {
        indexes.put(index.name(), index);
        filtersByName.put(index.name(), new HashSet<>(Set.of(filter)));
      } else if (filtersByName.containsKey(index.name())) {
        filtersByName.get(index.name()).add(filter);
      }
    }

    void exclude(NamePattern excluded) {
      indexes.keySet().removeIf(excluded::matches);
      filtersByName.keySet().removeIf(excluded::matches);
    }

    List<IndexTarget> targets() {
      return indexes.values().stream()
          .map(index -> new IndexTarget(index, filtersByName.getOrDefault(index.name(), Set.of())))
          .toList();
    }
  }

  /** Takes up what a plain name stands for; false if it stands for nothing. */
  private static boolean named(Catalog catalog, String name, Found found) {
    catalog
        .setAsideIndex(name)
        .ifPresent(
            setAside -> {
              throw setAside.unavailable();
            });
    Optional<IndexDefinition> index = catalog.index(name);
    if (index.isPresent()) {
      found.whole(index.get());
      return true;
    }
    List<IndexDefinition> behind = catalog.withAlias(name);
    behind.forEach(each -> found.through(each, each.alias(name)));
    return !behind.isEmpty();
  }

  private static void match(Collection<IndexDefinition> indexes, String pattern, Found found) {
    NamePattern glob = NamePattern.of(pattern);
    for (IndexDefinition index : indexes) {
      if (!index.isVisible()) {
        continue;
      }
      if (isMatched(glob, pattern, index.name())) {
        found.whole(index);
      } else {
        index
            .aliases()
            .forEach(
                (name, alias) -> {
                  if (isMatched(glob, pattern, name)) {
                    found.through(index, alias);
                  }
                });
      }
    }
  }

  private static boolean isMatched(NamePattern glob, String pattern, String name) {
    boolean hidden = name.startsWith(".") && !pattern.startsWith(".");
    return !hidden && glob.matches(name);
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
