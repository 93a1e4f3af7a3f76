package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.document.BulkBody;
import dev.weir.search.document.BulkOperation;
import dev.weir.search.document.BulkOperation.IndexCreation;
import dev.weir.search.document.Documents;
import dev.weir.search.document.WriteResult;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import tools.jackson.core.JsonGenerator;

/** Many writes in one request, each with a result of its own. */
final class BulkRoutes {
  private static final Set<String> KNOWN = union(WriteAnswers.PUT_PARAMETERS, Set.of("batch_size"));

  private final Documents documents;
  private final InstantSource clock;
  private final Executor writers;

  private BulkRoutes(RestServices services) {
    this.documents = services.engine().documents();
    this.clock = services.clock();
    Executor pool = services.engine().requests();
    this.writers =
        task -> {
          try {
            pool.execute(task);
          } catch (RejectedExecutionException e) {
            task.run(); // the writes have been done: to be told 429 now would be untrue
          }
        };
  }

  static void addTo(Router router, RestServices services) {
    BulkRoutes routes = new BulkRoutes(services);
    for (Method method : List.of(Method.POST, Method.PUT)) {
      router.addPending(method, "/_bulk", KNOWN, routes::bulk);
      router.addPending(method, "/{index}/_bulk", KNOWN, routes::bulk);
    }
  }

  private CompletableFuture<RestResponse> bulk(RestRequest request) {
    long startMs = clock.millis();
    var refresh = WriteAnswers.refresh(request);
    List<BulkOperation> operations =
        BulkBody.parse(
            ByteBuffer.wrap(request.body()).asReadOnlyBuffer(),
            new BulkBody.Defaults(
                request.segmentIfAny("index").orElse(null),
                request.flag("require_alias") ? IndexCreation.REFUSED : IndexCreation.AUTO,
                request.parameter("pipeline").orElse(null)));
    return documents
        .bulk(operations, refresh)
        // Not on the thread of the log that tells of the commit: an answer may be megabytes long.
        .thenApplyAsync(results -> answer(results, Math.max(0, clock.millis() - startMs)), writers);
  }

  /** The status is 200 whatever became of the items. */
  private static RestResponse answer(List<WriteResult> results, long tookMs) {
    boolean errors = results.stream().anyMatch(WriteResult.Failed.class::isInstance);
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeNumberProperty("took", tookMs);
          json.writeBooleanProperty("errors", errors);
          json.writeName("items");
          json.writeStartArray();
          results.forEach(result -> write(json, result));
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, WriteResult result) {
    json.writeStartObject();
    json.writeName(result.action().text());
    json.writeStartObject();
    switch (result) {
      case WriteResult.Done done -> {
        WriteAnswers.writeMembers(json, done);
        json.writeNumberProperty("status", done.status());
      }
      case WriteResult.Failed failed -> {
        json.writeStringProperty("_index", failed.index());
        json.writeName("_id");
        if (failed.id().isEmpty()) {
          json.writeNull();
        } else {
          json.writeString(failed.id());
        }
        json.writeNumberProperty("status", failed.status());
        json.writeName("error");
        failed.error().error().write(json);
      }
    }
    json.writeEndObject();
    json.writeEndObject();
  }
}
