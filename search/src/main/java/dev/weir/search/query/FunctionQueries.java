package dev.weir.search.query;

import dev.weir.search.geo.GeoPoints;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query.FunctionScore;
import dev.weir.search.query.Query.MatchAll;
import dev.weir.search.query.Query.ScriptScore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Readers of {@code function_score} and {@code script_score}. */
final class FunctionQueries {

  private static final String FUNCTION_SCORE = "function_score";
  private static final String SCRIPT_SCORE = "script_score";

  private static final KnownNames SCRIPT_SCORE_KEYS = KnownNames.of("query", "script", "min_score");

  /** What a function may be, beside or inside of {@code functions}. */
  private static final KnownNames SHAPES =
      KnownNames.of(
          "weight", "field_value_factor", "random_score", "gauss", "exp", "linear", SCRIPT_SCORE);

  private static final KnownNames KEYS =
      SHAPES.and("query", "functions", "score_mode", "boost_mode", "max_boost", "min_score");
  private static final KnownNames FIELD_VALUE_KEYS =
      KnownNames.of("field", "factor", "modifier", "missing");
  private static final KnownNames RANDOM_KEYS = KnownNames.of("seed", "field");
  private static final KnownNames DECAY_KEYS = KnownNames.of("origin", "scale", "offset", "decay");

  private final JsonReader in;
  private final QueryReader all;
  private final Label label = new Label();
  private final List<ScoreFunction> functions = new ArrayList<>();
  private Query query = new MatchAll(Query.NO_BOOST, null);
  private FunctionCombination combination = FunctionCombination.DEFAULT;
  private @Nullable Float minScore;
  private @Nullable ScoreShape single;
  private @Nullable Float weight;

  private FunctionQueries(JsonReader in, QueryReader all) {
    this.in = in;
    this.all = all;
  }

  static Query functionScore(JsonReader in, QueryReader all) {
    return new FunctionQueries(in, all).read();
  }

