package dev.weir.search.index;

import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.CatalogReply;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.catalog.IndexSettings;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.shard.GraphThreshold;
import dev.weir.search.shard.LiveDefinition;
import java.util.concurrent.CompletableFuture;

/** The definition of one index, looked up in the catalog each time. Safe for use by any thread. */
final class CatalogIndex implements LiveDefinition {

  private final CatalogLog catalog;
  private volatile IndexDefinition last;

  CatalogIndex(CatalogLog catalog, IndexDefinition index) {
    this.catalog = catalog;
    this.last = index;
  }

  @Override
  public Mapping mapping() {
    return now().mapping();
  }

  @Override
  public long refreshIntervalMs() {
    return now().settings().refreshIntervalMs();
  }

  @Override
  public int nestedObjectsMax() {
    return now().settings().nestedObjectsMax();
  }

  @Override
  public GraphThreshold graphThreshold() {
    return new GraphThreshold(
        now().settings().number(IndexSettings.GRAPH_THRESHOLD, GraphThreshold.UNSET));
  }

  @Override
  public CompletableFuture<Mapping> add(Mapping addition) {
    IndexDefinition index = last;
    return catalog
        .submit(new CatalogCommand.AddFields(index.name(), index.uuid(), addition))
        .thenApply(
            reply ->
                switch (reply) {
                  case CatalogReply.Accepted() -> now().mapping();
                  case CatalogReply.Refused refused -> throw new SearchException(refused.error());
                });
  }

  private IndexDefinition now() {
    IndexDefinition before = last;
    IndexDefinition index = catalog.catalog().indexByName().get(before.name());
    if (index == null || !index.uuid().equals(before.uuid())) {
      return before;
    }
    last = index;
    return index;
  }
}
