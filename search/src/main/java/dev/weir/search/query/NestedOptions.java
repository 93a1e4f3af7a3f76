package dev.weir.search.query;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a query on nested documents is carried out.
 *
 * @param scoreMode what the scores of the nested documents make together
 * @param ignoreUnmapped whether an index without the nested field has no hits instead of failing
 * @param innerHits which of the nested documents the hits show; null for none
 */
public record NestedOptions(
    ScoreMode scoreMode, boolean ignoreUnmapped, @Nullable InnerHits innerHits) {

  /** What holds when a request says nothing. */
  public static final NestedOptions DEFAULT =
      new NestedOptions(ScoreMode.AVG, /* ignoreUnmapped= */ false, null);

  /** What the scores of the nested documents that match make together. */
  public enum ScoreMode {
    /** Their average. */
    AVG,
    /** Their sum. */
    SUM,
    /** The least of them. */
    MIN,
    /** The best of them. */
    MAX,
    /** 0, whatever they are. */
    NONE;

    /** The name in a request. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
