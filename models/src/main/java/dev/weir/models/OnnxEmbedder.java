package dev.weir.models;

import dev.weir.search.model.Embedder;
import dev.weir.search.model.ModelCall;
import dev.weir.search.model.ModelDefinition.Length;
import dev.weir.search.model.ModelDefinition.Pooling;
import dev.weir.search.model.ModelDefinition.Shape;
import dev.weir.search.model.ModelFailure;
import java.util.Arrays;

/** A sentence model: tokens in, one vector a token out, and of those one vector for the text. */
final class OnnxEmbedder implements Embedder {

  private final OnnxModel model;
  private final WordPiece tokenizer;
  private final Shape shape;

  OnnxEmbedder(OnnxModel model, WordPiece tokenizer, Shape shape) {
    this.model = model;
    this.tokenizer = tokenizer;
    this.shape = shape;
  }

  @Override
  public int dimension() {
    return shape.dimension();
  }

  @Override
  public float[] embed(String text, ModelCall call) {
    OnnxModel.Output output = model.run(tokenizer.input(text), call);
    float[] vector = pooled(output, shape.pooling());
    if (shape.length() == Length.UNIT) {
      scaleToUnit(vector);
    }
    return vector;
  }

  /** The model may have pooled by itself: then there is one vector already. */
  private static float[] pooled(OnnxModel.Output output, Pooling pooling) {
    long[] dimensions = output.shape();
    if (dimensions.length == 2 && dimensions[0] == 1) {
      return output.values();
    }
    if (dimensions.length != 3 || dimensions[0] != 1 || dimensions[1] < 1) {
      throw new ModelFailure(
          "its first output has the shape "
              + Arrays.toString(dimensions)
              + "; served are [1, tokens, dimension] and [1, dimension]");
    }
    int dimension = (int) dimensions[2];
    int tokens = (int) dimensions[1];
    return switch (pooling) {
      case CLS -> Arrays.copyOf(output.values(), dimension);
      case MEAN -> mean(output.values(), tokens, dimension);
    };
  }

  private static float[] mean(float[] values, int tokens, int dimension) {
    float[] mean = new float[dimension];
    for (int token = 0; token < tokens; token++) {
      for (int i = 0; i < dimension; i++) {
        mean[i] += values[token * dimension + i];
      }
    }
    for (int i = 0; i < dimension; i++) {
      mean[i] /= tokens;
    }
    return mean;
  }

  private static void scaleToUnit(float[] vector) {
    double squares = 0;
    for (float component : vector) {
      squares += (double) component * component;
    }
    if (squares > 0) {
      double length = Math.sqrt(squares);
      for (int i = 0; i < vector.length; i++) {
        vector[i] = (float) (vector[i] / length);
      }
    }
  }

  @Override
  public void close() {
    model.close();
  }
}
