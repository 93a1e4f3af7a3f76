package dev.weir.search.vector;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.vector.VectorStep.End;
import dev.weir.search.vector.VectorStep.Settled;
import dev.weir.search.vector.VectorStep.Sign;
import dev.weir.search.vector.VectorStep.Thin;
import dev.weir.search.vector.VectorStep.Walked;
import java.io.IOException;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.TopKnnCollector;
import org.apache.lucene.search.knn.KnnSearchStrategy;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.junit.jupiter.api.Test;

class WatchedCollectorTest {
  private static final int DOCS = 1_000;
  private static final long UNBOUNDED = VectorStep.UNBOUNDED;

  @Test
  void densityIsWhatIsAcceptedOnceAsManyAreKeptAsMayBe() throws IOException {
    Walker walker =
        new Walker(
            new VectorStep.Walk(10, new Sign(10, UNBOUNDED), 500, Thin.NEVER, Settled.NEVER, 900));
    walker.comesUpon(10, /* acceptedOfTen= */ 10);
    assertThat(walker.collector.walked())
        .isEqualTo(new Walked(10, /* density= */ 1, End.EXHAUSTED));
    walker.comesUpon(50, /* acceptedOfTen= */ 3);
    assertThat(walker.collector.walked())
        .isEqualTo(new Walked(10, /* density= */ 0.3, End.EXHAUSTED));
    assertThat(walker.isEnded()).isFalse();
  }

  @Test
  void aWalkAmongThinDocumentsIsCutOffOnceItCanBeJudged() throws IOException {
    Walker walker =
        new Walker(
            new VectorStep.Walk(
                10, new Sign(10, UNBOUNDED), 500, new Thin(0.25, 40), Settled.NEVER, 900));
    walker.comesUpon(10, /* acceptedOfTen= */ 10);
    walker.comesUpon(30, /* acceptedOfTen= */ 2);
    assertThat(walker.isEnded()).isFalse();
    walker.comesUpon(10, /* acceptedOfTen= */ 2);
    assertThat(walker.isEnded()).isTrue();
    assertThat(walker.collector.walked())
        .isEqualTo(new Walked(10, /* density= */ 0.2, End.CUT_OFF));
  }

  @Test
  void aWalkThatHasNotSeenItsSignEndsWithItsPatience() throws IOException {
    Walker walker =
        new Walker(
            new VectorStep.Walk(
                10, new Sign(10, UNBOUNDED), 80, new Thin(0.25, 40), Settled.NEVER, 900));
    walker.comesUpon(70, /* acceptedOfTen= */ 1);
    assertThat(walker.isEnded()).isFalse();
    walker.comesUpon(10, /* acceptedOfTen= */ 1);
    assertThat(walker.collector.walked().found()).isEqualTo(8);
    assertThat(walker.isEnded()).isTrue();
  }

  @Test
  void aSignOfManyInARowIsNotGivenByAsManyThatLieApart() throws IOException {
    Walker walker =
        new Walker(new VectorStep.Walk(20, new Sign(15, 19), 150, Thin.NEVER, Settled.NEVER, 900));
    walker.comesUpon(150, /* acceptedOfTen= */ 5);
    assertThat(walker.isEnded()).isTrue();
    Walker crowded =
        new Walker(new VectorStep.Walk(20, new Sign(15, 19), 150, Thin.NEVER, Settled.NEVER, 900));
    crowded.comesUpon(130, /* acceptedOfTen= */ 1);
    crowded.comesUpon(20, /* acceptedOfTen= */ 9);
    assertThat(crowded.isEnded()).isFalse();
  }

  @Test
  void aWalkEndsOnceItsBestHaveNotChangedForAsLongAsTheyTookAndSomeMore() throws IOException {
    Settled settled = new Settled(5, 30);
    Walker walker =
        new Walker(new VectorStep.Walk(10, new Sign(10, UNBOUNDED), 500, Thin.NEVER, settled, 900));
    walker.comesUpon(20, /* acceptedOfTen= */ 10);
    walker.comesUponFarOnes(50);
    assertThat(walker.isEnded()).isFalse();
    walker.comesUponFarOnes(1);
    assertThat(walker.isEnded()).isTrue();
    assertThat(walker.collector.walked().end()).isEqualTo(End.SETTLED);
  }

  @Test
  void aWalkUnderAFilterIsJudgedBeforeItSettles() throws IOException {
    Settled settled = new Settled(5, 30);
    Walker walker =
        new Walker(
            new VectorStep.Walk(10, new Sign(10, UNBOUNDED), 500, new Thin(0.1, 90), settled, 900));
    walker.comesUpon(10, /* acceptedOfTen= */ 10);
    walker.comesUponFarOnes(89);
    assertThat(walker.isEnded()).isFalse();
    walker.comesUponFarOnes(1);
    assertThat(walker.isEnded()).isTrue();
  }

  /** Comes upon one document after the other, each a little nearer than the one before. */
  private static final class Walker {
    final WatchedCollector collector;
    private final FixedBitSet accepted = new FixedBitSet(DOCS);
    private final Bits bits;
    private int next;

    Walker(VectorStep.Walk walk) throws IOException {
      collector =
          new WatchedCollector(
              walk,
              new TopKnnCollector(
                  walk.candidates(), Integer.MAX_VALUE, new KnnSearchStrategy.Hnsw(0)),
              null);
      bits = requireNonNull(collector.watched(AcceptDocs.fromLiveDocs(accepted, DOCS)).bits());
    }

    /** The accepted ones are the first of each ten. */
    void comesUpon(int count, int acceptedOfTen) {
      for (int i = 0; i < count; i++, next++) {
        if (i % 10 < acceptedOfTen) {
          accepted.set(next);
        }
        collector.incVisitedCount(1);
        if (bits.get(next)) {
          collector.collect(next, next);
        }
      }
    }

    /** Accepted ones, each farther away than all before. */
    void comesUponFarOnes(int count) {
      for (int i = 0; i < count; i++, next++) {
        accepted.set(next);
        collector.incVisitedCount(1);
        if (bits.get(next)) {
          collector.collect(next, -next);
        }
      }
    }

    boolean isEnded() {
      return collector.earlyTerminated();
    }
  }
}
