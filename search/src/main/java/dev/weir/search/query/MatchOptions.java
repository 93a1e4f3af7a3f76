package dev.weir.search.query;

import org.jspecify.annotations.Nullable;

/**
 * How a text is looked for in a field.
 *
 * @param minimumShouldMatch how many words must match under {@link MatchOperator#OR}; null for one
 * @param analyzer what cuts the text into words; null for the search analyser of the field
 * @param fuzziness how far a word may differ; null for not at all
 * @param prefixLength how many first characters of a word must be the same where it may differ
 * @param maxExpansions into how many words one that may differ is expanded at most
 * @param lenient whether a text that the field's type can't read matches nothing instead of failing
 */
public record MatchOptions(
    MatchOperator operator,
    @Nullable MinimumShouldMatch minimumShouldMatch,
    @Nullable String analyzer,
    @Nullable Fuzziness fuzziness,
    int prefixLength,
    int maxExpansions,
    ZeroTerms zeroTerms,
    boolean lenient) {

  /** What holds when a request says nothing. */
  public static final MatchOptions DEFAULT =
      new MatchOptions(
          MatchOperator.OR, null, null, null, 0, 50, ZeroTerms.NONE, /* lenient= */ false);

  /** Checks the numbers. */
  public MatchOptions {
    Checks.notNegative("prefix_length", prefixLength);
    if (maxExpansions < 1) {
      throw new IllegalArgumentException(
          "[max_expansions] must be positive, max_expansions=" + maxExpansions);
    }
  }
}
