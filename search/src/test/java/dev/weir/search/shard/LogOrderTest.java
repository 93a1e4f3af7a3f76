package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.execute.Hit;
import dev.weir.search.execute.SearchSettings;
import dev.weir.search.execute.SearchableIndex;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.log.LogEntry;
import dev.weir.search.log.MemoryLog.Commits;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.shard.DocumentState.Presence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hits with equal scores come in the order of their shards and of their offsets, whatever was
 * merged, and however often the node was stopped or the index built again.
 */
final class LogOrderTest {

  private static final int SHARDS = 2;
  private static final int STEPS = 500;
  private static final int IDS = 80;
  private static final List<Merge> MERGES =
      List.of(
          new Merge.ByPolicy(),
          new Merge.ExpungeDeletes(),
          new Merge.ToSegments(1),
          new Merge.ToSegments(3));

  private final TestNode node = new TestNode(SHARDS, Commits.AT_ONCE);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void equalHitsAreInTheOrderOfTheLog(long seed) {
    Random random = new Random(seed);
    node.mapping = seed % 2 == 0 ? NestedBlocks.MAPPING : Mapping.EMPTY;
    ShardedIndex index = node.open();
    for (int step = 0; step < STEPS; step++) {
      String place = "seed=" + seed + " step=" + step;
      String id = "d" + random.nextInt(IDS);
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5 -> node.put(index, id, document(step, random));
        case 6 -> node.delete(index, id);
        case 7 -> node.runOne();
        case 8, 9, 10, 11, 12 -> refresh(index); // ends a segment
        case 13 -> {
          node.runAll();
          index.commit(random.nextInt(SHARDS));
        }
        case 14 -> {
          if (random.nextInt(3) == 0) {
            index.merge(MERGES.get(random.nextInt(MERGES.size())));
          }
        }
        case 15 -> {
          if (random.nextInt(8) == 0) {
            node.runAll();
            index.close();
            index = node.open();
          }
        }
        case 16 -> {
          if (random.nextInt(8) == 0) {
            node.kill(index);
            if (random.nextBoolean()) {
              node.loseIndex(random.nextInt(SHARDS));
            }
            index = node.open();
          }
        }
        case 17 -> pages(place, index, random);
        default -> {
          refresh(index);
          assertThat(ids(index, 0, 1000)).as(place).isEqualTo(model());
        }
      }
    }
  }

  /** Segments are merged between one page and the next. */
  private void pages(String place, ShardedIndex index, Random random) {
    int size = 1 + random.nextInt(20);
    refresh(index);
    List<String> paged = new ArrayList<>();
    while (true) {
      List<String> page = ids(index, paged.size(), size);
      if (page.isEmpty()) {
        break;
      }
      paged.addAll(page);
      if (random.nextInt(4) == 0) {
        index.merge(MERGES.get(random.nextInt(MERGES.size())));
        refresh(index);
      }
    }
    assertThat(paged).as(place).isEqualTo(model());
  }

  private void refresh(ShardedIndex index) {
    node.await(index.refresh());
  }

  private static String document(int step, Random random) {
    StringBuilder nested = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      nested.append("{\"n\":").append(i).append(i > 1 ? "}," : "}");
    }
    return "{\"step\":" + step + ",\"c\":[" + nested + "]}";
  }

  private static List<String> ids(ShardedIndex index, int from, int size) {
    try (IndexView view = index.view()) {
      return new TestSearches(new SearchableIndex(view, SearchSettings.DEFAULT, null))
          .search("books", "{\"from\":" + from + ",\"size\":" + size + "}").hits().stream()
              .map(Hit::id)
              .toList();
    }
  }

  /** The newest record of each id, by shard and offset. */
  private List<String> model() {
    List<String> ids = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      Map<String, LogEntry> newest = new TreeMap<>();
      for (LogEntry entry : node.log(shard).entries()) {
        newest.put(TestNode.text(Objects.requireNonNull(entry.key())), entry);
      }
      newest.entrySet().stream()
          .filter(each -> each.getValue().value() != null)
          .sorted(Comparator.comparingLong(each -> each.getValue().offset()))
          .forEach(each -> ids.add(each.getKey()));
    }
    return ids;
  }

  @Test
  void segmentsAreMergedWithoutBeingAskedAndDeletedDocumentsLeave() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setMergePolicy(new LogOrderMerges())
            .setMergeScheduler(new SerialMergeScheduler());
    try (IndexWriter writer = new IndexWriter(new ByteBuffersDirectory(), config)) {
      for (int i = 0; i < 3000; i++) {
        Document document = new Document();
        document.add(new StringField(MetadataField.ID, "d" + i % 400, Field.Store.NO));
        document.add(NumericDocValuesField.indexedField(MetadataField.SEQ_NO, i));
        writer.updateDocument(new Term(MetadataField.ID, "d" + i % 400), document);
        if (i % 10 == 9) {
          writer.flush();
          writer.maybeMerge();
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertThat(LogOrder.fault(reader)).isEmpty();
        assertThat(visibleOffsets(reader)).hasSize(400).isSorted();
        assertThat(reader.leaves()).hasSizeLessThan(15);
        assertThat(reader.numDeletedDocs()).isLessThanOrEqualTo(reader.maxDoc() / 5);
      }
    }
  }

  @Test
  void expungingWritesEachSegmentWithDeletesAgain() {
    ShardedIndex index = node.open();
    for (int i = 0; i < 100; i++) {
      node.put(index, "d" + i, "{}");
      if (i % 25 == 24) {
        refresh(index);
      }
    }
    for (int i = 0; i < 100; i += 3) {
      node.put(index, "d" + i, "{}");
    }
    refresh(index);
    index.merge(new Merge.ExpungeDeletes());
    refresh(index);
    assertThat(ids(index, 0, 1000)).isEqualTo(model());
    try (IndexView view = index.view()) {
      for (IndexView.ShardView shard : view.shards()) {
        assertThat(((DirectoryReader) shard.searcher().getIndexReader()).numDeletedDocs()).isZero();
        assertThat(shard.searcher().getIndexReader().leaves()).hasSizeGreaterThan(3);
      }
    }
  }

  @Test
  void anIndexOfAVersionThatMixedDocumentsIsBuiltAgain() throws IOException {
    ShardedIndex index = node.open();
    for (int i = 0; i < 20; i++) {
      node.put(index, "d" + i, "{}");
    }
    node.runAll();
    index.close();
    node.forgetOrder(0);
    ShardedIndex again = node.open();
    assertThat(again.appliedOffset(0)).isZero();
    assertThat(again.appliedOffset(1)).isEqualTo(node.log(1).endOffset());
    refresh(again);
    assertThat(ids(again, 0, 1000)).isEqualTo(model());
  }

  /** Shards hide documents of each other: two threads write to one index then. */
  @Test
  void whatOthersHideDoesNotMixTheDocumentsOfAShard() throws Exception {
    int documents = 20_000;
    try (ShardIndex index =
            ShardIndex.open(
                node.files, Path.of("books", "0"), node.definition(), node.writeBuffer);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      AtomicBoolean isOver = new AtomicBoolean();
      Future<?> hiding =
          threads.submit(
              () -> {
                for (int i = 0; !isOver.get(); i++) {
                  String id = "hidden" + i % 100;
                  index.hide(id, state(i % 100), ShardIndex.Residence.HOME);
                }
              });
      Future<?> refreshing =
          threads.submit(
              () -> {
                while (!isOver.get()) {
                  index.reopen().decRef();
                }
                return null;
              });
      try {
        Content content =
            new Content(ByteBuffer.allocate(0), List.of(), List.of(), List.of(), Mapping.EMPTY);
        for (int i = 0; i < documents; i++) {
          index.show("d" + i, state(100 + i), content, ShardIndex.Residence.HOME);
        }
      } finally {
        isOver.set(true);
      }
      await(hiding);
      await(refreshing);
      DirectoryReader reader = index.reopen();
      try {
        List<Long> visible = visibleOffsets(reader);
        assertThat(visible).hasSize(documents).isSorted();
      } finally {
        reader.decRef();
      }
    }
  }

  private static void await(Future<?> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static DocumentState state(long seqNo) {
    return new DocumentState(seqNo, 1, 1, 0, Presence.VISIBLE);
  }

  private static List<Long> visibleOffsets(DirectoryReader raw) throws IOException {
    List<Long> offsets = new ArrayList<>();
    for (LeafReaderContext leaf : raw.leaves()) {
      NumericDocValues hidden = leaf.reader().getNumericDocValues(ShardField.HIDDEN);
      NumericDocValues seqNos = leaf.reader().getNumericDocValues(MetadataField.SEQ_NO);
      var live = leaf.reader().getLiveDocs();
      for (int doc = seqNos.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = seqNos.nextDoc()) {
        boolean isHidden = hidden != null && hidden.advanceExact(doc);
        if (!isHidden && (live == null || live.get(doc))) {
          offsets.add(seqNos.longValue());
        }
      }
    }
    return offsets;
  }
}
