package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import dev.weir.search.log.MemoryLog;
import dev.weir.search.log.MemoryLog.Commits;
import dev.weir.search.shard.TestNode.Hit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

final class ShardedIndexTest {

  private final TestNode node = new TestNode(3, Commits.AT_ONCE);
  private final Placement placement = new Placement(3);

  @Test
  void aWrittenDocumentIsARecordAndIsFoundAfterARefresh() {
    ShardedIndex index = node.open();
    WriteOutcome outcome = node.put(index, "a", "{\"n\":1}");
    int home = placement.home("a");
    assertThat(outcome)
        .isEqualTo(
            new WriteOutcome.Written(
                home,
                WriteOutcome.Change.CREATED,
                new DocumentState(0, 1, 1, node.nowMs, DocumentState.Presence.VISIBLE)));
    assertThat(node.log(home).entries()).hasSize(1);
    assertThat(node.search(index)).isEqualTo(Map.of("a", new Hit(home, "{\"n\":1}")));
  }

  @Test
  void aDocumentIsReadByIdBeforeItIsAppliedOrCommitted() {
    TestNode slow = new TestNode(3, Commits.BY_HAND);
    ShardedIndex index = slow.open();
    slow.put(index, "a", "{\"n\":1}");
    assertThat(index.get("a").map(d -> TestNode.text(d.source()))).contains("{\"n\":1}");
    assertThat(slow.search(index)).isEmpty();
  }

  @Test
  void aClosedIndexRefusesReadsInsteadOfWaitingForAReader() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{\"n\":1}");
    node.runAll();
    node.kill(index);
    assertThatThrownBy(() -> index.get("a"))
        .isInstanceOf(SearchException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void aClockThatIsSetBackDoesNotKeepSearchesFromSeeingWrites() {
    ShardedIndex index = node.open();
    node.runAll();
    TestNode.seen(index);
    node.nowMs -= 3_600_000;
    node.put(index, "a", "{\"n\":1}");
    node.runAll();
    assertThat(TestNode.seen(index).keySet()).containsExactly("a");
  }

  @Test
  void anIndexThatNobodySearchesLetsGoOfStatesWhenItCommits() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{\"n\":1}");
    node.runAll();
    int home = placement.home("a");
    assertThat(index.statesHeld(home)).isEqualTo(1);
    node.delayed.forEach(Runnable::run); // the index commit falls due
    node.runAll();
    assertThat(index.statesHeld(home)).isZero();
    assertThat(index.get("a")).isPresent();
  }

  @Test
  void whatWasMergedIsCommittedAndItsPartsLeaveTheDisk() throws IOException {
    TestNode single = new TestNode(1, Commits.AT_ONCE);
    ShardedIndex index = single.open();
    for (String id : List.of("a", "b", "c")) {
      single.put(index, id, "{\"n\":1}");
      single.runAll();
      single.await(index.refresh());
    }
    single.delayed.forEach(Runnable::run); // the index commit falls due
    single.runAll();
    Directory files = single.files.open(single.files.folders().getFirst());
    assertThat(SegmentInfos.readLatestCommit(files)).hasSize(3);
    index.merge(new Merge.ToSegments(1));
    single.runAll();
    SegmentInfos committed = SegmentInfos.readLatestCommit(files);
    assertThat(committed).hasSize(1);
    single.await(index.refresh()); // searches let go of them
    assertThat(files.listAll()).allMatch(file -> committedOrLock(committed, file));
  }

