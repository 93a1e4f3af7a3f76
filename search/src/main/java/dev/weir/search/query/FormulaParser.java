package dev.weir.search.query;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the formula of a script. There is no script language behind it: what is not in this grammar
 * is refused.
 *
 * <pre>
 * formula  = condition | sum
 * condition = doc ".size()" ( "==" | "!=" | ">" ) "0" "?" formula ":" formula
 * sum      = product { ( "+" | "-" ) product }
 * product  = factor { ( "*" | "/" ) factor }
 * factor   = "-" factor | number | "_score" | param | doc ".value" | "(" formula ")"
 *          | function "(" param "," doc ")"
 * param    = "params." name | "params['" name "']"
 * doc      = "doc['" field "']"
 * </pre>
 *
 * <p>A field of a function may also be a quoted text alone. One object a formula, one thread.
 */
final class FormulaParser {

  /** Longest source; a formula of vectors has some sixty characters. */
  private static final int SOURCE_CHARS_MAX = 2_000;

  /** Most formulas inside each other, which bounds the stack of threads. */
  private static final int DEPTH_MAX = 50;

  private static final String FORMS =
      "supported are numbers, + - * /, parentheses, _score, params.NAME, doc['FIELD'].value,"
          + " FUNCTION(params.NAME, doc['FIELD']) with l2Squared, l1Norm, lInfNorm,"
          + " cosineSimilarity, innerProduct or hamming, and doc['FIELD'].size() == 0 ? A : B";

  private final String source;
  private final Map<String, ScriptParam> params;
  private int at;
  private int depth;

  private FormulaParser(String source, Map<String, ScriptParam> params) {
    this.source = source;
    this.params = params;
  }

  /**
   * The formula.
   *
   * @throws IllegalArgumentException if it is none, with the place and the supported forms
   */
  static Formula parse(String source, Map<String, ScriptParam> params) {
    if (source.length() > SOURCE_CHARS_MAX) {
      throw new IllegalArgumentException(
          "[script] source has "
              + source.length()
              + " characters, at most "
              + SOURCE_CHARS_MAX
              + " are supported");
    }
    FormulaParser parser = new FormulaParser(source, params);
    Formula formula = parser.formula();
    if (parser.at < source.length()) {
      throw parser.refusal("an operator");
    }
    return formula;
  }

  private Formula formula() {
    depth++;
    if (depth > DEPTH_MAX) {
      throw refusal("a formula that is less deep");
    }
    int start = at;
    String field = fieldOrNull();
    Formula formula;
    if (field != null && take(".size()")) {
      formula = condition(field);
    } else {
      at = start;
      formula = sum();
    }
    depth--;
    return formula;
  }

  private Formula condition(String field) {
    boolean absentFirst = take("==");
    if (!absentFirst && !take("!=") && !take(">")) {
      throw refusal("== 0, != 0 or > 0");
    }
    require("0");
    require("?");
    Formula first = formula();
    require(":");
    Formula second = formula();
    return absentFirst
        ? new Formula.IfPresent(field, second, first)
        : new Formula.IfPresent(field, first, second);
  }

  private Formula sum() {
    Formula left = product();
    while (true) {
      if (take("+")) {
        left = new Formula.Joined(Formula.Operator.PLUS, left, product());
      } else if (take("-")) {
        left = new Formula.Joined(Formula.Operator.MINUS, left, product());
      } else {
        return left;
      }
    }
  }

  private Formula product() {
    Formula left = factor();
    while (true) {
      if (take("*")) {
        left = new Formula.Joined(Formula.Operator.TIMES, left, factor());
      } else if (take("/")) {
        left = new Formula.Joined(Formula.Operator.OVER, left, factor());
      } else {
        return left;
      }
    }
  }

