package dev.weir.search.query;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Readers of {@code query_string} and {@code simple_query_string}. Both are read into the tree that
 * their text means, so a filter goes into them, and vector searches get theirs, as with any query.
 */
final class QueryStringQueries {

  /** What both take. */
  private static final KnownNames KEYS =
      KnownNames.of(
          "query",
          "fields",
          "default_operator",
          "minimum_should_match",
          "tie_breaker",
          "analyzer",
          "lenient",
          "analyze_wildcard",
          "allow_leading_wildcard",
          "fuzzy_transpositions");

  private final JsonReader in;
  private final String owner;
  private final Label label = new Label();
  private final MatchOptionsReader options;
  private @Nullable String text;
  private List<WeightedField> fields = List.of();
  private MatchOperator operator = MatchOperator.OR;
  private @Nullable MinimumShouldMatch minimum;
  private int slop;
  private @Nullable Float tieBreaker;
  private @Nullable String timeZone;

  private QueryStringQueries(JsonReader in, String owner) {
    this.in = in;
    this.owner = owner;
    this.options = new MatchOptionsReader(in, owner);
  }

  static Query queryString(JsonReader in, QueryReader all) {
    QueryStringQueries read = new QueryStringQueries(in, "query_string");
    read.keys();
    return read.tree(
        text ->
            new QueryStringParser(text, read.operator, all.limits())
                .parse(read.clauses(), read.minimum));
  }

  static Query simpleQueryString(JsonReader in, QueryReader all) {
    QueryStringQueries read = new QueryStringQueries(in, "simple_query_string");
    read.keys();
    return read.tree(
        text ->
            new SimpleQueryStringParser(text, read.operator, all.limits(), read.clauses())
                .parse(read.minimum));
  }

  private void keys() {
    while (in.nextKey()) {
      switch (in.key()) {
        case "query" -> text = in.text(owner);
        case "fields" -> fields = FullTextQueries.fields(in, owner);
        case "default_operator" -> operator = operator();
        case "minimum_should_match" -> minimum = MatchOptionsReader.minimumShouldMatch(in, owner);
        case "tie_breaker" -> tieBreaker = Checks.tieBreaker(in.decimal(owner));
        case "analyzer", "lenient" -> options.take();
        // Patterns are compared without regard to case, which is what analysing them is for.
        case "analyze_wildcard", "allow_leading_wildcard", "fuzzy_transpositions" -> in.flag(owner);
        default -> {
          if (!particular()) {
            label.takeOrRefuse(in, owner, known());
          }
        }
      }
    }
  }

  private KnownNames known() {
    return owner.equals("simple_query_string")
        ? KEYS.and("flags")
        : KEYS.and("default_field", "phrase_slop", "time_zone");
  }

  /** Takes a key that one of the two queries has alone. */
  private boolean particular() {
    boolean isSimple = owner.equals("simple_query_string");
    return switch (in.key()) {
      case "default_field" -> {
        if (!isSimple) {
          fields = FullTextQueries.fields(in, owner);
          // A star is what holds where no field is named.
          fields = fields.equals(List.of(new WeightedField("*", 1))) ? List.of() : fields;
        }
        yield !isSimple;
      }
      case "phrase_slop" -> {
        if (!isSimple) {
          slop = in.integer(owner);
        }
        yield !isSimple;
      }
      case "time_zone" -> {
        if (!isSimple) {
          timeZone = in.textOrNull(owner);
        }
        yield !isSimple;
      }
      case "flags" -> {
        if (isSimple) {
          requireAll();
        }
        yield isSimple;
      }
      default -> false;
    };
  }

  private void requireAll() {
    String flags = in.text(owner);
    if (!flags.equals("ALL") && !flags.equals("-1")) {
      throw in.illegalArgument(
          "[simple_query_string] [flags] must be [ALL], got ["
              + flags
              + "]; escape an operator"
              + " with a backslash");
    }
  }

  private MatchOperator operator() {
    String name = in.text(owner);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "or" -> MatchOperator.OR;
      case "and" -> MatchOperator.AND;
      default ->
          throw in.illegalArgument(
              "[" + owner + "] [default_operator] must be [or] or [and], got [" + name + "]");
    };
  }

  private TextClauses clauses() {
    MatchOptions read = options.read();
    MatchOptions words =
        new MatchOptions(
            operator,
            null,
            read.analyzer(),
            null,
            read.prefixLength(),
            read.maxExpansions(),
            read.zeroTerms(),
            // A text that looks through many fields meets some that it can't be a value of.
            read.lenient() || fields.isEmpty());
    return new TextClauses(fields, words, slop, tieBreaker, timeZone);
  }

  private Query tree(Function<String, Query> parsing) {
    String query = text;
    if (query == null) {
      throw in.parsing("[" + owner + "] must be provided with a [query]");
    }
    try {
      return Boosts.labelled(parsing.apply(query), label.boost(), label.name());
    } catch (IllegalArgumentException refused) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.QUERY_SHARD,
                  "[" + owner + "] Failed to parse query [" + query + "]: " + refused.getMessage())
              .at(in.position()));
    }
  }
}
