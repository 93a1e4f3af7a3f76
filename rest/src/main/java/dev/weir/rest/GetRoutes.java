package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.document.Documents;
import dev.weir.search.document.GetResult;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.execute.HitSource;
import dev.weir.search.json.KnownNames;
import dev.weir.search.json.StrictJson;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.request.SearchRequestParser;
import dev.weir.search.request.SourceFilter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reading documents by their id, as everything written so far has them. */
final class GetRoutes {
  private static final Set<String> SOURCE =
      Set.of("_source", "_source_includes", "_source_excludes");

  /** A read sees every write, so whether it should be of this moment is passed over. */
  private static final Set<String> GET =
      union(
          SOURCE,
          Set.of("realtime", "refresh", "routing", "preference", "version", "version_type"));

  private static final Set<String> MULTI =
      union(SOURCE, Set.of("realtime", "refresh", "routing", "preference"));

  private static final byte[] NO_BODY = {};

  private final Documents documents;

  private GetRoutes(Documents documents) {
    this.documents = documents;
  }

  static void addTo(Router router, RestServices services) {
    GetRoutes routes = new GetRoutes(services.engine().documents());
    router.addPending(Method.GET, "/{index}/_doc/{id}", GET, routes::get);
    router.addPending(Method.GET, "/{index}/_source/{id}", GET, routes::source);
    for (Method method : List.of(Method.GET, Method.POST)) {
      router.addPending(method, "/_mget", MULTI, routes::multiGet);
      router.addPending(method, "/{index}/_mget", MULTI, routes::multiGet);
    }
  }

  private CompletableFuture<RestResponse> get(RestRequest request) {
    SourceFilter filter = filter(request);
    return found(request)
        .thenApply(
            result ->
                RestResponse.json(
                    request.budget(),
                    result instanceof GetResult.Found ? 200 : 404,
                    json -> {
                      json.writeStartObject();
                      writeMembers(json, result, filter);
                      json.writeEndObject();
                    }));
  }

  private CompletableFuture<RestResponse> source(RestRequest request) {
    SourceFilter filter = filter(request);
    return found(request)
        .thenApply(
            result ->
                switch (result) {
                  case GetResult.Found found when filter instanceof SourceFilter.Fields fields ->
                      RestResponse.json(
                          request.budget(), 200, json -> part(found, fields).write(json));
                  case GetResult.Found _, GetResult.Missing _ ->
                      throw new SearchException(
                          ErrorType.RESOURCE_NOT_FOUND,
                          "Document not found [" + result.index() + "]/[" + result.id() + "]");
                });
  }

  private CompletableFuture<GetResult> found(RestRequest request) {
    var version = request.longNumber("version");
    return documents
        .get(request.segment("index"), request.segment("id"))
        .thenApply(
            result -> {
              if (result instanceof GetResult.Found found
                  && version.isPresent()
                  && version.get() != found.version()) {
                throw new SearchException(
                    ErrorCause.of(
                            ErrorType.VERSION_CONFLICT,
                            "["
                                + found.id()
                                + "]: version conflict, current version ["
                                + found.version()
                                + "] is different than the one provided ["
                                + version.get()
                                + "]")
                        .with("index", found.index()));
              }
              return result;
            });
  }

  private static SourceFilter filter(RestRequest request) {
    return SearchRequestParser.DEFAULT
        .parse(StrictJson.parser(NO_BODY), request.parameters(SOURCE))
        .source();
  }

  private static void writeMembers(JsonGenerator json, GetResult result, SourceFilter filter) {
    json.writeStringProperty("_index", result.index());
    json.writeStringProperty("_id", result.id());
    switch (result) {
      case GetResult.Missing _ -> json.writeBooleanProperty("found", false);
      case GetResult.Found found -> {
        json.writeNumberProperty("_version", found.version());
        json.writeNumberProperty("_seq_no", found.seqNo());
        json.writeNumberProperty("_primary_term", found.primaryTerm());
        json.writeBooleanProperty("found", true);
        if (filter instanceof SourceFilter.Fields fields) {
          json.writeName("_source");
          part(found, fields).write(json);
        }
      }
    }
  }

  private static HitSource part(GetResult.Found found, SourceFilter.Fields fields) {
    ByteBuffer source = found.source().duplicate();
    byte[] json = new byte[source.remaining()];
    source.get(json);
    return HitSource.of(json, fields);
  }

  /** One document of a multi-get. */
  private record Wanted(String index, String id, SourceFilter filter) {}

  /** A document of a multi-get, or why it could not be read. */
  private sealed interface Answer {
    record Read(GetResult result, SourceFilter filter) implements Answer {}

