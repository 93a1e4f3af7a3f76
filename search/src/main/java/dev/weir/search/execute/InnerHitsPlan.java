package dev.weir.search.execute;

import dev.weir.search.query.Query.Nested;
import dev.weir.search.request.Highlight;
import dev.weir.search.request.SearchRequest;
import java.util.List;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Nested documents that the hits of a request show.
 *
 * @param name under which they are shown
 * @param clause what asks for them; of one that stands in several places they are shown once
 * @param around path of the nested field whose documents are the hits; null for whole documents
 * @param query matches nested documents of the path only; rewritten, so that vectors have been
 *     searched
 * @param wanted which of those that match: its page, order and parts of the sources
 * @param named whether a part of the query has a name
 * @param below what these show in turn
 */
record InnerHitsPlan(
    String name,
    Nested clause,
    @Nullable String around,
    Query query,
    SearchRequest wanted,
    boolean named,
    List<InnerHitsPlan> below) {
  InnerHitsPlan {
    below = List.copyOf(below);
  }

  /** Path of the nested field. */
  String path() {
    return clause.path();
  }

  /**
   * Checks the page of inner hits.
   *
   * @param windowMax {@code from + size} may not be larger
   * @throws IllegalArgumentException if it is, with a message for the user
   */
  static void requireWithin(int windowMax, String name, SearchRequest wanted) {
    long last = (long) wanted.page().from() + wanted.page().size();
    if (last > windowMax) {
      throw new IllegalArgumentException(
          "Inner result window is too large, the inner hit definition's ["
              + name
              + "]'s from + size must be less than or equal to: ["
              + windowMax
              + "] but was ["
              + last
              + "]. This limit can be set by changing the [index.max_inner_result_window] index"
              + " level setting.");
    }
  }

  /**
   * Refuses highlights of semantic fields, which are never in nested documents.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static void requireNoChunks(String name, SearchRequest wanted) {
    Highlight highlight = wanted.extras().highlight();
    if (highlight == null) {
      return;
    }
    for (Highlight.Field field : highlight.fields()) {
      if (field.options().type() == Highlight.Type.SEMANTIC) {
        throw new IllegalArgumentException(
            "[highlight] of type [semantic] on the field ["
                + field.pattern()
                + "] is within [inner_hits] ["
                + name
                + "] of nested documents, which have no semantic fields; ask for it in the"
                + " [highlight] of the search");
      }
    }
  }
}
