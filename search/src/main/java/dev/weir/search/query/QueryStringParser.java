package dev.weir.search.query;

import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.MatchAll;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the language of {@code query_string} into a tree: words, {@code "phrases"}, {@code
 * field:word}, {@code pre*}, {@code w?ld*rd}, {@code fuzzy~1}, {@code [a TO b}}, {@code >=5},
 * {@code ^2}, brackets, {@code AND}, {@code OR}, {@code NOT}, {@code +} and {@code -}, with {@code
 * \\} before a character that is meant as such. {@code AND} and {@code OR} do not bind differently:
 * as in Lucene's classic parser, {@code AND} makes the clauses on its sides required. Used once.
 */
final class QueryStringParser {

  private static final String WORD_ENDS = "():^~\"[]{}";
  private static final String VALUE_ENDS = "()^\"";

  private final QueryText in;
  private final MatchOperator operator;
  private final QueryLimits limits;
  private int depth;
  private int clauses;

  QueryStringParser(String text, MatchOperator operator, QueryLimits limits) {
    this.in = new QueryText(text);
    this.operator = operator;
    this.limits = limits;
  }

  /**
   * The whole query.
   *
   * @throws IllegalArgumentException if the text is not of the language
   */
  Query parse(TextClauses fields, @Nullable MinimumShouldMatch minimum) {
    Query query = clauses(fields, minimum);
    if (!in.atEnd()) {
      throw new IllegalArgumentException("[)] without [(]");
    }
    return query;
  }

  /** What was said of a clause before it. */
  private enum Occurs {
    MAY,
    MUST,
    MUST_NOT
  }

  private static final class Clause {
    private final Query query;
    private Occurs occurs;

    Clause(Query query, Occurs occurs) {
      this.query = query;
      this.occurs = occurs;
    }
  }

  private Query clauses(TextClauses fields, @Nullable MinimumShouldMatch minimum) {
    if (++depth > limits.depthMax()) {
      throw new IllegalArgumentException("brackets lie more than " + limits.depthMax() + " deep");
    }
    List<Clause> read = new ArrayList<>();
    in.skipBlanks();
    while (!in.atEnd() && in.peek() != ')') {
      boolean and = in.takeWord("AND") || in.take("&&");
      boolean or = !and && (in.takeWord("OR") || in.take("||"));
      in.skipBlanks();
      boolean not = in.takeWord("NOT") || in.take("-") || in.take("!");
      boolean plus = !not && in.take("+");
      in.skipBlanks();
      if (in.atEnd() || in.peek() == ')') {
        throw new IllegalArgumentException("an operator stands before nothing");
      }
      if (!read.isEmpty() && read.getLast().occurs != Occurs.MUST_NOT) {
        if (and) {
          read.getLast().occurs = Occurs.MUST;
        } else if (or && operator == MatchOperator.AND) {
          read.getLast().occurs = Occurs.MAY;
        }
      }
      boolean must = plus || and || (operator == MatchOperator.AND && !or);
      read.add(new Clause(clause(fields), not ? Occurs.MUST_NOT : occurs(must)));
      in.skipBlanks();
    }
    depth--;
    return together(read, minimum);
  }

  private static Occurs occurs(boolean must) {
    return must ? Occurs.MUST : Occurs.MAY;
  }

  private static Query together(List<Clause> read, @Nullable MinimumShouldMatch minimum) {
    if (read.isEmpty()) {
      return new Query.MatchNone(Query.NO_BOOST, null);
    }
    if (read.size() == 1 && read.getFirst().occurs != Occurs.MUST_NOT) {
      return read.getFirst().query;
    }
    List<Query> may = which(read, Occurs.MAY);
    return new Bool(
        which(read, Occurs.MUST),
        List.of(),
        may,
        which(read, Occurs.MUST_NOT),
        may.isEmpty() ? null : minimum,
        Query.NO_BOOST,
        null);
  }

  private static List<Query> which(List<Clause> read, Occurs occurs) {
    return read.stream()
        .filter(clause -> clause.occurs == occurs)
        .map(clause -> clause.query)
        .toList();
  }

