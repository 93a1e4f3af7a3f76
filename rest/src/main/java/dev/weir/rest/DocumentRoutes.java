package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.document.BulkOperation;
import dev.weir.search.document.BulkOperation.IndexCreation;
import dev.weir.search.document.Documents;
import dev.weir.search.document.WriteConditions;
import dev.weir.search.document.WriteResult;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.shard.Condition;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Writing one document. */
final class DocumentRoutes {
  private static final Set<String> PUT =
      union(
          WriteAnswers.PUT_PARAMETERS,
          Set.of("if_seq_no", "if_primary_term", "version", "version_type", "op_type"));

  private static final Set<String> DELETE =
      union(
          WriteAnswers.PARAMETERS,
          Set.of("if_seq_no", "if_primary_term", "version", "version_type"));

  private static final Set<String> UPDATE =
      union(
          WriteAnswers.PUT_PARAMETERS,
          Set.of("if_seq_no", "if_primary_term", "retry_on_conflict", "lang"));

  /** Times that an update is tried again, at most; each is a read and a write. */
  private static final int RETRIES_MAX = 1_000;

  private final Documents documents;

  private DocumentRoutes(Documents documents) {
    this.documents = documents;
  }

  static void addTo(Router router, RestServices services) {
    DocumentRoutes routes = new DocumentRoutes(services.engine().documents());
    for (Method method : List.of(Method.PUT, Method.POST)) {
      router.addPending(method, "/{index}/_doc/{id}", PUT, routes::put);
      router.addPending(method, "/{index}/_create/{id}", PUT, routes::create);
    }
    router.addPending(Method.POST, "/{index}/_doc", PUT, routes::put);
    router.addPending(Method.DELETE, "/{index}/_doc/{id}", DELETE, routes::delete);
    router.addPending(Method.POST, "/{index}/_update/{id}", UPDATE, routes::update);
    GetRoutes.addTo(router, services);
  }

  private CompletableFuture<RestResponse> put(RestRequest request) {
    return put(request, conditions(request).condition());
  }

  private CompletableFuture<RestResponse> create(RestRequest request) {
    if (!request.parameter("op_type").orElse("create").equals("create")) {
      throw SearchException.illegalArgument("opType must be 'create', since the path says _create");
    }
    WriteConditions given = conditions(request);
    return put(
        request,
        new WriteConditions(
                "create",
                given.ifSeqNo(),
                given.ifPrimaryTerm(),
                given.version(),
                given.versionType())
            .condition());
  }

  private CompletableFuture<RestResponse> put(RestRequest request, Condition condition) {
    if (!request.hasBody()) {
      throw new SearchException(
          ErrorType.REQUEST_VALIDATION, "Validation Failed: 1: source is missing;");
    }
    return write(
        request,
        new BulkOperation.Put(
            request.segment("index"),
            request.segmentIfAny("id").orElse(null),
            ByteBuffer.wrap(request.body()),
            condition,
            creation(request),
            request.parameter("pipeline").orElse(null)));
  }

  private CompletableFuture<RestResponse> delete(RestRequest request) {
    return write(
        request,
        new BulkOperation.Delete(
            request.segment("index"),
            request.segment("id"),
            new WriteConditions(
                    null,
                    request.longNumber("if_seq_no").orElse(null),
                    request.longNumber("if_primary_term").orElse(null),
                    request.longNumber("version").orElse(null),
                    request.parameter("version_type").orElse(null))
                .condition(),
            creation(request)));
  }

  private CompletableFuture<RestResponse> update(RestRequest request) {
    return write(
        request,
        new BulkOperation.Update(
            request.segment("index"),
            request.segment("id"),
            ByteBuffer.wrap(request.requiredBody()),
            Math.clamp(request.integer("retry_on_conflict").orElse(0), 0, RETRIES_MAX),
            new WriteConditions(
                    null,
                    request.longNumber("if_seq_no").orElse(null),
                    request.longNumber("if_primary_term").orElse(null),
                    null,
                    null)
                .condition(),
            creation(request),
            request.parameter("pipeline").orElse(null)));
  }

  private CompletableFuture<RestResponse> write(RestRequest request, BulkOperation operation) {
    return documents
        .write(operation, WriteAnswers.refresh(request))
        .thenApply(DocumentRoutes::answer);
  }

  private static RestResponse answer(WriteResult.Done done) {
    return RestResponse.json(
        done.status(),
        json -> {
          json.writeStartObject();
          WriteAnswers.writeMembers(json, done);
          json.writeEndObject();
        });
  }

  private static WriteConditions conditions(RestRequest request) {
    return new WriteConditions(
        request.parameter("op_type").orElse(null),
        request.longNumber("if_seq_no").orElse(null),
        request.longNumber("if_primary_term").orElse(null),
        request.longNumber("version").orElse(null),
        request.parameter("version_type").orElse(null));
  }

  private static IndexCreation creation(RestRequest request) {
    return request.flag("require_alias") ? IndexCreation.REFUSED : IndexCreation.AUTO;
  }
}
