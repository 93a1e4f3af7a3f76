package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.DateFormat;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.query.BoostMode;
import dev.weir.search.query.FunctionCombination;
import dev.weir.search.query.Literal;
import dev.weir.search.query.Query.FunctionScore;
import dev.weir.search.query.Query.ScriptScore;
import dev.weir.search.query.ScoreFunction;
import dev.weir.search.query.ScoreMode;
import dev.weir.search.query.ScoreScript;
import dev.weir.search.query.ScoreShape;
import dev.weir.search.query.ValueMode;
import dev.weir.search.request.TimeValue;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Turns the functions of {@code function_score} and {@code script_score} into sources of scores.
 */
record FunctionTranslation(ShardContext shard) {

  /** Bits of a random score: as many as a float has for its digits. */
  private static final int RANDOM_BITS = 24;

  /**
   * The scores of a {@code function_score}.
   *
   * @param level whose documents are scored
   * @param filters translates the filters of the functions
   * @throws IllegalArgumentException if a function does not fit the mapping
   */
  DoubleValuesSource scores(
      FunctionScore scored, Level level, Function<dev.weir.search.query.Query, Query> filters) {
    List<FunctionScores.Part> parts = new ArrayList<>();
    for (ScoreFunction function : scored.functions()) {
      dev.weir.search.query.Query filter = function.filter();
      Float weight = function.weight();
      parts.add(
          new FunctionScores.Part(
              filter == null ? null : DoubleValuesSource.fromQuery(filters.apply(filter)),
              function.shape(),
              weight == null ? 1 : weight,
              values(function.shape())));
    }
    return new FunctionScores(parts, scored.combination(), level);
  }

  /** The scores of a {@code script_score}. */
  DoubleValuesSource scores(ScriptScore scored, Level level) {
    ScoreShape shape = new ScoreShape.Script(scored.script());
    return new FunctionScores(
        List.of(new FunctionScores.Part(null, shape, 1, values(shape))),
        new FunctionCombination(ScoreMode.FIRST, BoostMode.REPLACE, Float.MAX_VALUE),
        level);
  }

  private FunctionScores.Values values(ScoreShape shape) {
    return switch (shape) {
      case ScoreShape.One() -> _ -> (_, _) -> 1;
      case ScoreShape.FieldValue value -> fieldValue(value);
      case ScoreShape.Random random -> random(random);
      case ScoreShape.Decay decay -> decay(decay);
      case ScoreShape.Script(ScoreScript script) ->
          switch (script) {
            case ScoreScript.QueryScore() -> _ -> (_, score) -> score;
            case ScoreScript.Constant(double constant) -> _ -> (_, _) -> constant;
            case ScoreScript.Computed computed -> formulas().values(computed);
            case ScoreScript.Nearness nearness -> formulas().values(nearness);
          };
    };
  }

  private FormulaTranslation formulas() {
    return new FormulaTranslation(
        shard, field -> decoding(field, "doc['" + field + "'].value", /* mayBeUnmapped= */ false));
  }

