package dev.weir.search.query;

import dev.weir.search.query.Query.DisMax;
import dev.weir.search.query.Query.Exists;
import dev.weir.search.query.Query.Match;
import dev.weir.search.query.Query.MatchPhrase;
import dev.weir.search.query.Query.MultiMatch;
import dev.weir.search.query.Query.Prefix;
import dev.weir.search.query.Query.Range;
import dev.weir.search.query.Query.Wildcard;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes queries of the parts of a query that is written as text: each part is looked for in the
 * same fields.
 *
 * @param fields names and patterns; none for all fields with text
 * @param options how words are matched
 * @param slop of phrases that say none
 * @param tieBreaker what the fields other than the best one add; null for nothing
 * @param timeZone of dates in ranges; null for UTC
 */
record TextClauses(
    List<WeightedField> fields,
    MatchOptions options,
    int slop,
    @Nullable Float tieBreaker,
    @Nullable String timeZone) {

  /** The same in other fields. */
  TextClauses in(List<WeightedField> others) {
    return new TextClauses(others, options, slop, tieBreaker, timeZone);
  }

  Query words(String text) {
    return words(text, options);
  }

  Query fuzzy(String text, Fuzziness fuzziness) {
    return words(
        text,
        new MatchOptions(
            options.operator(),
            options.minimumShouldMatch(),
            options.analyzer(),
            fuzziness,
            options.prefixLength(),
            options.maxExpansions(),
            options.zeroTerms(),
            options.lenient()));
  }

  private Query words(String text, MatchOptions how) {
    if (fields.size() == 1 && isPlain(fields.getFirst())) {
      WeightedField only = fields.getFirst();
      return new Match(only.field(), Literal.of(text), how, only.boost(), null);
    }
    return new MultiMatch(
        Literal.of(text),
        fields,
        MultiMatchType.BEST_FIELDS,
        tieBreaker,
        how,
        Query.NO_BOOST,
        null);
  }

  Query phrase(String text) {
    return phrase(text, slop);
  }

  Query phrase(String text, int moves) {
    if (moves == 0 && !areNamed()) {
      return new MultiMatch(
          Literal.of(text),
          fields,
          MultiMatchType.PHRASE,
          tieBreaker,
          options,
          Query.NO_BOOST,
          null);
    }
    return inEach(
        "a phrase with a slop",
        field ->
            new MatchPhrase(
                field.field(),
                Literal.of(text),
                moves,
                options.analyzer(),
                options.zeroTerms(),
                field.boost(),
                null));
  }

  Query prefix(String start) {
    return inEach(
        "a prefix",
        field -> new Prefix(field.field(), start, LetterCase.IGNORED, field.boost(), null));
  }

  Query wildcard(String pattern) {
    return inEach(
        "a pattern",
        field -> new Wildcard(field.field(), pattern, LetterCase.IGNORED, field.boost(), null));
  }

  Query range(@Nullable RangeEnd lower, @Nullable RangeEnd upper) {
    RangeOptions dates = new RangeOptions(null, timeZone, RangeRelation.INTERSECTS);
    return inEach(
        "a range", field -> new Range(field.field(), lower, upper, dates, field.boost(), null));
  }

  Query exists() {
    return fields.isEmpty()
        ? new Query.MatchAll(Query.NO_BOOST, null)
        : inEach("[*] alone", field -> new Exists(field.field(), field.boost(), null));
  }

  private Query inEach(String what, Function<WeightedField, Query> query) {
    if (!areNamed()) {
      throw new IllegalArgumentException(
          what + " needs fields by their full names: write [field:...], or say which in [fields]");
    }
    List<Query> queries = fields.stream().map(query).toList();
    return queries.size() == 1
        ? queries.getFirst()
        : new DisMax(queries, tieBreaker == null ? 0 : tieBreaker, Query.NO_BOOST, null);
  }

  private boolean areNamed() {
    return !fields.isEmpty() && fields.stream().allMatch(TextClauses::isPlain);
  }

  private static boolean isPlain(WeightedField field) {
    return field.field().indexOf('*') < 0;
  }
}