  static Query scriptScore(JsonReader in, QueryReader all) {
    Label label = new Label();
    Query query = null;
    ScoreScript script = null;
    Float minScore = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "query" -> query = all.inner();
        case "script" -> script = ScoreScripts.read(in);
        case "min_score" -> minScore = in.decimal(SCRIPT_SCORE);
        default -> label.takeOrRefuse(in, SCRIPT_SCORE, SCRIPT_SCORE_KEYS);
      }
    }
    if (query == null) {
      throw in.illegalArgument("[script_score] requires a [query]");
    }
    if (script == null) {
      throw in.illegalArgument("[script_score] requires a [script]");
    }
    return new ScriptScore(query, script, minScore, label.boost(), label.name());
  }

  private Query read() {
    boolean listed = false;
    while (in.nextKey()) {
      switch (in.key()) {
        case "query" -> query = all.inner();
        case "functions" -> {
          listed = true;
          functions();
        }
        case "score_mode" ->
            combination =
                new FunctionCombination(
                    choice(ScoreMode.values()), combination.boostMode(), combination.maxBoost());
        case "boost_mode" ->
            combination =
                new FunctionCombination(
                    combination.scoreMode(), choice(BoostMode.values()), combination.maxBoost());
        case "max_boost" ->
            combination =
                new FunctionCombination(
                    combination.scoreMode(), combination.boostMode(), in.decimal(FUNCTION_SCORE));
        case "min_score" -> minScore = in.decimal(FUNCTION_SCORE);
        case "weight" -> weight = in.decimal(FUNCTION_SCORE);
        default -> {
          String name = in.key();
          Optional<ScoreShape> shape = shape();
          if (shape.isPresent()) {
            requireNone(single, name);
            single = shape.get();
          } else {
            label.takeOrRefuse(in, FUNCTION_SCORE, KEYS);
          }
        }
      }
    }
    if (single != null || weight != null) {
      if (listed) {
        throw in.parsing(
            "[function_score] has [functions] and a function beside it; put all into [functions]");
      }
      functions.add(
          new ScoreFunction(null, single == null ? new ScoreShape.One() : single, weight));
    }
    return new FunctionScore(query, functions, combination, minScore, label.boost(), label.name());
  }

  private void requireNone(@Nullable ScoreShape shape, String next) {
    if (shape != null) {
      throw in.parsing(
          "[function_score] has two functions in one object, the second is ["
              + next
              + "]; list them in [functions]");
    }
  }

  private void functions() {
    if (!in.at(JsonToken.START_ARRAY)) {
      throw in.unsupportedValue(FUNCTION_SCORE, "functions");
    }
    while (in.next() != JsonToken.END_ARRAY) {
      if (!in.at(JsonToken.START_OBJECT)) {
        throw in.parsing("[function_score] [functions] must hold objects");
      }
      functions.add(function());
    }
  }

  private ScoreFunction function() {
    Query filter = null;
    ScoreShape shape = null;
    Float factor = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "filter" -> filter = all.inner();
        case "weight" -> factor = in.decimal(FUNCTION_SCORE);
        default -> {
          String name = in.key();
          requireNone(shape, name);
          shape =
              shape().orElseThrow(() -> in.unsupportedKey(FUNCTION_SCORE, SHAPES.and("filter")));
        }
      }
    }
    if (shape == null && factor == null) {
      throw in.parsing("[function_score] a function needs a [weight] or says what it is");
    }
    return new ScoreFunction(filter, shape == null ? new ScoreShape.One() : shape, factor);
  }

  /** The function under the current key; empty if the key names none. */
  private Optional<ScoreShape> shape() {
    return switch (in.key()) {
      case "field_value_factor" -> Optional.of(fieldValue());
      case "random_score" -> Optional.of(random());
      case "gauss" -> Optional.of(decay(DecayCurve.GAUSS));
      case "exp" -> Optional.of(decay(DecayCurve.EXP));
      case "linear" -> Optional.of(decay(DecayCurve.LINEAR));
      case SCRIPT_SCORE -> Optional.of(script());
      default -> Optional.empty();
    };
  }

  private ScoreShape fieldValue() {
    String owner = "field_value_factor";
    requireObject(owner);
    String field = null;
    float factor = 1;
    FactorModifier modifier = FactorModifier.NONE;
    Double missing = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "field" -> field = in.text(owner);
        case "factor" -> factor = in.decimal(owner);
        case "modifier" -> modifier = choice(FactorModifier.values());
        case "missing" -> missing = (double) in.decimal(owner);
        default -> throw in.unsupportedKey(owner, FIELD_VALUE_KEYS);
      }
    }
    if (field == null) {
      throw in.parsing("[field_value_factor] required field 'field' missing");
    }
    return new ScoreShape.FieldValue(field, factor, modifier, missing);
  }

  private ScoreShape random() {
    String owner = "random_score";
    requireObject(owner);
    String seed = null;
    String field = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "seed" -> seed = in.textOrNull(owner);
        case "field" -> field = in.text(owner);
        default -> throw in.unsupportedKey(owner, RANDOM_KEYS);
      }
    }
    return new ScoreShape.Random(seed, field);
  }

  private ScoreShape script() {
    requireObject(SCRIPT_SCORE);
    ScoreScript script = null;
    while (in.nextKey()) {
      if (!in.key().equals("script")) {
        throw in.unsupportedKey(SCRIPT_SCORE, KnownNames.of("script"));
      }
      script = ScoreScripts.read(in);
    }
    if (script == null) {
      throw in.illegalArgument("[script_score] requires a [script]");
    }
    return new ScoreShape.Script(script);
  }

  private ScoreShape decay(DecayCurve curve) {
    String owner = curve.name().toLowerCase(Locale.ROOT);
    requireObject(owner);
    String field = null;
    Decay said = new Decay();
    ValueMode valueMode = ValueMode.MIN;
    while (in.nextKey()) {
      if (in.key().equals("multi_value_mode")) {
        valueMode = choice(ValueMode.values());
      } else if (field == null) {
        field = in.key();
        requireObject(owner);
        said.read(in, owner);
      } else {
        throw in.parsing("[" + owner + "] has two fields, [" + field + "] and [" + in.key() + "]");
      }
    }
    if (field == null) {
      throw in.parsing("[" + owner + "] names no field");
    }
    if (said.scale == null) {
      throw in.parsing("[" + owner + "] of field [" + field + "] requires a [scale]");
    }
    return new ScoreShape.Decay(
        curve, field, said.origin, said.scale, said.offset, said.decay, valueMode);
  }

  /** What the object of a decay's field says. */
  private static final class Decay {
    private @Nullable Literal origin;
    private @Nullable Literal scale;
    private @Nullable Literal offset;
    private double decay = 0.5;

    void read(JsonReader in, String owner) {
      while (in.nextKey()) {
        String name = in.key();
        switch (name) {
          case "origin" -> origin = origin(in, owner);
          case "scale" -> scale = value(in, owner);
          case "offset" -> offset = value(in, owner);
          case "decay" -> decay = in.decimal(owner);
          default -> throw in.unsupportedKey(owner, DECAY_KEYS);
        }
      }
    }

    /** A point that is no text becomes one: what it is of, the mapping knows. */
    private static Literal origin(JsonReader in, String owner) {
      if (!in.at(JsonToken.START_OBJECT) && !in.at(JsonToken.START_ARRAY)) {
        return value(in, owner);
      }
      try {
        return Literal.of(in.value(GeoPoints::single).strict().text());
      } catch (IllegalArgumentException e) {
        throw in.illegalArgument("[" + owner + "] [origin]: " + e.getMessage());
      }
    }

    private static Literal value(JsonReader in, String owner) {
      return FieldObject.literal(in, owner, in.key());
    }
  }

  private void requireObject(String owner) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.unsupportedValue(FUNCTION_SCORE, owner);
    }
  }

  private <E extends Enum<E>> E choice(E[] values) {
    String key = in.key();
    String name = in.text(FUNCTION_SCORE);
    return Arrays.stream(values)
        .filter(value -> value.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                in.illegalArgument(
                    "[function_score] ["
                        + key
                        + "] must be one of ["
                        + Arrays.stream(values)
                            .map(value -> value.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))
                        + "], got ["
                        + name
                        + "]"));
  }
}