    record Refused(Wanted wanted, SearchException reason) implements Answer {}

    /** Of its document. */
    default int bytes() {
      return this instanceof Read(GetResult.Found found, _) ? found.source().remaining() : 0;
    }
  }

  private CompletableFuture<RestResponse> multiGet(RestRequest request) {
    List<Answer> answers = new ArrayList<>();
    CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
    for (Wanted each : wanted(request)) {
      // One after the other: all at once would fill the queue of the pool, and be refused by it.
      all =
          all.thenCompose(_ -> read(each))
              .thenAccept(
                  answer -> {
                    request.budget().take(AnswerPart.DOCUMENTS, answer.bytes());
                    answers.add(answer);
                  });
    }
    return all.thenApply(
        _ ->
            RestResponse.json(
                request.budget(),
                200,
                json -> {
                  json.writeStartObject();
                  json.writeName("docs");
                  json.writeStartArray();
                  answers.forEach(answer -> write(json, answer));
                  json.writeEndArray();
                  json.writeEndObject();
                }));
  }

  private CompletableFuture<Answer> read(Wanted wanted) {
    return documents
        .get(wanted.index(), wanted.id())
        .<Answer>thenApply(result -> new Answer.Read(result, wanted.filter()))
        .exceptionally(
            failure -> {
              if (failure instanceof CompletionException
                  && failure.getCause() instanceof SearchException reason) {
                return new Answer.Refused(wanted, reason);
              }
              throw new CompletionException(failure);
            });
  }

  private static void write(JsonGenerator json, Answer answer) {
    json.writeStartObject();
    switch (answer) {
      case Answer.Read(var result, var filter) -> writeMembers(json, result, filter);
      case Answer.Refused(var wanted, var reason) -> {
        json.writeStringProperty("_index", wanted.index());
        json.writeStringProperty("_id", wanted.id());
        json.writeName("error");
        reason.writeError(json);
      }
    }
    json.writeEndObject();
  }

  private static List<Wanted> wanted(RestRequest request) {
    SourceFilter unsaid = filter(request);
    String defaultIndex = request.segmentIfAny("index").orElse("");
    List<Wanted> wanted = new ArrayList<>();
    for (var entry : JsonBody.object(request.requiredBody()).properties()) {
      if (!entry.getValue().isArray()) {
        throw new SearchException(ErrorType.PARSING, "[" + entry.getKey() + "] must be an array");
      }
      for (JsonNode each : entry.getValue()) {
        wanted.add(
            switch (entry.getKey()) {
              case "ids" -> new Wanted(defaultIndex, each.asString(), unsaid);
              case "docs" -> wanted(each, defaultIndex, unsaid);
              default ->
                  throw new SearchException(
                      ErrorType.PARSING,
                      "unknown key ["
                          + entry.getKey()
                          + "], expected [docs] or [ids]"
                          + KnownNames.of("docs", "ids").hint(entry.getKey()));
            });
      }
    }
    if (wanted.isEmpty()) {
      throw new SearchException(
          ErrorType.REQUEST_VALIDATION, "Validation Failed: 1: no documents to get;");
    }
    for (Wanted each : wanted) {
      if (each.index().isEmpty() || each.id().isEmpty()) {
        throw new SearchException(
            ErrorType.REQUEST_VALIDATION,
            "Validation Failed: 1: " + (each.index().isEmpty() ? "index" : "id") + " is missing;");
      }
    }
    return wanted;
  }

  private static Wanted wanted(JsonNode json, String defaultIndex, SourceFilter unsaid) {
    if (!(json instanceof ObjectNode document)) {
      throw new SearchException(ErrorType.PARSING, "[docs] must be an array of objects");
    }
    String index = defaultIndex;
    String id = "";
    SourceFilter filter = unsaid;
    for (var entry : document.properties()) {
      switch (entry.getKey()) {
        case "_index" -> index = entry.getValue().asString();
        case "_id" -> id = entry.getValue().asString();
        case "_source" -> filter = filter(entry.getValue());
        case "routing", "version", "version_type" -> {} // the shard follows from the id
        default ->
            throw new SearchException(
                ErrorType.PARSING,
                "unknown key ["
                    + entry.getKey()
                    + "] in [docs]"
                    + KnownNames.of("_index", "_id", "_source").hint(entry.getKey()));
      }
    }
    return new Wanted(index, id, filter);
  }

  /** Reads a filter as the body of a search has it. */
  private static SourceFilter filter(JsonNode json) {
    return SearchRequestParser.DEFAULT
        .parse(StrictJson.parser("{\"_source\":" + json + "}"), java.util.Map.of())
        .source();
  }
}
