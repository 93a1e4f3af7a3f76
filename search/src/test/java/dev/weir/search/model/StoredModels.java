package dev.weir.search.model;

import dev.weir.search.catalog.DefinitionStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Definitions of models in memory. */
public final class StoredModels implements DefinitionStore {
  private final Map<String, String> jsonById = new ConcurrentHashMap<>();

  @Override
  public Map<String, String> byId() {
    return Map.copyOf(jsonById);
  }

  @Override
  public CompletableFuture<Void> put(String id, String json) {
    jsonById.put(id, json);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> delete(String id) {
    jsonById.remove(id);
    return CompletableFuture.completedFuture(null);
  }
}
