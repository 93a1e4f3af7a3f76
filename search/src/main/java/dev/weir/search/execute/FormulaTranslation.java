package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.mapping.VectorData;
import dev.weir.search.query.Formula;
import dev.weir.search.query.QueryVector;
import dev.weir.search.query.ScoreScript;
import dev.weir.search.query.VectorFunction;
import dev.weir.search.vector.Distances;
import dev.weir.search.vector.Measure;
import dev.weir.search.vector.SegmentVectors;
import dev.weir.search.vector.Target;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.SortedNumericDocValues;

/**
 * Turns formulas over vectors into values of documents.
 *
 * @param numbers how the stored numbers of a field are read; refuses a field that has none
 */
record FormulaTranslation(ShardContext shard, Function<String, LongToDoubleFunction> numbers) {

  /**
   * The score of the language {@code knn}; 0 for a document without the vector.
   *
   * @throws IllegalArgumentException if it does not fit the mapping
   */
  FunctionScores.Values values(ScoreScript.Nearness nearness) {
    Target target = target(nearness.field(), nearness.vector(), space(nearness.space()));
    Measure measure = space(nearness.space()).measure();
    return leaf -> {
      SegmentVectors vectors = target.in(leaf.reader(), nearness.field());
      if (vectors == null) {
        return (_, _) -> 0;
      }
      Distances distances = vectors.distances();
      return (doc, _) -> distances.advanceExact(doc) ? measure.score(distances.distance()) : 0;
    };
  }

  /**
   * The value of a formula, which must be finite.
   *
   * @throws IllegalArgumentException if it does not fit the mapping
   */
  FunctionScores.Values values(ScoreScript.Computed computed) {
    FunctionScores.Values values = values(computed.formula());
    return leaf -> {
      FunctionScores.Value value = values.in(leaf);
      return (doc, score) -> {
        double result = value.of(doc, score);
        if (!Double.isFinite(result)) {
          throw SearchException.illegalArgument(
              "[script] source ["
                  + computed.source()
                  + "] gave an invalid score: "
                  + result
                  + " for doc: "
                  + doc);
        }
        return result;
      };
    };
  }

  private FunctionScores.Values values(Formula formula) {
    return switch (formula) {
      case Formula.Constant(double value) -> _ -> (_, _) -> value;
      case Formula.QueryScore() -> _ -> (_, score) -> score;
      case Formula.FieldValue(String field) -> fieldValue(field);
      case Formula.OfVectors ofVectors -> ofVectors(ofVectors);
      case Formula.Negated(Formula inner) -> {
        FunctionScores.Values values = values(inner);
        yield leaf -> {
          FunctionScores.Value value = values.in(leaf);
          return (doc, score) -> -value.of(doc, score);
        };
      }
      case Formula.Joined(Formula.Operator operator, Formula left, Formula right) -> {
        FunctionScores.Values lefts = values(left);
        FunctionScores.Values rights = values(right);
        yield leaf -> {
          FunctionScores.Value one = lefts.in(leaf);
          FunctionScores.Value other = rights.in(leaf);
          return (doc, score) -> operator.of(one.of(doc, score), other.of(doc, score));
        };
      }
      case Formula.IfPresent ifPresent -> ifPresent(ifPresent);
    };
  }

  private FunctionScores.Values fieldValue(String field) {
    LongToDoubleFunction decoded = numbers.apply(field);
    return leaf -> {
      SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
      return (doc, _) -> {
        if (!values.advanceExact(doc)) {
          throw missing(field);
        }
        return decoded.applyAsDouble(values.nextValue());
      };
    };
  }

