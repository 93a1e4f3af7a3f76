package dev.weir.search.query;

import org.jspecify.annotations.Nullable;

/**
 * Which of the nested documents that match a hit shows.
 *
 * @param name under which they are shown; null for the path of the nested field
 * @param from number of them to skip; not negative
 * @param size number of them wanted at most; not negative
 * @param sort their order, as the JSON of a request's {@code sort}; null for best score first
 * @param source which parts of them are shown, as the JSON of a request's {@code _source}; null for
 *     all
 */
public record InnerHits(
    @Nullable String name, int from, int size, @Nullable String sort, @Nullable String source) {

  /** How many are shown where a request says nothing. */
  public static final int SIZE_DEFAULT = 3;

  /** What holds when a request says nothing. */
  public static final InnerHits DEFAULT = new InnerHits(null, 0, SIZE_DEFAULT, null, null);

  /** Checks the numbers. */
  public InnerHits {
    if (from < 0) {
      throw new IllegalArgumentException(
          "[inner_hits] illegal [from] value, at least 0, from=" + from);
    }
    if (size < 0) {
      throw new IllegalArgumentException(
          "[inner_hits] illegal [size] value, at least 0, size=" + size);
    }
  }
}