  private FunctionScores.Values fieldValue(ScoreShape.FieldValue value) {
    String field = value.field();
    LongToDoubleFunction decoded = decoding(field, "field_value_factor", value.missing() != null);
    return leaf -> {
      SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf.reader(), field);
      return (doc, _) -> {
        Double missing = value.missing();
        double number;
        if (numbers.advanceExact(doc)) {
          number = decoded.applyAsDouble(numbers.nextValue());
        } else if (missing != null) {
          number = missing;
        } else {
          throw SearchException.illegalArgument(
              "Missing value for field [" + field + "]; say a [missing] in [field_value_factor]");
        }
        double result = value.modifier().of(number * value.factor());
        if (!(result >= 0)) {
          throw SearchException.illegalArgument(
              "field value function must not produce negative scores, but got: ["
                  + result
                  + "] for field value: ["
                  + number
                  + "] of ["
                  + field
                  + "]");
        }
        return result;
      };
    };
  }

  private FunctionScores.Values random(ScoreShape.Random random) {
    String seed = random.seed();
    long salt = mixed(seed == null ? shard.moment().ms() : seed.hashCode());
    String field = random.field();
    if (field == null) {
      long ofIndex = mixed(salt ^ shard.index().hashCode());
      return leaf -> (doc, _) -> fraction(mixed(ofIndex + leaf.docBase + doc));
    }
    if (!field.equals("_seq_no")) {
      LongToDoubleFunction _ = decoding(field, "random_score", /* mayBeUnmapped= */ false);
    }
    return leaf -> {
      SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf.reader(), field);
      return (doc, _) ->
          fraction(mixed(salt + (numbers.advanceExact(doc) ? numbers.nextValue() : -1)));
    };
  }

  /** The finalizer of SplitMix64: nearby numbers become far apart. */
  private static long mixed(long number) {
    long once = (number + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    long twice = (once ^ (once >>> 27)) * 0x94D049BB133111EBL;
    return twice ^ (twice >>> 31);
  }

  private static double fraction(long bits) {
    return (bits >>> (Long.SIZE - RANDOM_BITS)) / (double) (1 << RANDOM_BITS);
  }

  private FunctionScores.Values decay(ScoreShape.Decay decay) {
    FieldType.Leaf type = shard.mapping().field(decay.field()).orElse(null);
    if (type instanceof FieldType.Geo geo) {
      return PlaceDecay.values(decay, geo);
    }
    Literal said = decay.offset();
    double origin;
    double scale;
    double offset;
    if (type instanceof FieldType.DateTime date) {
      Literal from = decay.origin();
      origin = from == null ? shard.moment().ms() : instant(from, date);
      scale = durationMs("scale", decay.scale());
      offset = said == null ? 0 : durationMs("offset", said);
    } else {
      origin = number("origin", decay.origin());
      scale = number("scale", decay.scale());
      offset = said == null ? 0 : number("offset", said);
    }
    if (!(scale > 0) || !(offset >= 0)) {
      throw new IllegalArgumentException(
          "decay of ["
              + decay.field()
              + "] needs a [scale] above 0 and an [offset] not below 0, scale="
              + scale
              + " offset="
              + offset);
    }
    LongToDoubleFunction decoded = decoding(decay.field(), "decay", /* mayBeUnmapped= */ false);
    return leaf -> {
      SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf.reader(), decay.field());
      return (doc, _) -> {
        if (!numbers.advanceExact(doc)) {
          return 1;
        }
        double[] distances = new double[numbers.docValueCount()];
        for (int i = 0; i < distances.length; i++) {
          double away = Math.abs(decoded.applyAsDouble(numbers.nextValue()) - origin);
          distances[i] = Math.max(0, away - offset);
        }
        return decay.curve().at(one(distances, decay.valueMode()), scale, decay.decay());
      };
    };
  }

  /** Which of a document's distances counts. */
  static double one(double[] distances, ValueMode mode) {
    double min = Double.POSITIVE_INFINITY;
    double max = 0;
    double sum = 0;
    for (double distance : distances) {
      min = Math.min(min, distance);
      max = Math.max(max, distance);
      sum += distance;
    }
    return switch (mode) {
      case MIN -> min;
      case MAX -> max;
      case AVG -> sum / distances.length;
      case SUM -> sum;
    };
  }

  private double instant(Literal value, FieldType.DateTime type) {
    DateMath dates = new DateMath(type.format(), ZoneOffset.UTC, shard.moment());
    return dates.millis(value.text(), DateFormat.Rounding.DOWN);
  }

  private static double durationMs(String name, Literal value) {
    Duration duration = TimeValue.parse(name, value.text());
    if (duration == null) {
      throw new IllegalArgumentException("[" + name + "] must be a time such as [10d]");
    }
    return duration.toMillis();
  }

  private static double number(String name, @Nullable Literal value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "[" + name + "] must be given for a decay over a number field");
    }
    try {
      return Double.parseDouble(value.text());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "[" + name + "] must be a number, got [" + value.text() + "]", e);
    }
  }

  /** How a field's stored numbers are read. */
  private LongToDoubleFunction decoding(String field, String function, boolean mayBeUnmapped) {
    FieldType.Leaf type = shard.mapping().field(field).orElse(null);
    if (type == null && mayBeUnmapped) {
      return stored -> stored;
    }
    if (type == null || !type.hasDocValues()) {
      throw new IllegalArgumentException(
          "["
              + function
              + "] needs a number or date field with doc values, and ["
              + field
              + "] is "
              + (type == null ? "not mapped" : "of type [" + type.typeName() + "] without them"));
    }
    return switch (type) {
      case FieldType.Numeric number -> decoding(number.kind());
      case FieldType.DateTime _, FieldType.Bool _ -> stored -> stored;
      case FieldType.Text _, FieldType.Keyword _, FieldType.Geo _, FieldType.KnnVector _ ->
          throw new IllegalArgumentException(
              "["
                  + function
                  + "] needs a number or date field, and ["
                  + field
                  + "] is of type ["
                  + type.typeName()
                  + "]");
    };
  }

  private static LongToDoubleFunction decoding(NumericKind kind) {
    return switch (kind) {
      case BYTE, SHORT, INTEGER, LONG -> stored -> stored;
      case HALF_FLOAT, FLOAT -> stored -> NumericUtils.sortableIntToFloat((int) stored);
      case DOUBLE -> NumericUtils::sortableLongToDouble;
    };
  }
}