  private static boolean committedOrLock(SegmentInfos committed, String file) {
    try {
      return committed.files(true).contains(file) || file.endsWith(".lock");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aShardWhoseLogCannotBeReadGoesOnByItselfWhenItCan() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{}");
    assertThat(node.search(index)).containsOnlyKeys("a");
    MemoryLog log = node.log(placement.home("a"));
    log.refuseReads();
    log.produce(1, sameHome("a"), "{}");
    node.runAll();
    assertThat(index.isRunning()).isFalse();
    assertThatThrownBy(index::view)
        .isInstanceOf(SearchException.class)
        .hasMessageContaining("is not available");
    CompletableFuture<Void> refresh = index.refresh();
    for (int i = 0; i < 20; i++) {
      node.runDelayed();
      assertThat(refresh).isNotDone();
    }
    log.allowReads();
    node.runDelayed();
    node.await(refresh);
    assertThat(index.isRunning()).isTrue();
    assertThat(TestNode.seen(index)).containsOnlyKeys("a", sameHome("a"));
    index.close();
    assertThat(node.search(node.open())).containsOnlyKeys("a", sameHome("a"));
  }

  /** As where it shows a document again that a newer tombstone elsewhere has hidden. */
  @Test
  void aRecordThatMetALogThatCannotBeReadIsAppliedOnceMore() {
    ShardedIndex index = node.open();
    int home = placement.home("a");
    int other = (home + 1) % 3;
    node.log(home).produce(10, "a", "{\"at\":\"home\"}");
    node.log(other).produce(20, "a", null);
    assertThat(node.search(index)).isEmpty();
    node.log(home).refuseReads();
    node.log(other).produce(5, "a", null); // its clock went back: the newest here is older now
    node.log(other).produce(6, "b", "{}");
    node.runAll();
    assertThat(index.isRunning()).isFalse();
    node.log(home).allowReads();
    node.runDelayed();
    assertThat(node.search(index))
        .containsEntry("a", new Hit(home, "{\"at\":\"home\"}"))
        .containsOnlyKeys("a", "b");
  }

  @Test
  void aRecordOfAProducerIsADocument() {
    ShardedIndex index = node.open();
    int home = placement.home("a");
    node.log(home).leaderEpoch(4);
    long offset = node.log(home).produce(5, "a", "{\"t\":\"x\"}");
    node.log(home).produce(6, "gone", "{}");
    node.log(home).produce(7, "gone", null);
    assertThat(node.search(index).keySet()).containsExactly("a");
    assertThat(index.get("a").orElseThrow().state())
        .isEqualTo(new DocumentState(offset, 5, 1, 5, DocumentState.Presence.VISIBLE));
    assertThat(index.get("gone")).isEmpty();
  }

  @Test
  void aStrayIsFoundByIdAndTheNewestRecordStandsForTheId() {
    ShardedIndex index = node.open();
    int home = placement.home("a");
    int other = (home + 1) % 3;
    node.log(home).produce(10, "a", "{\"at\":\"home\"}");
    assertThat(node.search(index)).isEqualTo(Map.of("a", new Hit(home, "{\"at\":\"home\"}")));
    node.log(other).produce(20, "a", "{\"at\":\"other\"}");
    assertThat(node.search(index)).isEqualTo(Map.of("a", new Hit(other, "{\"at\":\"other\"}")));
    assertThat(TestNode.text(index.get("a").orElseThrow().source()))
        .isEqualTo("{\"at\":\"other\"}");
    node.log(home).produce(15, "a", "{\"at\":\"late\"}");
    assertThat(node.search(index)).isEqualTo(Map.of("a", new Hit(other, "{\"at\":\"other\"}")));
  }

  @Test
  void aRestWriteGoesWhereTheStrayIs() {
    ShardedIndex index = node.open();
    int other = (placement.home("a") + 1) % 3;
    node.log(other).produce(node.nowMs + 5000, "a", "{}");
    node.runAll();
    WriteOutcome outcome = node.put(index, "a", "{\"n\":2}");
    assertThat(outcome)
        .isEqualTo(
            new WriteOutcome.Written(
                other,
                WriteOutcome.Change.UPDATED,
                new DocumentState(1, 1, 2, node.nowMs + 5000, DocumentState.Presence.VISIBLE)));
    assertThat(node.search(index)).isEqualTo(Map.of("a", new Hit(other, "{\"n\":2}")));
  }

  @Test
  void aNewerTombstoneElsewhereHidesAndAnOlderRecordAppearsAgainWhenItGoesBack() {
    ShardedIndex index = node.open();
    int home = placement.home("a");
    int other = (home + 1) % 3;
    node.log(home).produce(10, "a", "{\"at\":\"home\"}");
    node.log(other).produce(20, "a", null);
    assertThat(node.search(index)).isEmpty();
    node.log(other).produce(5, "a", null); // its clock went back: the newest here is older now
    assertThat(node.search(index)).isEqualTo(Map.of("a", new Hit(home, "{\"at\":\"home\"}")));
  }

  @Test
  void whatATransactionHoldsIsSeenWhenItIsCommittedAndNeverWhenItIsAborted() {
    ShardedIndex index = node.open();
    MemoryLog log = node.log(placement.home("a"));
    String near = sameHome("a");
    long kept = log.produceInTransaction(1, "a", "{\"in\":\"kept\"}");
    long dropped = log.produceInTransaction(2, "a", "{\"in\":\"dropped\"}");
    node.put(index, near, "{}"); // decided and appended while both are open
    log.commitAll();
    assertThat(node.search(index)).isEmpty();
    assertThat(index.get("a")).isEmpty();
    log.endTransaction(List.of(dropped), MemoryLog.Outcome.ABORT);
    log.commitAll();
    assertThat(node.search(index)).isEmpty();
    log.endTransaction(List.of(kept), MemoryLog.Outcome.COMMIT);
    log.commitAll();
    assertThat(node.search(index))
        .containsOnlyKeys("a", near)
        .containsEntry("a", new Hit(placement.home("a"), "{\"in\":\"kept\"}"));
    node.kill(index);
    node.loseIndex(placement.home("a"));
    assertThat(node.search(node.open())).containsOnlyKeys("a", near);
  }

  @Test
  void aWriteBehindAnOpenTransactionStandsOverItsRecords() {
    ShardedIndex index = node.open();
    MemoryLog log = node.log(placement.home("a"));
    long open = log.produceInTransaction(1, "a", "{\"by\":\"transaction\"}");
    node.put(index, "a", "{\"by\":\"rest\"}");
    assertThat(TestNode.text(index.get("a").orElseThrow().source())).isEqualTo("{\"by\":\"rest\"}");
    log.endTransaction(List.of(open), MemoryLog.Outcome.COMMIT);
    log.commitAll();
    assertThat(node.search(index))
        .isEqualTo(Map.of("a", new Hit(placement.home("a"), "{\"by\":\"rest\"}")));
    node.put(index, "a", "{\"by\":\"another\"}");
    log.commitAll();
    assertThat(node.search(index))
        .isEqualTo(Map.of("a", new Hit(placement.home("a"), "{\"by\":\"another\"}")));
  }

  private String sameHome(String id) {
    String other = id + "x";
    while (placement.home(other) != placement.home(id)) {
      other += "x";
    }
    return other;
  }

  @Test
  void conditionsAreDecidedAgainstEverythingAppended() {
    ShardedIndex index = node.open();
    int home = placement.home("a");
    node.put(index, "a", "{}");
    node.log(home).produce(11, "a", "{\"by\":\"producer\"}");
    long before = node.log(home).appendedEndOffset();
    assertThat(node.put(index, "a", "{}", new Condition.At(0, 1)))
        .isEqualTo(
            new WriteOutcome.Conflict(
                home,
                "[a]: version conflict, required seqNo [0], primary term [1]. current document has"
                    + " seqNo [1] and primary term [1]"));
    assertThat(node.put(index, "a", "{}", Condition.ABSENT))
        .isEqualTo(
            new WriteOutcome.Conflict(
                home, "[a]: version conflict, document already exists (current version [2])"));
    assertThat(node.log(home).appendedEndOffset()).as("no record is left").isEqualTo(before);
    assertThat(node.put(index, "a", "{}", new Condition.At(1, 1)))
        .isInstanceOf(WriteOutcome.Written.class);
  }

  @Test
  void externalVersionsHoldAgainstDeletedDocumentsToo() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{}", new Condition.ExternalAbove(7));
    node.write(index, new Write.Delete("a", new Condition.ExternalAbove(9)));
    node.search(index);
    assertThat(node.put(index, "a", "{}", new Condition.ExternalAbove(9)))
        .isEqualTo(
            new WriteOutcome.Conflict(
                placement.home("a"),
                "[a]: version conflict, current version [9] is higher or equal to the one provided"
                    + " [9]"));
    assertThat(node.put(index, "a", "{}", new Condition.ExternalAtLeast(9)))
        .isInstanceOf(WriteOutcome.Written.class);
  }

