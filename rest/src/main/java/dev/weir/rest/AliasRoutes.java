package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.catalog.IndexAlias;
import dev.weir.search.index.Aliases;
import dev.weir.search.index.IndexDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Giving, taking and showing aliases. */
final class AliasRoutes {
  private static final Set<String> READ =
      union(UrlParameters.INDICES, UrlParameters.TIMEOUTS, Set.of("local"));

  private final Aliases aliases;
  private final IndexExpressions expressions;

  private AliasRoutes(Aliases aliases, IndexExpressions expressions) {
    this.aliases = aliases;
    this.expressions = expressions;
  }

  static void addTo(Router router, RestServices services) {
    AliasRoutes routes =
        new AliasRoutes(services.engine().indices().aliases(), IndexExpressions.of(services));
    router.add(Method.GET, "/_alias", READ, routes::all);
    router.add(Method.GET, "/_aliases", READ, routes::all);
    router.add(Method.GET, "/{index}/_alias", READ, routes::all);
    router.add(Method.GET, "/_alias/{name}", READ, routes::named);
    router.add(Method.GET, "/{index}/_alias/{name}", READ, routes::named);
    router.addPending(Method.POST, "/_aliases", UrlParameters.TIMEOUTS, routes::change);
    for (String path : List.of("/{index}/_alias/{name}", "/{index}/_aliases/{name}")) {
      router.addPending(Method.PUT, path, UrlParameters.TIMEOUTS, routes::put);
      router.addPending(Method.POST, path, UrlParameters.TIMEOUTS, routes::put);
      router.addPending(Method.DELETE, path, UrlParameters.TIMEOUTS, routes::delete);
    }
  }

  private CompletableFuture<RestResponse> change(RestRequest request) {
    return aliases
        .change(JsonBody.object(request.requiredBody()))
        .thenApply(_ -> RestResponse.acknowledged());
  }

  private CompletableFuture<RestResponse> put(RestRequest request) {
    ObjectNode body =
        request.hasBody()
            ? JsonBody.object(request.body())
            : JsonMapper.shared().createObjectNode();
    return aliases
        .put(request.segment("index"), request.segment("name"), body)
        .thenApply(_ -> RestResponse.acknowledged());
  }

  private CompletableFuture<RestResponse> delete(RestRequest request) {
    return aliases
        .delete(request.segment("index"), request.segment("name"))
        .thenApply(_ -> RestResponse.acknowledged());
  }

  /** Indexes without an alias are shown too. */
  private RestResponse all(RestRequest request) {
    var found = aliases.of(expressions.resolve(request), "_all");
    return RestResponse.json(200, shown(found));
  }

  /** A pattern may match nothing; a name may not, and then what was found comes with the 404. */
  private RestResponse named(RestRequest request) {
    String names = request.segment("name");
    var found = aliases.of(expressions.resolve(request), names);
    found.values().removeIf(Map::isEmpty);
    List<String> missing = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      boolean isPattern = name.equals("_all") || name.contains("*") || name.startsWith("-");
      if (!isPattern && found.values().stream().noneMatch(each -> each.containsKey(name))) {
        missing.add(name);
      }
    }
    ObjectNode body = shown(found);
    if (missing.isEmpty()) {
      return RestResponse.json(200, body);
    }
    body.put("error", "alias" + (missing.size() > 1 ? "es " : " ") + missing + " missing");
    body.put("status", 404);
    return RestResponse.json(404, body);
  }

  private static ObjectNode shown(SortedMap<String, SortedMap<String, IndexAlias>> found) {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    found.forEach(
        (index, those) -> body.putObject(index).set("aliases", IndexDescription.aliases(those)));
    return body;
  }
}
