package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Collects the options that {@code match} and {@code multi_match} have in common. */
final class MatchOptionsReader {

  /** The options. */
  static final KnownNames KEYS =
      KnownNames.of(
          "operator",
          "minimum_should_match",
          "analyzer",
          "fuzziness",
          "prefix_length",
          "max_expansions",
          "zero_terms_query",
          "lenient",
          "fuzzy_transpositions",
          "auto_generate_synonyms_phrase_query");

  private final JsonReader in;
  private final String owner;
  private MatchOperator operator = MatchOptions.DEFAULT.operator();
  private @Nullable MinimumShouldMatch minimumShouldMatch;
  private @Nullable String analyzer;
  private @Nullable Fuzziness fuzziness;
  private int prefixLength = MatchOptions.DEFAULT.prefixLength();
  private int maxExpansions = MatchOptions.DEFAULT.maxExpansions();
  private ZeroTerms zeroTerms = MatchOptions.DEFAULT.zeroTerms();
  private boolean lenient;

  MatchOptionsReader(JsonReader in, String owner) {
    this.in = in;
    this.owner = owner;
  }

  /** Takes the current key's value if the key is one of the options. */
  boolean take() {
    switch (in.key()) {
      case "operator" -> operator = operator();
      case "minimum_should_match" -> minimumShouldMatch = minimumShouldMatch(in, owner);
      case "analyzer" -> analyzer = in.textOrNull(owner);
      case "fuzziness" -> fuzziness = fuzziness();
      case "prefix_length" -> prefixLength = in.integer(owner);
      case "max_expansions" -> maxExpansions = in.integer(owner);
      case "zero_terms_query" -> zeroTerms = zeroTerms(in, owner);
      case "lenient" -> lenient = in.flag(owner);
      case "fuzzy_transpositions", "auto_generate_synonyms_phrase_query" -> requireTrue();
      default -> {
        return false;
      }
    }
    return true;
  }

  MatchOptions read() {
    return new MatchOptions(
        operator,
        minimumShouldMatch,
        analyzer,
        fuzziness,
        prefixLength,
        maxExpansions,
        zeroTerms,
        lenient);
  }

  static @Nullable MinimumShouldMatch minimumShouldMatch(JsonReader in, String owner) {
    String text = in.textOrNull(owner);
    return text == null ? null : new MinimumShouldMatch(text);
  }

  static ZeroTerms zeroTerms(JsonReader in, String owner) {
    String name = in.text(owner);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "none" -> ZeroTerms.NONE;
      case "all" -> ZeroTerms.ALL;
      default ->
          throw in.parsing(
              "[" + owner + "] [zero_terms_query] must be [none] or [all], got [" + name + "]");
    };
  }

  private MatchOperator operator() {
    String name = in.text(owner);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "or" -> MatchOperator.OR;
      case "and" -> MatchOperator.AND;
      default ->
          throw in.illegalArgument(
              "[" + owner + "] [operator] must be [or] or [and], got [" + name + "]");
    };
  }

  /** {@code 0}, {@code 1}, {@code 2}, {@code AUTO} or {@code AUTO:low,high}. */
  private @Nullable Fuzziness fuzziness() {
    String text = in.textOrNull(owner);
    if (text == null) {
      return null;
    }
    String upper = text.strip().toUpperCase(Locale.ROOT);
    try {
      if (upper.equals("AUTO")) {
        return new Fuzziness.Auto(3, 6);
      }
      if (upper.startsWith("AUTO:")) {
        String[] bounds = upper.substring("AUTO:".length()).split(",", -1);
        if (bounds.length == 2) {
          return new Fuzziness.Auto(
              Integer.parseInt(bounds[0].strip()), Integer.parseInt(bounds[1].strip()));
        }
      }
      float edits = Float.parseFloat(upper);
      if (edits == (int) edits) {
        return new Fuzziness.Edits((int) edits);
      }
    } catch (NumberFormatException notNumber) {
      throw invalidFuzziness(text);
    }
    throw invalidFuzziness(text);
  }

  private IllegalArgumentException invalidFuzziness(String text) {
    return new IllegalArgumentException(
        "[" + owner + "] fuzziness must be 0, 1, 2, AUTO or AUTO:low,high, got [" + text + "]");
  }

  private void requireTrue() {
    if (!in.flag(owner)) {
      throw in.parsing("[" + owner + "] query does not support [" + in.key() + "] [false]");
    }
  }
}