  @Test
  void aRecordThatCannotBeIndexedIsPutAsideAndTheRestGoesOn() {
    ShardedIndex index = node.open();
    int home = placement.home("a");
    node.put(index, "a", "{\"n\":1}");
    node.log(home).produce(5, "a", "{\"n\":");
    node.log(home).produce(6, "b", "{\"n\":\"text\"}");
    node.log(home).produce(7, null, "{}");
    node.put(index, "c", "{\"n\":2}");
    assertThat(node.search(index).keySet()).containsExactly("a", "c");
    assertThat(node.dead).extracting(TestNode.Dead::offset).containsExactly(1L, 2L, 3L);
    assertThat(index.get("a").orElseThrow().state().seqNo()).isZero();
  }

  @Test
  void aRestartReadsOnWhereTheLastCommitEnds() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{\"n\":1}");
    node.runAll();
    index.close();
    node.log(placement.home("b")).produce(5, "b", "{}");
    ShardedIndex again = node.open();
    assertThat(again.appliedOffset(placement.home("a"))).isEqualTo(1);
    node.runAll();
    assertThat(TestNode.seen(again).keySet()).containsExactly("a", "b");
  }

  @Test
  void aVisibleTwinLeftByACrashIsSettledAtTheStart() {
    ShardedIndex index = node.open();
    int home = placement.home("a");
    int other = (home + 1) % 3;
    node.log(home).produce(10, "a", "{\"at\":\"home\"}");
    node.runAll();
    index.commit(home);
    node.log(other).produce(20, "a", "{\"at\":\"other\"}");
    node.runAll();
    index.commit(other); // the home shard's commit still shows its document
    node.kill(index);
    ShardedIndex again = node.open();
    node.runAll();
    assertThat(TestNode.seen(again)).isEqualTo(Map.of("a", new Hit(other, "{\"at\":\"other\"}")));
  }

  @Test
  void whatIsLostBeforeItsCommitIsForgotten() {
    TestNode slow = new TestNode(1, Commits.BY_HAND);
    ShardedIndex index = slow.open();
    slow.put(index, "a", "{\"n\":1}");
    slow.log(0).commitAll();
    WriteBatch batch =
        index.write(
            0,
            List.of(
                new Write.Put(
                    "a", index.reader().read("a", TestNode.bytes("{\"n\":2}")), Condition.NONE)));
    slow.log(0).loseUncommitted();
    assertThat(batch.committed()).isCompletedExceptionally();
    assertThat(TestNode.text(index.get("a").orElseThrow().source())).isEqualTo("{\"n\":1}");
    slow.log(0).commitAll();
    assertThat(slow.search(index).get("a")).isEqualTo(new Hit(0, "{\"n\":1}"));
  }

  @Test
  void waitingForAnOffsetEndsWhenSearchesSeeIt() {
    TestNode slow = new TestNode(1, Commits.BY_HAND);
    ShardedIndex index = slow.open();
    slow.put(index, "a", "{}");
    CompletableFuture<Void> searchable = index.whenSearchable(Map.of(0, 1L));
    slow.runAll();
    assertThat(searchable).isNotDone();
    slow.log(0).commitAll();
    slow.runAll();
    assertThat(searchable).isCompleted();
    assertThat(TestNode.seen(index)).containsKey("a");
  }

  @Test
  void theBufferOfARequestMayBeUsedAgainOnceTheWriteIsCommitted() {
    ShardedIndex index = node.open();
    ByteBuffer request = TestNode.bytes("{\"n\":1}");
    Content content = index.reader().read("a", request);
    node.write(index, new Write.Put("a", content, Condition.NONE));
    request.put(0, new byte[request.limit()]);
    assertThat(node.search(index).get("a")).isEqualTo(new Hit(placement.home("a"), "{\"n\":1}"));
  }

  @Test
  void aViewStaysAsItIsAndASearchAfterTheIntervalSeesMore() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{}");
    node.search(index);
    IndexView old = index.view();
    node.put(index, "b", "{}");
    node.runAll();
    assertThat(TestNode.seen(index).keySet()).containsExactly("a");
    node.nowMs += 1000;
    assertThat(TestNode.seen(index).keySet()).containsExactly("a", "b");
    assertThat(old.shards().stream().mapToInt(s -> s.searcher().getIndexReader().numDocs()).sum())
        .isEqualTo(1);
    old.close();
  }

  @Test
  void aMoveBetweenShardsIsSeenWholeOrNotAtAll() throws InterruptedException {
    ShardedIndex index = node.open();
    node.log(0).produce(0, "a", "{}");
    node.search(index);
    AtomicBoolean done = new AtomicBoolean();
    CountDownLatch looking = new CountDownLatch(1);
    CompletableFuture<Integer> views =
        CompletableFuture.supplyAsync(
            () -> {
              int count = 0;
              while (!done.get()) {
                index.refreshNow();
                assertThat(TestNode.seen(index)).hasSize(1);
                count++;
                looking.countDown();
              }
              return count;
            });
    assertThat(looking.await(30, TimeUnit.SECONDS)).isTrue();
    for (int i = 1; i <= 300; i++) {
      node.log(i % 3).produce(i, "a", "{}");
      node.runAll();
    }
    done.set(true);
    assertThat(views.join()).isPositive();
    assertThat(node.search(index)).isEqualTo(Map.of("a", new Hit(0, "{}")));
  }

  @Test
  void aShardThatHasStoppedIsNotAvailable() {
    ShardedIndex index = node.open();
    node.kill(index);
    assertThatThrownBy(index::view)
        .isInstanceOfSatisfying(SearchException.class, e -> assertThat(e.status()).isEqualTo(503));
  }

  @Test
  void aShardThatStopsIsToldToSearchesAndCommitsNoMore() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{}");
    node.runAll();
    assertThat(TestNode.seen(index)).containsKey("a");
    node.takesDeadLetters = false;
    node.log(0).produce(5, "bad", "{");
    node.runAll();
    assertThat(index.isRunning()).isFalse();
    assertThatThrownBy(index::view)
        .isInstanceOfSatisfying(SearchException.class, e -> assertThat(e.status()).isEqualTo(503));
    index.close();
    node.takesDeadLetters = true;
    ShardedIndex again = node.open();
    assertThat(node.search(again)).containsKey("a");
    assertThat(node.dead).hasSize(1);
  }

  @Test
  void anIdleIndexHasNothingToRun() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{}");
    node.runAll();
    node.delayed.forEach(Runnable::run); // the index commit falls due
    node.runAll();
    assertThat(node.tasks).isEmpty();
    index.close();
    assertThat(node.open().appliedOffset(placement.home("a"))).isEqualTo(1);
  }

  @Test
  void anIndexAheadOfItsLogIsBuiltAgain() {
    ShardedIndex index = node.open();
    node.put(index, "a", "{}");
    node.runAll();
    index.close();
    var _ = node.topics.delete("books");
    var _ = node.topics.create("books", 3, Map.of());
    ShardedIndex again = node.open();
    node.runAll();
    assertThat(TestNode.seen(again)).isEmpty();
  }
}
