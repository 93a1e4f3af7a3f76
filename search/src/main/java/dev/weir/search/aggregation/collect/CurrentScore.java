package dev.weir.search.aggregation.collect;

import java.io.IOException;
import org.apache.lucene.search.Scorable;
import org.jspecify.annotations.Nullable;

/** The score of the document that is being collected, whichever scorer found it. */
final class CurrentScore extends Scorable {
  private @Nullable Scorable scorer;

  void use(Scorable found) {
    scorer = found;
  }

  @Override
  public float score() throws IOException {
    Scorable current = scorer;
    if (current == null) {
      throw new IllegalStateException("a document was collected without a scorer");
    }
    return current.score();
  }
}
