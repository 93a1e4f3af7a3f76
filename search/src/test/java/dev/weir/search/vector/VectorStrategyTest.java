package dev.weir.search.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.vector.VectorStep.End;
import dev.weir.search.vector.VectorStep.Reason;
import dev.weir.search.vector.VectorStep.Settled;
import dev.weir.search.vector.VectorStep.Sign;
import dev.weir.search.vector.VectorStep.Thin;
import dev.weir.search.vector.VectorStep.Walked;
import dev.weir.search.vector.VectorStrategy.Segment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VectorStrategyTest {
  private static final Segment FIFTH = segment(20_000, 100_000, 128, 10);

  @ParameterizedTest(name = "{0} of {1} at {2} dimensions, k={3}")
  @CsvSource({
    // accepted, vectors, dimension, k, expected
    "0, 100000, 128, 10, nothing",
    "10, 100000, 128, 10, ALL_WANTED",
    "11, 100000, 128, 10, CHEAP",
    "3906, 100000, 128, 10, CHEAP",
    "3907, 100000, 128, 10, WALK_AS_DEAR",
    "8480, 100000, 128, 10, WALK_AS_DEAR",
    // a scan is so dear that a look whether accepted documents crowd costs little beside it
    "8484, 100000, 128, 10, walk 100",
    "10000, 100000, 128, 10, walk 100",
    "20000, 100000, 128, 10, walk 63",
    "100000, 1000000, 128, 10, walk 30", // a look
    "21000, 210000, 128, 10, walk 100", // a look
    "200000, 1000000, 128, 10, walk 63",
    "300000, 1000000, 128, 10, walk 30",
    // what is far away the graph finds less surely, until a scan is as cheap
    "60000, 400000, 128, 10, walk 112",
    "200000, 2000000, 128, 10, walk 200",
    "50000, 100000, 128, 10, walk 50",
    "99999, 100000, 128, 10, walk 100",
    "100000, 100000, 128, 10, walk 100",
    "100000, 100000, 128, 500, walk 500",
    "3000, 3000, 128, 10, CHEAP",
    // few dimensions: reaching a vector is what costs
    "7812, 100000, 2, 10, CHEAP",
    "7813, 100000, 2, 10, WALK_AS_DEAR",
    "8484, 100000, 2, 10, walk 100",
    "20000, 100000, 2, 10, walk 63",
    // many dimensions: a walk pays early, but not for fewer than it would visit
    "325, 100000, 1536, 10, CHEAP",
    "600, 100000, 1536, 1, WALK_AS_DEAR",
    "1900, 100000, 1536, 10, WALK_AS_DEAR",
    "5000, 100000, 1536, 10, WALK_AS_DEAR",
    "20000, 100000, 1536, 10, walk 63",
    // large k at low selectivity: the walk would be as broad as k / selectivity
    "10000, 100000, 128, 1000, WALK_AS_DEAR",
    "50000, 100000, 128, 1000, WALK_AS_DEAR",
    "500000, 1000000, 128, 1000, walk 1000",
  })
  void firstStep(int accepted, int vectors, int dimension, int k, String expected) {
    assertThat(name(VectorStrategy.first(segment(accepted, vectors, dimension, k))))
        .isEqualTo(expected);
  }

  @Test
  void theSettingOverridesTheCost() {
    VectorSettings settings = new VectorSettings(100, 50);
    assertThat(name(VectorStrategy.first(new Segment(100_000, 50, 50, 1, 128, 10, settings))))
        .isEqualTo("SETTING");
    assertThat(VectorStrategy.first(new Segment(100_000, 51, 51, 1, 128, 10, settings)))
        .isInstanceOf(VectorStep.Walk.class);
    assertThat(name(VectorStrategy.first(new Segment(100_000, 10, 10, 1, 128, 10, settings))))
        .isEqualTo("ALL_WANTED");
  }

  @Test
  void efSearchIsTheBreadthOfTheWalk() {
    VectorSettings settings = new VectorSettings(400, VectorSettings.COST_DECIDES);
    assertThat(
            name(
                VectorStrategy.first(new Segment(100_000, 100_000, 100_000, 1, 128, 10, settings))))
        .isEqualTo("walk 400");
    assertThat(
            name(VectorStrategy.first(new Segment(100_000, 50_000, 50_000, 1, 128, 10, settings))))
        .isEqualTo("walk 200");
  }

  @Test
  void aFilteredWalkIsWatchedAndAnUnfilteredOneIsNot() {
    VectorStep.Walk filtered = walk(FIFTH);
    assertThat(filtered.patience()).isEqualTo(256 + 5 * 315);
    assertThat(filtered.sign()).isEqualTo(new Sign(63, VectorStep.UNBOUNDED));
    assertThat(filtered.thin()).isEqualTo(new Thin(2.0 / 3 * 0.2, 250));
    assertThat(filtered.visitsMax()).isEqualTo(8_000);
    VectorStep.Walk unfiltered = walk(segment(100_000, 100_000, 128, 10));
    assertThat(unfiltered.patience()).isEqualTo(VectorStep.UNBOUNDED);
    assertThat(unfiltered.thin()).isEqualTo(Thin.NEVER);
    assertThat(unfiltered.visitsMax()).isEqualTo(VectorStep.UNBOUNDED);
  }

  @Test
  void aWalkIsOverOnceItsBestHaveSettled() {
    assertThat(walk(segment(100_000, 100_000, 128, 10)).settled()).isEqualTo(new Settled(30, 100));
    assertThat(walk(FIFTH).settled()).isEqualTo(new Settled(30, 100));
    VectorSettings broad = new VectorSettings(400, VectorSettings.COST_DECIDES);
    assertThat(walk(new Segment(100_000, 100_000, 100_000, 1, 128, 20, broad)).settled())
        .isEqualTo(new Settled(120, 400));
    Settled settled = new Settled(10, 300);
    assertThat(settled.isSeen(/* visited= */ 700, /* changedAt= */ 200)).isFalse();
    assertThat(settled.isSeen(/* visited= */ 701, /* changedAt= */ 200)).isTrue();
    assertThat(Settled.NEVER.isSeen(Long.MAX_VALUE, 0)).isFalse();
  }

  @Test
  void aWalkThatMayBeNoneGoesOnToItsEnd() {
    VectorSettings narrow = new VectorSettings(10, /* exactThreshold= */ 5);
    assertThat(walk(new Segment(2_000, 2_000, 2_000, 1, 128, 10, narrow)).settled())
        .isEqualTo(Settled.NEVER); // Lucene may go through all of it in the order of documents
    Segment chunks = new Segment(100_000, 100_000, 20_000, 1, 128, 10, VectorSettings.DEFAULT);
    assertThat(walk(chunks).settled()).isEqualTo(Settled.NEVER); // ten chunks may be of one text
  }

  @Test
  void aLookGoesOnOnlyIfAcceptedDocumentsCrowd() {
    Segment tenth = segment(10_000, 100_000, 128, 10);
    VectorStep.Walk look = walk(tenth);
    assertThat(look.sign()).isEqualTo(new Sign(75, 94));
    assertThat(look.patience()).isEqualTo(384 + 125);
    assertThat(look.visitsMax()).isEqualTo((long) (1.5 * 20 * 100));
    assertThat(VectorStrategy.after(tenth, look, new Walked(7, 1, End.CUT_OFF)))
        .isEqualTo(new VectorStep.Scan(Reason.WALK_CUT_OFF));
    assertThat(VectorStrategy.after(tenth, look, new Walked(100, 0.8, End.EXHAUSTED)))
        .isEqualTo(new VectorStep.Done());
  }

  @Test
  void acceptedDocumentsAreThinOnceEnoughHaveBeenAskedFor() {
    Thin thin = new Thin(0.1, 300);
    assertThat(thin.isSeen(0, 299)).isFalse();
    assertThat(thin.isSeen(29, 300)).isTrue();
    assertThat(thin.isSeen(30, 300)).isFalse();
    assertThat(Thin.NEVER.isSeen(0, 1_000_000)).isFalse();
  }

  @ParameterizedTest(name = "{0} of {1}, {2} of them around the query vector")
  @CsvSource({
    // accepted, vectors, density, expected
    "20000, 100000, 0.1, WALK_CUT_OFF",
    "50000, 100000, 0.24, WALK_CUT_OFF",
    "100000, 200000, 0.27, walk 203",
    // a scan is so dear that more breadth costs little beside it, but not without end
    "500000, 1000000, 0.1, walk 333",
    "500000, 1000000, 0.24, walk 800",
    "500000, 1000000, 0, WALK_CUT_OFF",
  })
  void whereAcceptedDocumentsAreThinABroaderWalkOrAScanFollows(
      int accepted, int vectors, double density, String expected) {
    Segment segment = segment(accepted, vectors, 128, 10);
    VectorStep next =
        VectorStrategy.after(segment, walk(segment), new Walked(10, density, End.CUT_OFF));
    assertThat(name(next)).isEqualTo(expected);
  }

  @Test
  void theBroaderWalkIsFollowedByNoFurtherOne() {
    Segment half = segment(500_000, 1_000_000, 128, 10);
    VectorStep.Walk broader =
        (VectorStep.Walk) VectorStrategy.after(half, walk(half), new Walked(50, 0.24, End.CUT_OFF));
    assertThat(broader.thin()).isEqualTo(Thin.NEVER);
    assertThat(broader.visitsMax()).isEqualTo(200_000);
    assertThat(VectorStrategy.after(half, broader, new Walked(800, 0.2, End.EXHAUSTED)))
        .isEqualTo(new VectorStep.Done());
    assertThat(VectorStrategy.after(half, broader, new Walked(700, 0.2, End.CUT_OFF)))
        .isEqualTo(new VectorStep.Scan(Reason.WALK_CUT_OFF));
  }

  @Test
  void beforeALargeScanANarrowWalkTellsWhetherAcceptedDocumentsCrowd() {
    Segment tenth = segment(100_000, 1_000_000, 128, 10);
    VectorStep.Walk look = walk(tenth);
    assertThat(look)
        .isEqualTo(
            new VectorStep.Walk(
                30,
                new Sign(30, VectorStep.UNBOUNDED),
                256 + 2 * 300,
                new Thin(0.2, 500),
                Settled.NEVER,
                40_000));
    assertThat(VectorStrategy.after(tenth, look, new Walked(30, 0.1, End.CUT_OFF)))
        .isEqualTo(new VectorStep.Scan(Reason.WALK_CUT_OFF));
    assertThat(VectorStrategy.after(tenth, look, new Walked(30, 0.19, End.EXHAUSTED)))
        .isEqualTo(new VectorStep.Scan(Reason.WALK_CUT_OFF)); // it ended before it was judged
    assertThat(name(VectorStrategy.after(tenth, look, new Walked(30, 0.7, End.EXHAUSTED))))
        .isEqualTo("walk 70");
    assertThat(VectorStrategy.after(tenth, look, new Walked(30, 0.3, End.EXHAUSTED)))
        .isEqualTo(new VectorStep.Done()); // as broad as that already
  }

  @Test
  void acceptedDocumentsAsDenseAsExpectedEndTheSearch() {
    for (double density : new double[] {0.14, 0.2, 0.39}) {
      assertThat(VectorStrategy.after(FIFTH, walk(FIFTH), new Walked(63, density, End.EXHAUSTED)))
          .isEqualTo(new VectorStep.Done());
    }
  }

  @Test
  void crowdedDocumentsWidenTheWalk() {
    assertThat(VectorStrategy.after(FIFTH, walk(FIFTH), new Walked(63, 0.6, End.EXHAUSTED)))
        .isEqualTo(new VectorStep.Done()); // it is as broad as that already
    assertThat(candidatesAfter(FIFTH, 0.75)).isEqualTo(75);
    assertThat(candidatesAfter(FIFTH, 1)).isEqualTo(100);
  }

  private static int candidatesAfter(Segment segment, double density) {
    return ((VectorStep.Walk)
            VectorStrategy.after(segment, walk(segment), new Walked(63, density, End.EXHAUSTED)))
        .candidates();
  }

  @Test
  void aWalkIsWidenedOnce() {
    VectorStep.Walk wider =
        new VectorStep.Walk(
            80, new Sign(80, VectorStep.UNBOUNDED), 1256, Thin.NEVER, Settled.NEVER, 5000);
    assertThat(VectorStrategy.after(FIFTH, wider, new Walked(80, 1, End.EXHAUSTED)))
        .isEqualTo(new VectorStep.Done());
  }

  @ParameterizedTest(name = "{0} of {1} in a segment with {2} of the shard, k={3}")
  @CsvSource({
    // accepted, vectors, part, k, candidates
    "50000, 50000, 1, 10, 100",
    // the mean and three deviations of what may fall into it, of a hundred
    "50000, 50000, 0.5, 10, 65",
    "50000, 50000, 0.25, 10, 38",
    // never less than the least breadth, and never fewer than are wanted
    "50000, 50000, 0.1, 10, 30",
    "50000, 50000, 0.001, 10, 30",
    "50000, 50000, 0.1, 80, 80",
    // what a filter lets through need not be spread evenly: the breadth is that of one segment
    "30000, 50000, 0.5, 10, 60",
    "30000, 50000, 0.1, 10, 60",
  })
  void aSegmentKeepsItsShareOfTheCandidates(
      int accepted, int vectors, double part, int k, int candidates) {
    Segment segment = partOf(vectors, accepted, part, k);
    assertThat(walk(segment).candidates()).isEqualTo(candidates);
  }

  @Test
  void aSegmentThatHoldsMoreOfTheBestThanItsShareIsWalkedAgain() {
    Segment tenth = partOf(50_000, 50_000, 0.1, 10);
    // of ten, a tenth may well hold 1 + 3 * sqrt(0.9)
    assertThat(VectorStrategy.isOwedMore(tenth, walk(tenth), 10, 4)).isFalse();
    assertThat(VectorStrategy.isOwedMore(tenth, walk(tenth), 10, 5)).isTrue();
    // a share of few may be all of them
    Segment half = partOf(50_000, 50_000, 0.5, 4);
    assertThat(VectorStrategy.isOwedMore(half, walk(half), 4, 3)).isFalse();
    assertThat(VectorStrategy.isOwedMore(half, walk(half), 4, 4)).isTrue();
    // the whole breadth is not exceeded, k candidates may be that, and a filter leaves it whole
    Segment whole = partOf(50_000, 50_000, 1, 10);
    assertThat(VectorStrategy.isOwedMore(whole, walk(whole), 10, 10)).isFalse();
    Segment many = partOf(50_000, 50_000, 0.1, 100);
    assertThat(VectorStrategy.isOwedMore(many, walk(many), 100, 100)).isFalse();
    Segment filtered = partOf(50_000, 30_000, 0.1, 10);
    assertThat(VectorStrategy.isOwedMore(filtered, walk(filtered), 10, 10)).isFalse();
  }

  private static Segment partOf(int vectors, int accepted, double part, int k) {
    return new Segment(vectors, accepted, accepted, part, 128, k, VectorSettings.DEFAULT);
  }

  @Test
  void aWalkThatWasCutOffEndsInAScan() {
    assertThat(VectorStrategy.after(FIFTH, walk(FIFTH), new Walked(10, 1, End.CUT_OFF)))
        .isEqualTo(new VectorStep.Scan(Reason.WALK_CUT_OFF));
  }

  @Test
  void fewerThanThereAreEndsInAScan() {
    assertThat(VectorStrategy.after(FIFTH, walk(FIFTH), new Walked(9, 1, End.EXHAUSTED)))
        .isEqualTo(new VectorStep.Scan(Reason.WALK_STARVED));
  }

  private static Segment segment(int accepted, int vectors, int dimension, int k) {
    return new Segment(vectors, accepted, accepted, 1, dimension, k, VectorSettings.DEFAULT);
  }

  private static VectorStep.Walk walk(Segment segment) {
    return (VectorStep.Walk) VectorStrategy.first(segment);
  }

  private static String name(VectorStep step) {
    return switch (step) {
      case VectorStep.Done _ -> "nothing";
      case VectorStep.Scan(Reason reason) -> reason.name();
      case VectorStep.Walk walk -> "walk " + walk.candidates();
    };
  }
}
