package dev.weir.search.catalog;

import dev.weir.search.mapping.Mapping;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A wish to change the catalog. Commands on an existing index name it by its uuid too, so that none
 * hits a later index of the same name.
 */
public sealed interface CatalogCommand {

  /**
   * Adds an index whose topic is still to be created; or, in place of a definition that cannot be
   * read, one whose topic is there.
   */
  record CreateIndex(IndexDefinition index) implements CatalogCommand {}

  /** The index has its topic now. */
  record OpenIndex(String name, UUID uuid, UUID topicId) implements CatalogCommand {}

  /** Merges fields into an index's mapping. */
  record AddFields(String name, UUID uuid, Mapping addition) implements CatalogCommand {}

  /**
   * Changes settings of an index.
   *
   * @param changes full names with {@code index.}; empty: back to the default
   */
  record ChangeSettings(String name, UUID uuid, Map<String, Optional<String>> changes)
      implements CatalogCommand {
    /** Takes an unmodifiable copy. */
    public ChangeSettings {
      changes = Map.copyOf(changes);
    }
  }

  /** Takes an index from the users' sight; its topic is to be deleted next. */
  record DeleteIndex(String name, UUID uuid) implements CatalogCommand {}

  /** The index's topic is gone, and so is the index. */
  record ForgetIndex(String name, UUID uuid) implements CatalogCommand {}

  /** Takes out the definition of an index that cannot be read. */
  record ForgetSetAside(String name) implements CatalogCommand {}

  /** Changes aliases, all or none. */
  record ChangeAliases(List<AliasChange> changes) implements CatalogCommand {
    /** Takes an unmodifiable copy. */
    public ChangeAliases {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Puts a search pipeline.
   *
   * @param json its definition, checked already
   */
  record PutPipeline(String name, String json) implements CatalogCommand {}

  /** Deletes a search pipeline. */
  record DeletePipeline(String name) implements CatalogCommand {}

  /**
   * Puts a definition of some kind.
   *
   * @param json one JSON object, checked already
   */
  record PutDefinition(DefinitionKind kind, String name, String json) implements CatalogCommand {}

  /** Deletes a definition. */
  record DeleteDefinition(DefinitionKind kind, String name) implements CatalogCommand {}
}
