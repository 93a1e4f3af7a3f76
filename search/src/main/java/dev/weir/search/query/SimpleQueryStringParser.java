package dev.weir.search.query;

import dev.weir.search.query.Query.Bool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the language of {@code simple_query_string}, in which nothing is wrong: what can't be
 * understood counts as a word. {@code +} is and, {@code |} is or, {@code -} excludes, {@code "..."}
 * is a phrase, {@code word*} a prefix, {@code ~N} allows edits or moves, brackets group. Operators
 * are taken from left to right. Used once.
 */
final class SimpleQueryStringParser {

  private static final int EDITS_MAX = 2;
  private static final String WORD_ENDS = "+|\"()~";

  private final QueryText in;
  private final MatchOperator operator;
  private final QueryLimits limits;
  private final TextClauses fields;
  private int depth;
  private int clauses;

  SimpleQueryStringParser(
      String text, MatchOperator operator, QueryLimits limits, TextClauses fields) {
    this.in = new QueryText(text);
    this.operator = operator;
    this.limits = limits;
    this.fields = fields;
  }

  /**
   * The whole query.
   *
   * @throws IllegalArgumentException if it is too long or too deep
   */
  Query parse(@Nullable MinimumShouldMatch minimum) {
    Group all = new Group();
    while (true) {
      Group read = group();
      if (read.query != null) {
        all.add(read.query, MatchOperator.OR);
      }
      if (in.atEnd()) {
        break;
      }
      in.take(")"); // one without its opening bracket says nothing
    }
    Query query = all.query;
    if (query == null) {
      return new Query.MatchNone(Query.NO_BOOST, null);
    }
    return query instanceof Bool bool && !bool.should().isEmpty() && minimum != null
        ? new Bool(
            bool.must(),
            bool.filter(),
            bool.should(),
            bool.mustNot(),
            minimum,
            bool.boost(),
            bool.name())
        : query;
  }

  /** What has been read of a group, and by which operator it holds together. */
  private static final class Group {
    private @Nullable Query query;
    private @Nullable MatchOperator by;

    void add(Query next, MatchOperator operator) {
      Query before = query;
      if (before == null) {
        query = next;
        return;
      }
      List<Query> both = new ArrayList<>();
      if (by == operator && before instanceof Bool bool) {
        both.addAll(operator == MatchOperator.AND ? bool.must() : bool.should());
      } else {
        both.add(before);
      }
      both.add(next);
      by = operator;
      query =
          operator == MatchOperator.AND
              ? Bool.of(both, List.of())
              : new Bool(List.of(), List.of(), both, List.of(), null, Query.NO_BOOST, null);
    }
  }

  private Group group() {
    if (++depth > limits.depthMax()) {
      throw new IllegalArgumentException("brackets lie more than " + limits.depthMax() + " deep");
    }
    Group group = new Group();
    in.skipBlanks();
    while (!in.atEnd() && in.peek() != ')') {
      MatchOperator by = operator;
      boolean not = false;
      while (true) { // of several operators the last one counts
        in.skipBlanks();
        if (in.take("+")) {
          by = MatchOperator.AND;
        } else if (in.take("|")) {
          by = MatchOperator.OR;
        } else if (in.take("-")) {
          not = !not;
        } else {
          break;
        }
      }
      Query clause = in.atEnd() || in.peek() == ')' ? null : clause();
      if (clause != null) {
        group.add(not ? not(clause) : clause, by);
      }
      in.skipBlanks();
    }
    depth--;
    return group;
  }

  private static Query not(Query query) {
    return new Bool(List.of(), List.of(), List.of(), List.of(query), null, Query.NO_BOOST, null);
  }

  private @Nullable Query clause() {
    if (++clauses > limits.clausesMax()) {
      throw new IllegalArgumentException("it has more than " + limits.clausesMax() + " clauses");
    }
    if (in.take("(")) {
      Query inner = group().query;
      in.take(")");
      return inner;
    }
    if (in.take("\"")) {
      return in.hasClosingQuote() ? phrase() : null;
    }
    if (in.take("~")) {
      return null;
    }
    QueryText.Word word = in.word(WORD_ENDS);
    if (word.pattern().equals("*")) {
      return fields.exists();
    }
    String pattern = word.pattern();
    if (word.isPattern() && pattern.indexOf('*') == pattern.length() - 1) {
      return fields.prefix(word.text().substring(0, word.text().length() - 1));
    }
    if (in.take("~")) {
      float edits = in.number().orElse((float) EDITS_MAX);
      return fields.fuzzy(word.text(), new Fuzziness.Edits((int) Math.min(EDITS_MAX, edits)));
    }
    return fields.words(word.text());
  }

  private @Nullable Query phrase() {
    String text = in.quoted();
    if (text.isBlank()) {
      return null;
    }
    if (!in.take("~")) {
      return fields.phrase(text);
    }
    return fields.phrase(text, (int) (float) in.number().orElse(0f));
  }
}