  private FunctionScores.Values ofVectors(Formula.OfVectors asked) {
    String field = asked.field();
    Target target = target(field, asked.vector(), space(asked.function()));
    VectorFunction function = asked.function();
    return leaf -> {
      SegmentVectors vectors = target.in(leaf.reader(), field);
      if (vectors == null) {
        return (_, _) -> {
          throw missing(field);
        };
      }
      Distances distances = vectors.distances();
      return (doc, _) -> {
        if (!distances.advanceExact(doc)) {
          throw missing(field);
        }
        return value(function, distances.distance());
      };
    };
  }

  private FunctionScores.Values ifPresent(Formula.IfPresent asked) {
    FunctionScores.Values presents = values(asked.present());
    FunctionScores.Values absents = values(asked.absent());
    String field = asked.field();
    FieldType.Leaf type = shard.mapping().field(field).orElse(null);
    if (type instanceof FieldType.KnnVector vector) {
      Target any = target(field, zeros(vector), anySpace(vector));
      return leaf -> {
        FunctionScores.Value absent = absents.in(leaf);
        SegmentVectors vectors = any.in(leaf.reader(), field);
        if (vectors == null) {
          return absent;
        }
        Distances distances = vectors.distances();
        FunctionScores.Value present = presents.in(leaf);
        return (doc, score) -> (distances.advanceExact(doc) ? present : absent).of(doc, score);
      };
    }
    LongToDoubleFunction _ = numbers.apply(field); // refuses what has no numbers
    return leaf -> {
      SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
      FunctionScores.Value present = presents.in(leaf);
      FunctionScores.Value absent = absents.in(leaf);
      return (doc, score) -> (values.advanceExact(doc) ? present : absent).of(doc, score);
    };
  }

  private static QueryVector zeros(FieldType.KnnVector vector) {
    return QueryVector.of(new float[vector.values()]);
  }

  private static SpaceType anySpace(FieldType.KnnVector vector) {
    return vector.data() == VectorData.BINARY ? SpaceType.HAMMING : SpaceType.L2;
  }

  private static double value(VectorFunction function, double distance) {
    return switch (function) {
      case L2_SQUARED, L1_NORM, LINF_NORM, HAMMING -> distance;
      case COSINE_SIMILARITY -> 1 - distance;
      case INNER_PRODUCT -> -distance;
    };
  }

  private static SpaceType space(VectorFunction function) {
    return switch (function) {
      case L2_SQUARED -> SpaceType.L2;
      case L1_NORM -> SpaceType.L1;
      case LINF_NORM -> SpaceType.LINF;
      case COSINE_SIMILARITY -> SpaceType.COSINE;
      case INNER_PRODUCT -> SpaceType.INNER_PRODUCT;
      case HAMMING -> SpaceType.HAMMING;
    };
  }

  private static SpaceType space(String word) {
    for (SpaceType space : SpaceType.values()) {
      if (space.text().equals(word)) {
        return space;
      }
    }
    return SpaceType.HAMMING; // the one space with a second word
  }

  private Target target(String field, QueryVector vector, SpaceType space) {
    FieldType.Leaf type = shard.mapping().field(field).orElse(null);
    if (!(type instanceof FieldType.KnnVector vectors)) {
      throw new IllegalArgumentException(
          "Field '"
              + field
              + "' is "
              + (type == null ? "unmapped" : "of type [" + type.typeName() + "]")
              + ", the script needs a field of type [knn_vector]");
    }
    boolean isBinary = vectors.data() == VectorData.BINARY;
    if (isBinary != (space == SpaceType.HAMMING)) {
      throw new IllegalArgumentException(
          "Space ["
              + space.text()
              + "] cannot be used on field ["
              + field
              + "] of data type ["
              + vectors.data().text()
              + "]: [hamming] is for binary vectors, and they have no other");
    }
    return VectorTranslation.target(field, vector, vectors, space);
  }

  private static SearchException missing(String field) {
    return SearchException.illegalArgument(
        "A document does not have a value for field ["
            + field
            + "]; say what such a document scores with doc['"
            + field
            + "'].size() == 0 ? A : B, or leave it out with an [exists] filter");
  }
}
