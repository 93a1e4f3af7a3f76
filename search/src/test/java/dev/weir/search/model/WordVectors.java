package dev.weir.search.model;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A model for tests: each word is a direction, chosen by its hash, so that texts with words in
 * common are near each other. Counts what it is asked for.
 */
public final class WordVectors implements Embedder {

  /** Runs it instead of a file. */
  public static final ModelLoader LOADER = (model, _) -> new WordVectors(model.shape().dimension());

  private static final Pattern WORD = Pattern.compile("\\w+");

  private final int dimension;
  private final AtomicInteger runs = new AtomicInteger();

  /** A model with this many directions. */
  public WordVectors(int dimension) {
    this.dimension = dimension;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public float[] embed(String text, ModelCall call) {
    runs.incrementAndGet();
    return of(text, dimension);
  }

  /** The vector of a text. */
  public static float[] of(String text, int dimension) {
    float[] vector = new float[dimension];
    Matcher words = WORD.matcher(text.toLowerCase(Locale.ROOT));
    while (words.find()) {
      String word = words.group();
      vector[Math.floorMod(word.hashCode() * 31 + word.length(), dimension)] += 1;
    }
    double squares = 0;
    for (float component : vector) {
      squares += component * component;
    }
    for (int i = 0; i < dimension; i++) {
      vector[i] /= (float) Math.sqrt(squares);
    }
    return vector;
  }

  /** How many texts it was run on. */
  public int runs() {
    return runs.get();
  }

  @Override
  public void close() {}
}
