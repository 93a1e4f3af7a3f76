package dev.weir.models;

import dev.weir.search.model.ModelCall;
import dev.weir.search.model.ModelFailure;
import dev.weir.search.model.Scorer;
import java.util.Arrays;

/** A cross-encoder: a pair of texts in one input, one number out. */
final class OnnxScorer implements Scorer {

  private final OnnxModel model;
  private final WordPiece tokenizer;

  OnnxScorer(OnnxModel model, WordPiece tokenizer) {
    this.model = model;
    this.tokenizer = tokenizer;
  }

  @Override
  public float score(String query, String text, ModelCall call) {
    OnnxModel.Output output = model.run(tokenizer.input(query, text), call);
    if (output.values().length != 1) {
      throw new ModelFailure(
          "its first output has the shape "
              + Arrays.toString(output.shape())
              + "; a model that scores pairs has one number");
    }
    float score = output.values()[0];
    if (!Float.isFinite(score)) {
      throw new ModelFailure("it gives a score that is not finite: " + score);
    }
    return score;
  }

  @Override
  public void close() {
    model.close();
  }
}
