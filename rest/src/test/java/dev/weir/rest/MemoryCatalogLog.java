package dev.weir.rest;

import dev.weir.search.catalog.Catalog;
import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogDecision;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.CatalogRecord;
import dev.weir.search.catalog.CatalogReply;
import dev.weir.search.catalog.CatalogRules;
import dev.weir.search.log.Subscription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The catalog in memory, for tests. */
final class MemoryCatalogLog implements CatalogLog {
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private Catalog catalog = Catalog.EMPTY; // guarded by this

  @Override
  public synchronized Catalog catalog() {
    return catalog;
  }

  @Override
  public synchronized CompletableFuture<CatalogReply> submit(CatalogCommand command) {
    Catalog before = catalog;
    CatalogDecision decision = CatalogRules.decide(before, command);
    for (CatalogRecord record : decision.records()) {
      catalog = catalog.apply(record);
    }
    listeners.forEach(listener -> listener.changed(before, catalog));
    return CompletableFuture.completedFuture(decision.reply());
  }

  @Override
  public Subscription onChange(Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }
}
