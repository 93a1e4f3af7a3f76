package dev.weir.search.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaParserTest {
  private static final Map<String, ScriptParam> PARAMS =
      Map.of(
          "q",
          new ScriptParam.Vector(QueryVector.of(1, 2)),
          "w",
          new ScriptParam.Scalar(4),
          "t",
          new ScriptParam.Text("text"));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1.0 + 2|3",
        "2 + 3 * 4|14",
        "(2 + 3) * 4|20",
        "10 - 2 - 3|5",
        "16 / 4 / 2|2",
        "-2 * -3|6",
        "- (1 - 4)|3",
        "1e3 + 1.5E-1|1000.15",
        ".5 * params.w|2",
        "params['w'] - 1|3",
        "_score * 2|14", // the score is 7 here
        "1/(1+params.w)|0.2",
      })
  void arithmeticIsAsUsual(String source, double expected) {
    assertThat(value(FormulaParser.parse(source, PARAMS))).isEqualTo(expected);
  }

  private static double value(Formula formula) {
    return switch (formula) {
      case Formula.Constant(double value) -> value;
      case Formula.QueryScore() -> 7;
      case Formula.Negated(Formula inner) -> -value(inner);
      case Formula.Joined(Formula.Operator operator, Formula left, Formula right) ->
          operator.of(value(left), value(right));
      case Formula.FieldValue _, Formula.OfVectors _, Formula.IfPresent _ ->
          throw new AssertionError(formula);
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cosineSimilarity(params.q, doc['v'])",
        "cosineSimilarity(params['q'],doc[\"v\"])",
        " cosineSimilarity ( params.q , 'v' ) ",
      })
  void functionsTakeAParameterAndAField(String source) {
    assertThat(FormulaParser.parse(source, PARAMS))
        .isEqualTo(
            new Formula.OfVectors(VectorFunction.COSINE_SIMILARITY, QueryVector.of(1, 2), "v"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "doc['v'].size() == 0 ? 0 : 1",
        "doc['v'].size() != 0 ? 1 : 0",
        "doc['v'].size()>0 ? 1:0"
      })
  void documentsWithoutTheFieldHaveABranch(String source) {
    assertThat(FormulaParser.parse(source, PARAMS))
        .isEqualTo(new Formula.IfPresent("v", new Formula.Constant(1), new Formula.Constant(0)));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "",
        "1 +",
        "(1",
        "1)",
        "1 2",
        "1..2",
        "params.none",
        "params.q",
        "params.t + 1",
        "cosineSimilarity(params.w, doc['v'])",
        "cosineSimilarity(params.q)",
        "cosineSimilarity(params.q, doc['v'], 1)",
        "Math.log(2)",
        "doc['v'].length",
        "doc['v",
        "doc['v'].size() == 1 ? 0 : 1",
        "return 1",
        "1; 2",
        "System.exit(0)",
        "for(;;);",
        "new int[1000000000]",
      })
  void everythingElseIsRefused(String source) {
    assertThatThrownBy(() -> FormulaParser.parse(source, PARAMS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[script]");
  }

  @Test
  void depthAndLengthAreBound() {
    assertThatThrownBy(() -> FormulaParser.parse("(".repeat(900), PARAMS))
        .hasMessageContaining("less deep");
    assertThatThrownBy(() -> FormulaParser.parse("-".repeat(900) + "1", PARAMS))
        .hasMessageContaining("fewer signs");
    assertThatThrownBy(() -> FormulaParser.parse(" ".repeat(3000), PARAMS))
        .hasMessageContaining("2000");
  }
}
