package dev.weir.search.query;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import java.util.function.Consumer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads queries from JSON. What comes back is checked as far as it can be without a mapping, is
 * within the limits, and holds the common filter of a {@code hybrid} already inside its queries.
 * Immutable; any thread may use it.
 *
 * @param limits above which a query is refused
 */
public record QueryParser(QueryLimits limits) {

  /** A parser with the limits that hold where nothing else is set. */
  public static final QueryParser DEFAULT = new QueryParser(QueryLimits.DEFAULT);

  /**
   * Reads the outermost query of a search.
   *
   * @param in on the token before the query's object or on its start; afterwards on its end
   * @throws SearchException with status 400 that names the clause and its place
   */
  public Query parse(JsonParser in) {
    return JsonReader.read(() -> parse(new JsonReader(in)));
  }

  /**
   * Reads the outermost query of a search, as part of a larger read.
   *
   * @param in on the token before the query's object or on its start; afterwards on its end
   */
  public Query parse(JsonReader in) {
    return parse(in, _ -> {});
  }

  /**
   * Reads the outermost query of a search, as part of a larger read.
   *
   * @param in on the token before the query's object or on its start; afterwards on its end
   * @param commonFilter is given the common filter of a {@code hybrid}, as the very instance that
   *     stands in its queries
   */
  public Query parse(JsonReader in, Consumer<Query> commonFilter) {
    if (!in.at(JsonToken.START_OBJECT)) {
      in.next();
    }
    QueryReader reader = new QueryReader(in, limits);
    Query query = reader.outermost();
    Query common = reader.knownFilterOfHybrid();
    if (common != null) {
      commonFilter.accept(common);
    }
    return query;
  }

  /**
   * Reads a query that is to stand beside or inside another one, such as {@code post_filter}: it is
   * no {@code hybrid}.
   */
  public Query parseInner(JsonReader in) {
    if (!in.at(JsonToken.START_OBJECT)) {
      in.next();
    }
    return new QueryReader(in, limits).beside();
  }

  /**
   * Reads a filter that is to be added to queries which are not known yet, such as that of an alias
   * or of a request processor: one object, and nothing in it depends on scores.
   *
   * @param in on the value of the filter
   * @param place what to call it in a message, such as {@code [filter_query] processor's [query]}
   */
  public Query parseFilter(JsonReader in, String place) {
    return new QueryReader(in, limits).commonFilter(place);
  }

  /**
   * Reads a body that holds nothing but a query, as {@code _count} and {@code _validate/query} take
   * it. An empty body or object asks for every document.
   *
   * @param in before the first token of the body
   */
  public Query parseBody(JsonParser in) {
    return JsonReader.read(() -> body(new JsonReader(in)));
  }

  private Query body(JsonReader in) {
    Query query = new Query.MatchAll(Query.NO_BOOST, null);
    if (in.next() == null) {
      return query;
    }
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("the request body must be an object, found [" + in.tokenName() + "]");
    }
    while (in.nextKey()) {
      if (!in.key().equals("query")) {
        throw in.parsing("request does not support [" + in.key() + "]");
      }
      query = parse(in);
    }
    if (in.next() != null) {
      throw new SearchException(
          ErrorCause.of(ErrorType.PARSING, "unexpected token after the end of the request body")
              .at(in.position()));
    }
    return query;
  }
}