  private Query clause(TextClauses fields) {
    if (++clauses > limits.clausesMax()) {
      throw new IllegalArgumentException("it has more than " + limits.clausesMax() + " clauses");
    }
    Query query =
        switch (in.peek()) {
          case '(' -> inBrackets(fields);
          case '"' -> phrase(fields);
          case '[', '{' -> range(fields);
          case '<', '>' -> comparison(fields);
          case '/' ->
              throw new IllegalArgumentException(
                  "regular expressions are not supported; write [\\/] for a slash");
          default -> wordOrField(fields);
        };
    if (!in.take("^")) {
      return query;
    }
    return Boosts.times(query, number("^"));
  }

  private float number(String after) {
    return in.number()
        .orElseThrow(
            () -> new IllegalArgumentException("a number must stand behind [" + after + "]"));
  }

  private Query inBrackets(TextClauses fields) {
    in.take("(");
    Query query = clauses(fields, null);
    if (!in.take(")")) {
      throw new IllegalArgumentException("[(] without [)]");
    }
    return query;
  }

  private Query phrase(TextClauses fields) {
    in.take("\"");
    String text = in.quoted();
    return in.take("~") ? fields.phrase(text, (int) number("~")) : fields.phrase(text);
  }

  private Query wordOrField(TextClauses fields) {
    QueryText.Word word = in.word(WORD_ENDS);
    if (word.text().isEmpty()) {
      throw new IllegalArgumentException("[" + in.peek() + "] is not expected here");
    }
    if (in.take(":")) {
      return inField(word, fields);
    }
    if (word.pattern().equals("*")) {
      return fields.exists();
    }
    if (word.isPattern()) {
      String pattern = word.pattern();
      int star = pattern.indexOf('*');
      boolean isPrefix =
          star == pattern.length() - 1 && pattern.indexOf('?') < 0 && pattern.indexOf('\\') < 0;
      return isPrefix ? fields.prefix(pattern.substring(0, star)) : fields.wildcard(pattern);
    }
    if (in.take("~")) {
      Fuzziness automatic = new Fuzziness.Auto(3, 6);
      return fields.fuzzy(
          word.text(), in.number().<Fuzziness>map(edits -> edits(edits)).orElse(automatic));
    }
    return fields.words(word.text());
  }

  private static Fuzziness edits(float number) {
    return new Fuzziness.Edits((int) number);
  }

  private Query inField(QueryText.Word name, TextClauses fields) {
    if (name.text().equals("_exists_")) {
      return fields
          .in(List.of(new WeightedField(in.word(WORD_ENDS).text(), Query.NO_BOOST)))
          .exists();
    }
    in.skipBlanks();
    if (name.pattern().equals("*") && in.take("*")) {
      return new MatchAll(Query.NO_BOOST, null);
    }
    if (in.atEnd()) {
      throw new IllegalArgumentException("nothing stands behind [" + name.text() + ":]");
    }
    clauses--; // it is one clause with what it holds
    return clause(fields.in(List.of(new WeightedField(name.text(), Query.NO_BOOST))));
  }

  private Query comparison(TextClauses fields) {
    boolean above = in.take(">");
    if (!above) {
      in.take("<");
    }
    boolean closed = in.take("=");
    in.skipBlanks();
    RangeEnd end = new RangeEnd(value(VALUE_ENDS), closed);
    return above ? fields.range(end, null) : fields.range(null, end);
  }

  private Query range(TextClauses fields) {
    boolean lowerClosed = in.take("[");
    if (!lowerClosed) {
      in.take("{");
    }
    RangeEnd lower = end(lowerClosed);
    in.skipBlanks();
    if (!in.takeWord("TO")) {
      throw new IllegalArgumentException("a range is written [a TO b]");
    }
    Literal upper = value("]}");
    in.skipBlanks();
    boolean upperClosed = in.take("]");
    if (!upperClosed && !in.take("}")) {
      throw new IllegalArgumentException("a range is not closed by []] or [}]");
    }
    return fields.range(lower, upper.text().equals("*") ? null : new RangeEnd(upper, upperClosed));
  }

  private @Nullable RangeEnd end(boolean closed) {
    Literal value = value("]}");
    return value.text().equals("*") ? null : new RangeEnd(value, closed);
  }

  private Literal value(String ends) {
    in.skipBlanks();
    String text = in.take("\"") ? in.quoted() : in.word(ends).text();
    if (text.isEmpty()) {
      throw new IllegalArgumentException("a value of a range is missing");
    }
    return Literal.of(text);
  }
}
