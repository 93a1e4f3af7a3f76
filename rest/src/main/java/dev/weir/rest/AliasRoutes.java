package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.catalog.IndexDefinition;
import java.util.List;
import java.util.Set;

/** Reading aliases: no index has one yet, and clients that ask are told so in the right shape. */
final class AliasRoutes {
  private static final Set<String> KNOWN = union(UrlParameters.INDICES, Set.of("local"));

  private final IndexExpressions expressions;

  private AliasRoutes(IndexExpressions expressions) {
    this.expressions = expressions;
  }

  static void addTo(Router router, RestServices services) {
    AliasRoutes routes = new AliasRoutes(IndexExpressions.of(services));
    router.add(Method.GET, "/_alias", KNOWN, routes::all);
    router.add(Method.GET, "/{index}/_alias", KNOWN, routes::all);
    router.add(Method.GET, "/_alias/{name}", KNOWN, routes::named);
    router.add(Method.GET, "/{index}/_alias/{name}", KNOWN, routes::named);
  }

  private RestResponse all(RestRequest request) {
    List<IndexDefinition> indexes = expressions.resolve(request);
    return RestResponse.json(
        200,
        json -> {
          json.writeStartObject();
          for (IndexDefinition index : indexes) {
            json.writeName(index.name());
            json.writeStartObject();
            json.writeName("aliases");
            json.writeStartObject();
            json.writeEndObject();
            json.writeEndObject();
          }
          json.writeEndObject();
        });
  }

  /** A pattern may match nothing; a name may not. */
  private RestResponse named(RestRequest request) {
    var _ = expressions.resolve(request);
    String name = request.segment("name");
    if (name.equals("_all") || name.contains("*")) {
      return RestResponse.json(
          200,
          json -> {
            json.writeStartObject();
            json.writeEndObject();
          });
    }
    return Errors.plain(404, "alias [" + name + "] missing");
  }
}
