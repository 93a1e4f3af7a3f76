package dev.weir.search.query;

import java.util.List;
import java.util.Map;

/**
 * What a script makes of the score of a document. There is no script language: each kind of script
 * that is understood has a form of its own here, and any other source is refused when it is read.
 */
public sealed interface ScoreScript {

  /** The score of the query, unchanged: the source {@code _score}. */
  record QueryScore() implements ScoreScript {}

  /** The same score for every document: a source that is a number. */
  record Constant(double score) implements ScoreScript {
    /** Checks that it can be a score. */
    public Constant {
      if (!(score >= 0) || !Double.isFinite(score)) {
        throw new IllegalArgumentException(
            "script score must be finite and not negative, got " + score);
      }
    }
  }

  /**
   * A formula of numbers, fields and vectors.
   *
   * @param source as it was given
   * @param params what it names
   * @param formula what it means
   */
  record Computed(String source, Map<String, ScriptParam> params, Formula formula)
      implements ScoreScript {
    /** Takes a copy of the parameters. */
    public Computed {
      params = Map.copyOf(params);
    }

    /**
     * Reads the formula.
     *
     * @throws IllegalArgumentException if it is none, with the supported forms
     */
    public static Computed of(String source, Map<String, ScriptParam> params) {
      return new Computed(source, params, FormulaParser.parse(source, params));
    }
  }

  /**
   * The score of a vector field in a space, which need not be that of the mapping: the language
   * {@code knn}.
   *
   * @param space the word for it, one of {@link #SPACES}
   */
  record Nearness(String field, QueryVector vector, String space) implements ScoreScript {
    /** Words for spaces. */
    public static final List<String> SPACES =
        List.of("l2", "l1", "linf", "cosinesimil", "innerproduct", "hamming", "hammingbit");

    /** Checks the space. */
    public Nearness {
      if (!SPACES.contains(space)) {
        throw new IllegalArgumentException(
            "[knn_score] space_type [" + space + "] is unknown; supported: " + SPACES);
      }
    }
  }
}
