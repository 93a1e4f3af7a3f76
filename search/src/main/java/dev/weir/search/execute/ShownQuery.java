package dev.weir.search.execute;

import dev.weir.search.query.Query;
import dev.weir.search.query.QueryWriter;

/** A query as a text for people: what was asked for, and what Lucene makes of it. */
final class ShownQuery {
  /**
   * A filter stands in the text at every place that it was pushed to, so that a request of a
   * megabyte may well become a text of gigabytes. Nobody reads the second megabyte.
   */
  static final int CHARS_MAX = 1 << 20;

  private static final String CUT = "...";

  private ShownQuery() {}

  /** The text; of one that is too long the beginning. */
  static String of(Query query, org.apache.lucene.search.Query lucene) {
    String json = QueryWriter.toJson(query, CHARS_MAX);
    return json.length() < CHARS_MAX
        ? json + " as " + beginning(lucene.toString())
        : json + CUT; // what Lucene is asked for would be as long
  }

  private static String beginning(String text) {
    return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + CUT;
  }
}