  private Formula factor() {
    if (take("-")) {
      depth++;
      if (depth > DEPTH_MAX) {
        throw refusal("fewer signs");
      }
      Formula negated = new Formula.Negated(factor());
      depth--;
      return negated;
    }
    if (take("(")) {
      Formula inner = formula();
      require(")");
      return inner;
    }
    skipSpace();
    if (at < source.length()
        && (Character.isDigit(source.charAt(at)) || source.charAt(at) == '.')) {
      return new Formula.Constant(number());
    }
    if (startsParam()) {
      return scalar(param());
    }
    String field = fieldOrNull();
    if (field != null) {
      require(".value");
      return new Formula.FieldValue(field);
    }
    return named();
  }

  private Formula named() {
    int start = at;
    String name = name();
    if (name.equals("_score")) {
      return new Formula.QueryScore();
    }
    for (VectorFunction function : VectorFunction.values()) {
      if (function.text().equals(name)) {
        require("(");
        QueryVector vector = vector(param());
        require(",");
        String field = fieldOrNull();
        if (field == null) {
          field = quoted();
        }
        require(")");
        return new Formula.OfVectors(function, vector, field);
      }
    }
    at = start;
    throw refusal("a value");
  }

  private boolean startsParam() {
    skipSpace();
    return source.startsWith("params", at);
  }

  private String param() {
    if (!take("params")) {
      throw refusal("params.NAME");
    }
    if (take(".")) {
      return name();
    }
    require("[");
    String name = quoted();
    require("]");
    return name;
  }

  private Formula scalar(String name) {
    return switch (required(name)) {
      case ScriptParam.Scalar(double value) -> new Formula.Constant(value);
      case ScriptParam.Vector _, ScriptParam.Text _ ->
          throw new IllegalArgumentException(
              "[script] parameter [" + name + "] stands where a number is needed");
    };
  }

  private QueryVector vector(String name) {
    return switch (required(name)) {
      case ScriptParam.Vector(QueryVector values) -> values;
      case ScriptParam.Scalar _, ScriptParam.Text _ ->
          throw new IllegalArgumentException(
              "[script] parameter [" + name + "] stands where a vector is needed");
    };
  }

  private ScriptParam required(String name) {
    ScriptParam param = params.get(name);
    if (param == null) {
      throw new IllegalArgumentException(
          "[script] has no parameter [" + name + "]; there are " + params.keySet());
    }
    return param;
  }

  private @Nullable String fieldOrNull() {
    if (!take("doc[")) {
      return null;
    }
    String field = quoted();
    require("]");
    return field;
  }

  private String quoted() {
    skipSpace();
    char quote = at < source.length() ? source.charAt(at) : ' ';
    int end = quote == '\'' || quote == '"' ? source.indexOf(quote, at + 1) : -1;
    if (end < 0) {
      throw refusal("a quoted name");
    }
    String text = source.substring(at + 1, end);
    at = end + 1;
    return text;
  }

  private String name() {
    skipSpace();
    int start = at;
    while (at < source.length()
        && (Character.isLetterOrDigit(source.charAt(at)) || source.charAt(at) == '_')) {
      at++;
    }
    if (start == at) {
      throw refusal("a name");
    }
    return source.substring(start, at);
  }

  private double number() {
    int start = at;
    while (at < source.length() && isPartOfNumber(start)) {
      at++;
    }
    String text = source.substring(start, at);
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      at = start;
      throw refusal("a number");
    }
  }

  private boolean isPartOfNumber(int start) {
    char next = source.charAt(at);
    char before = at > start ? source.charAt(at - 1) : ' ';
    boolean isSign = next == '+' || next == '-';
    return Character.isLetterOrDigit(next)
        || next == '.'
        || (isSign && (before == 'e' || before == 'E'));
  }

  private boolean take(String token) {
    skipSpace();
    if (!source.startsWith(token, at)) {
      return false;
    }
    at += token.length();
    return true;
  }

  private void require(String token) {
    if (!take(token)) {
      throw refusal("[" + token + "]");
    }
  }

  private void skipSpace() {
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
  }

  private IllegalArgumentException refusal(String expected) {
    return new IllegalArgumentException(
        "[script] source ["
            + source
            + "] is not supported: expected "
            + expected
            + " at character "
            + (at + 1)
            + "; "
            + FORMS);
  }
}
