package dev.weir.search.catalog;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The definitions of one kind in the catalog. Safe for use by any thread. */
public final class CatalogDefinitions implements DefinitionStore {

  private final CatalogLog catalog;
  private final DefinitionKind kind;

  /** The definitions of this kind. */
  public CatalogDefinitions(CatalogLog catalog, DefinitionKind kind) {
    this.catalog = catalog;
    this.kind = kind;
  }

  @Override
  public Map<String, String> byId() {
    return catalog.catalog().definitions(kind);
  }

  @Override
  public CompletableFuture<Void> put(String id, String json) {
    return catalog.carryOut(new CatalogCommand.PutDefinition(kind, id, json));
  }

  @Override
  public CompletableFuture<Void> delete(String id) {
    return catalog.carryOut(new CatalogCommand.DeleteDefinition(kind, id));
  }
}
