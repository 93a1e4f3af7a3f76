package dev.weir.search.shard;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * States of ids that the index writer has and the open reader may not show yet. A refresh brackets
 * the opening of a reader with {@link #beforeRefresh} and {@link #afterRefresh}.
 *
 * <p>Why nothing is missed: a state is put after its document went to the writer. If the put falls
 * before {@code beforeRefresh}, the reader opened after it has the document, and the state stays in
 * {@code old} until that reader is in place. If it falls after, it goes to the new map and stays.
 * Who looks up reads both maps from one reference, and the reader afterwards.
 */
final class RecentStates {

  private record Maps(Map<String, DocumentState> current, Map<String, DocumentState> old) {}

  private volatile Maps maps = new Maps(new ConcurrentHashMap<>(), Map.of());

  void put(String id, DocumentState state) {
    maps.current.put(id, state);
  }

  @Nullable DocumentState get(String id) {
    Maps now = maps;
    DocumentState state = now.current.get(id);
    return state == null ? now.old.get(id) : state;
  }

  int count() {
    return maps.current.size();
  }

  void beforeRefresh() {
    maps = new Maps(new ConcurrentHashMap<>(), maps.current);
  }

  void afterRefresh() {
    maps = new Maps(maps.current, Map.of());
  }
}
