package dev.weir.search.pipeline;

import dev.weir.search.request.SearchRequest;
import org.jspecify.annotations.Nullable;

/**
 * Asks for more hits than the request does, so that response processors have some to choose from.
 *
 * @param factor times as many, rounded up; 1 at least
 * @param sizeKey under which key it is noted how many were asked for
 */
public record Oversample(double factor, String sizeKey) {

  /** Checks the factor. */
  public Oversample {
    if (!(factor >= 1) || !Double.isFinite(factor)) {
      throw new IllegalArgumentException(
          "[oversample] [sample_factor] must be 1 or more, got [" + factor + "]");
    }
  }

  /** The key that goes with a {@code context_prefix}; null for none. */
  static String key(@Nullable String prefix) {
    return prefix == null ? "original_size" : prefix + ".original_size";
  }

  SearchRequest applyTo(SearchRequest request) {
    SearchRequest.Page page = request.page();
    int size = (int) Math.min(Integer.MAX_VALUE, Math.ceil(page.size() * factor));
    return request.withPage(new SearchRequest.Page(page.from(), size), request.sort());
  }
}
