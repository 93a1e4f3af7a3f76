package dev.weir.search.request;

import java.util.List;

/**
 * Of hits with the same value of a field only the best is shown.
 *
 * @param field a keyword or number that documents have one value of
 * @param innerHits what each hit shows of its group
 */
public record Collapse(String field, List<GroupHits> innerHits) {
  /** Copies the list. */
  public Collapse {
    innerHits = List.copyOf(innerHits);
  }

  /**
   * Hits of one group.
   *
   * @param name under which they are shown
   * @param wanted their page, their order, and what each of them shows
   */
  public record GroupHits(String name, SearchRequest wanted) {}
}
