package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rest.Router.Patience;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RouterTest {
  private final PendingHandler search = _ -> answered("search");
  private final PendingHandler document = _ -> answered("document");
  private final PendingHandler create = _ -> answered("create");
  private final Router router = new Router();

  RouterTest() {
    router.addPending(Method.GET, "/_search", Set.of(), search);
    router.addPending(Method.GET, "/{index}/_search", Set.of("q"), search);
    router.addPending(Method.GET, "/{index}/_doc/{id}", Set.of(), document);
    router.addPending(Method.PUT, "/{index}/_doc/{id}", Set.of(), document);
    router.addPending(Method.PUT, "/{index}", Set.of(), create);
    router.addPending(Method.GET, "/_cat/{index}/deep", Set.of(), search);
  }

  private static CompletableFuture<RestResponse> answered(String text) {
    return CompletableFuture.completedFuture(RestResponse.text(200, text));
  }

  @Test
  void namedSegmentsAreHandedOver() {
    assertThat(find(Method.GET, "/books/_doc/7"))
        .isEqualTo(
            new Router.Outcome.Found(
                document, Patience.BOUNDED, Set.of(), Map.of("index", "books", "id", "7")));
  }

  @Test
  void aLiteralGoesBeforeANamedSegment() {
    assertThat(find(Method.GET, "/_search"))
        .isEqualTo(new Router.Outcome.Found(search, Patience.BOUNDED, Set.of(), Map.of()));
  }

  @Test
  void whereTheLiteralBranchEndsNowhereTheNamedOneIsTried() {
    assertThat(find(Method.GET, "/_cat/_search"))
        .isEqualTo(
            new Router.Outcome.Found(
                search, Patience.BOUNDED, Set.of("q"), Map.of("index", "_cat")));
  }

  @Test
  void aSegmentWithAnUnderscoreIsARouteOrNothingAndNeverAnIndex() {
    router.addPending(Method.GET, "/{index}", Set.of(), document);
    assertThat(find(Method.GET, "/_tasks")).isEqualTo(new Router.Outcome.NoRoute());
    assertThat(find(Method.POST, "/_reindex")).isEqualTo(new Router.Outcome.NoRoute());
    assertThat(find(Method.DELETE, "/_search"))
        .isEqualTo(new Router.Outcome.WrongMethod(Set.of("GET")));
    assertThat(find(Method.GET, "/_all")).isInstanceOf(Router.Outcome.Found.class);
    assertThat(find(Method.PUT, "/_books")).isInstanceOf(Router.Outcome.Found.class);
  }

  @Test
  void aKnownPathWithAnotherMethodNamesTheMethodsItHas() {
    assertThat(find(Method.DELETE, "/books/_doc/7"))
        .isEqualTo(new Router.Outcome.WrongMethod(Set.of("GET", "PUT")));
  }

  @Test
  void headIsAnsweredByGet() {
    assertThat(find(Method.HEAD, "/books/_doc/7")).isInstanceOf(Router.Outcome.Found.class);
  }

  @Test
  void anUnknownPathHasNoRoute() {
    assertThat(find(Method.GET, "/books/_nothing/7/8")).isEqualTo(new Router.Outcome.NoRoute());
  }

  @Test
  void slashesAtTheEndsOrDoubledAddNoSegment() {
    assertThat(Router.segments("//books///_doc/7/")).isEqualTo(List.of("books", "_doc", "7"));
  }

  @Test
  void twoHandlersForOneRouteAreRefused() {
    assertThatThrownBy(() -> router.addPending(Method.GET, "/_search", Set.of(), search))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GET /_search");
  }

  private Router.Outcome find(Method method, String path) {
    return router.find(method, Router.segments(path));
  }
}
