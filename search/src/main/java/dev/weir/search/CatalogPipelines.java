package dev.weir.search;

import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogLog;
import dev.weir.search.catalog.CatalogReply;
import dev.weir.search.catalog.SetAside;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.pipeline.PipelineStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Search pipelines, kept in the catalog. Safe for use by any thread. */
final class CatalogPipelines implements PipelineStore {

  private final CatalogLog catalog;

  CatalogPipelines(CatalogLog catalog) {
    this.catalog = catalog;
  }

  @Override
  public Map<String, String> pipelines() {
    return catalog.catalog().pipelineByName();
  }

  @Override
  public Optional<SearchException> unavailable(String id) {
    return catalog.catalog().setAsidePipeline(id).map(SetAside::unavailable);
  }

  @Override
  public CompletableFuture<Void> put(String id, String json) {
    return catalog.carryOut(new CatalogCommand.PutPipeline(id, json));
  }

  @Override
  public CompletableFuture<Void> delete(String id) {
    return catalog
        .submit(new CatalogCommand.DeletePipeline(id))
        .thenAccept(
            reply -> {
              if (reply instanceof CatalogReply.Refused refused
                  && refused.error().type() != ErrorType.RESOURCE_NOT_FOUND) {
                throw new SearchException(refused.error());
              }
            });
  }
}
