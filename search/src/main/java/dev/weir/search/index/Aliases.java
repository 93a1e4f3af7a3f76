package dev.weir.search.index;

import dev.weir.search.catalog.AliasChange;
import dev.weir.search.catalog.Catalog;
import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.IndexAlias;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.IndexName;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.index.AliasReader.Step;
import dev.weir.search.request.NamePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/**
 * Other names for indexes: one alias may stand for several, and show a part of each. They are part
 * of the definitions of their indexes, in the catalog. Safe for use by any thread; futures fail
 * with {@link SearchException} for refusals.
 */
public final class Aliases {

  private final CatalogLog catalog;
  private final Indices indices;
  private final IndexLifecycle lifecycle;

  Aliases(CatalogLog catalog, Indices indices, IndexLifecycle lifecycle) {
    this.catalog = catalog;
    this.indices = indices;
    this.lifecycle = lifecycle;
  }

  /**
   * Carries out the steps of {@code POST /_aliases}, all or none; indexes are removed before
   * aliases are given.
   */
  public CompletableFuture<Void> change(JsonNode body) {
    return Refusals.asFailures(() -> change(AliasReader.steps(body)));
  }

  /** Gives the indexes of an expression an alias, with what the body says of it. */
  public CompletableFuture<Void> put(String expression, String name, JsonNode body) {
    return Refusals.asFailures(
        () ->
            change(
                List.of(
                    new Step.Add(
                        List.of(expression), List.of(name), AliasReader.alias(name, body)))));
  }

  /** Takes the aliases that names and patterns stand for from the indexes of an expression. */
  public CompletableFuture<Void> delete(String expression, String names) {
    return Refusals.asFailures(
        () ->
            change(
                List.of(
                    new Step.Remove(
                        List.of(expression),
                        List.of(names.split(",", -1)),
                        /* mustExist= */ true))));
  }

  /**
   * The aliases of some indexes.
   *
   * @param names names and patterns of aliases, separated by commas; {@code _all} for all
   * @return those that match, by index and then by alias; indexes without any are there too
   */
  public SortedMap<String, SortedMap<String, IndexAlias>> of(
      List<IndexDefinition> indexes, String names) {
    SortedMap<String, SortedMap<String, IndexAlias>> found = new TreeMap<>();
    for (IndexDefinition index : indexes) {
      SortedMap<String, IndexAlias> aliases = new TreeMap<>(index.aliases());
      aliases.keySet().removeIf(name -> !isNamed(List.of(names.split(",", -1)), name));
      found.put(index.name(), aliases);
    }
    return found;
  }

  /**
   * The index that a document is written to under a name: the index itself, or the one that the
   * alias says.
   *
   * @return empty if the name stands for nothing
   * @throws SearchException with 400 if the alias says none
   */
  public Optional<IndexDefinition> written(String name) {
    Optional<IndexDefinition> index = indices.index(name);
    List<IndexDefinition> behind =
        index.isPresent() ? List.of() : catalog.catalog().withAlias(name);
    if (behind.isEmpty()) {
      return index;
    }
    for (IndexDefinition each : behind) {
      switch (each.alias(name).writing()) {
        case HERE -> {
          return Optional.of(each);
        }
        case UNSAID -> {
          if (behind.size() == 1) {
            return Optional.of(each);
          }
        }
        case ELSEWHERE -> {} // said to be none
      }
    }
    throw SearchException.illegalArgument(
        "no write index is defined for alias ["
            + name
            + "] of "
            + behind.stream().map(IndexDefinition::name).toList()
            + ". The write index may be explicitly disabled using is_write_index=false or the alias"
            + " points to multiple indices without one being designated as a write index");
  }

  /**
   * The one index that a document is read from under a name.
   *
   * @return empty if the name stands for nothing
   * @throws SearchException with 400 if it is an alias of several
   */
  public Optional<IndexDefinition> read(String name) {
    Optional<IndexDefinition> index = indices.index(name);
    List<IndexDefinition> behind =
        index.isPresent() ? List.of() : catalog.catalog().withAlias(name);
    if (behind.size() > 1) {
      throw SearchException.illegalArgument(
          "alias ["
              + name
              + "] has more than one index associated with it "
              + behind.stream().map(IndexDefinition::name).toList()
              + ", can't execute a single index op");
    }
    return index.or(() -> behind.stream().findFirst());
  }

  /** Whether the name is that of an alias. */
  public boolean isAlias(String name) {
    return !catalog.catalog().withAlias(name).isEmpty();
  }

  private CompletableFuture<Void> change(List<Step> steps) {
    Catalog now = catalog.catalog();
    List<AliasChange> changes = new ArrayList<>();
    List<IndexDefinition> removed = new ArrayList<>();
    for (Step step : steps) {
      switch (step) {
        case Step.Add(List<String> expressions, List<String> names, IndexAlias meaning) -> {
          names.forEach(IndexName::requireAlias);
          List<IndexDefinition> given = concrete(now, expressions);
          if (given.isEmpty()) {
            throw SearchException.indexNotFound(String.join(",", expressions));
          }
          for (IndexDefinition index : given) {
            names.forEach(
                name ->
                    changes.add(new AliasChange.Put(index.name(), index.uuid(), name, meaning)));
          }
        }
        case Step.Remove remove -> changes.addAll(removals(now, remove));
        case Step.RemoveIndex(List<String> expressions) -> {
          for (IndexDefinition index : concrete(now, expressions)) {
            changes.add(new AliasChange.RemoveIndex(index.name(), index.uuid()));
            removed.add(index);
          }
        }
      }
    }
    return catalog
        .carryOut(new CatalogCommand.ChangeAliases(changes))
        .thenCompose(
            _ ->
                CompletableFuture.allOf(
                    removed.stream().map(lifecycle::drop).toArray(CompletableFuture[]::new)));
  }

  private static List<IndexDefinition> concrete(Catalog now, List<String> expressions) {
    List<IndexDefinition> indexes = new ArrayList<>();
    expressions.forEach(each -> indexes.addAll(IndexPattern.concrete(now, each)));
    return indexes.stream().distinct().toList();
  }

  private static List<AliasChange> removals(Catalog now, Step.Remove remove) {
    List<AliasChange> removals = new ArrayList<>();
    for (IndexDefinition index : concrete(now, remove.indexes())) {
      for (String name : index.aliases().keySet()) {
        if (isNamed(remove.aliases(), name)) {
          removals.add(new AliasChange.Remove(index.name(), index.uuid(), name));
        }
      }
    }
    if (removals.isEmpty() && remove.mustExist()) {
      String names = String.join(",", remove.aliases());
      throw new SearchException(
          ErrorCause.of(ErrorType.ALIASES_NOT_FOUND, "aliases [" + names + "] missing")
              .with("resource.type", "aliases")
              .with("resource.id", names));
    }
    return removals;
  }

  private static boolean isNamed(List<String> names, String alias) {
    return names.stream()
        .anyMatch(name -> name.equals("_all") || NamePattern.of(name).matches(alias));
  }
}
