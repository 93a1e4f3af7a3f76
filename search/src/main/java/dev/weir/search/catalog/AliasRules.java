package dev.weir.search.catalog;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Decides changes of aliases. Pure. */
final class AliasRules {

  private AliasRules() {}

  /**
   * All changes as one. Indexes are removed first, so that an alias can take the name of one.
   *
   * @throws SearchException if the catalog would contradict itself afterwards; nothing is changed
   */
  static CatalogDecision decide(Catalog catalog, List<AliasChange> changes) {
    Map<String, IndexDefinition> changed = new LinkedHashMap<>();
    for (AliasChange change : changes) {
      if (change instanceof AliasChange.RemoveIndex(String name, UUID uuid)) {
        IndexDefinition index = require(catalog, changed, name, uuid);
        changed.put(name, index.with(new IndexDefinition.State.Deleting()));
      }
    }
    for (AliasChange change : changes) {
      switch (change) {
        case AliasChange.RemoveIndex _ -> {} // done
        case AliasChange.Put(String name, UUID uuid, String alias, IndexAlias meaning) ->
            changed.put(
                name, require(catalog, changed, name, uuid).with(alias, Optional.of(meaning)));
        case AliasChange.Remove(String name, UUID uuid, String alias) ->
            changed.put(name, require(catalog, changed, name, uuid).with(alias, Optional.empty()));
      }
    }
    List<CatalogRecord> records = new ArrayList<>();
    Catalog after = catalog;
    for (IndexDefinition index : changed.values()) {
      if (!index.equals(catalog.indexByName().get(index.name()))) {
        CatalogRecord record = new CatalogRecord.IndexDefined(index);
        records.add(record);
        after = after.apply(record);
      }
    }
    for (IndexDefinition index : changed.values()) {
      if (index.isVisible()) {
        requireConsistent(after, index);
      }
    }
    return new CatalogDecision(records, CatalogReply.ACCEPTED);
  }

  private static IndexDefinition require(
      Catalog catalog, Map<String, IndexDefinition> changed, String name, UUID uuid) {
    IndexDefinition index =
        Optional.ofNullable(changed.get(name)).or(() -> catalog.index(name)).orElse(null);
    if (index == null || !index.uuid().equals(uuid) || !index.isVisible()) {
      throw SearchException.indexNotFound(name);
    }
    return index;
  }

  /**
   * Checks the aliases of an index against all that there is.
   *
   * @param catalog with the index in it
   */
  static void requireConsistent(Catalog catalog, IndexDefinition index) {
    for (String alias : index.aliases().keySet()) {
      IndexName.requireAlias(alias);
      if (catalog.index(alias).isPresent() || catalog.setAsideIndex(alias).isPresent()) {
        throw invalid(alias, index, "an index exists with the same name as the alias");
      }
      List<String> written =
          catalog.withAlias(alias).stream()
              .filter(each -> each.alias(alias).writing() == IndexAlias.Writing.HERE)
              .map(IndexDefinition::name)
              .sorted()
              .toList();
      if (written.size() > 1) {
        throw SearchException.illegalArgument(
            "alias ["
                + alias
                + "] has more than one write index "
                + written
                + "; set [is_write_index] to false in all but one");
      }
    }
  }

  private static SearchException invalid(String alias, IndexDefinition index, String rule) {
    return new SearchException(
        ErrorCause.of(ErrorType.INVALID_ALIAS_NAME, "Invalid alias name [" + alias + "], " + rule)
            .with("index", index.name())
            .with("index_uuid", index.uuidText()));
  }
}
