package dev.weir.search.query;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which of the documents behind a hit it shows: nested documents that match, or documents of its
 * group.
 *
 * @param name under which they are shown; null for the default of whoever asks
 * @param from number of them to skip; not negative
 * @param size number of them wanted at most; not negative
 * @param options what each of them shows and how they are ordered, as the JSON of the keys of a
 *     search request ({@link InnerHitsReader#OPTIONS})
 */
public record InnerHits(
    @Nullable String name, int from, int size, SortedMap<String, String> options) {

  /** How many are shown where a request says nothing. */
  public static final int SIZE_DEFAULT = 3;

  /** What holds when a request says nothing. */
  public static final InnerHits DEFAULT = new InnerHits(null, 0, SIZE_DEFAULT, new TreeMap<>());

  /** Checks the numbers, copies the options. */
  public InnerHits {
    if (from < 0) {
      throw new IllegalArgumentException(
          "[inner_hits] illegal [from] value, at least 0, from=" + from);
    }
    if (size < 0) {
      throw new IllegalArgumentException(
          "[inner_hits] illegal [size] value, at least 0, size=" + size);
    }
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }
}
