package dev.weir.search.document;

import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.SearchSettings;
import dev.weir.search.execute.SearchableIndex;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.shard.IndexView;
import java.util.List;

/** An index of one shard, written and searched as requests would. */
final class NestedIndex {

  static final String NAME = "books";

  final TestEngine engine = new TestEngine();

  NestedIndex(String properties) {
    engine.create(
        NAME,
        "{\"settings\":{\"number_of_shards\":1},\"mappings\":{\"properties\":" + properties + "}}");
  }

  void put(String id, String json) {
    WriteResult result =
        engine
            .bulk("{\"index\":{\"_index\":\"" + NAME + "\",\"_id\":\"" + id + "\"}}", json)
            .getFirst();
    if (!(result instanceof WriteResult.Done)) {
      throw new AssertionError(TestEngine.summary(List.of(result)) + " of " + json);
    }
  }

  void delete(String id) {
    engine.bulk("{\"delete\":{\"_index\":\"" + NAME + "\",\"_id\":\"" + id + "\"}}");
  }

  /** Ends a segment. */
  void refresh() {
    engine.await(engine.indices.refresh(NAME));
  }

  SearchResponse search(String body) {
    return search(body, SearchSettings.DEFAULT);
  }

  SearchResponse search(String body, SearchSettings settings) {
    refresh();
    IndexView view = engine.indices.view(engine.indices.index(NAME).orElseThrow());
    return new TestSearches(new SearchableIndex(view, settings, null)).search(NAME, body);
  }

  /** Ids of the documents that match a query, sorted; single quotes are double ones. */
  List<String> ids(String query) {
    return search("{\"query\":" + json(query) + "}").hits().stream().map(Hit::id).sorted().toList();
  }

  /** JSON that is written with single quotes. */
  static String json(String text) {
    return text.replace('\'', '"');
  }
}
