package dev.weir.search.shard;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.log.MemoryLog.Commits;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.FieldType.Semantic;
import dev.weir.search.mapping.FieldType.Semantic.Division;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.model.WordVectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Vectors of semantic fields are made when records are applied, whatever the model does. */
final class SemanticShardTest {
  private static final int DIMENSION = 32;
  private static final String VECTORS = "t_semantic_info.embedding";
  private static final Semantic TYPE = new Semantic(null, DIMENSION, Division.WHOLE);

  /** A model that answers when it is told to, or never again. */
  private static final class Model implements Embeddings {
    final List<Runnable> waiting = new ArrayList<>();
    int calls;
    int textsMax;
    int failuresLeft;
    @Nullable String poison;
    ErrorType failure = ErrorType.MODEL;
    boolean isSlow;
    @Nullable Random chance;

    @Override
    public int dimension(@Nullable String modelId) {
      return DIMENSION;
    }

    @Override
    public CompletableFuture<List<float[]>> vectors(@Nullable String modelId, List<String> texts) {
      calls++;
      textsMax = Math.max(textsMax, texts.size());
      boolean isUnlucky = chance != null && chance.nextInt(4) == 0;
      if (isUnlucky || failuresLeft-- > 0 || (poison != null && texts.contains(poison))) {
        return CompletableFuture.failedFuture(new SearchException(failure, "the model fails"));
      }
      List<float[]> vectors = texts.stream().map(text -> WordVectors.of(text, DIMENSION)).toList();
      if (!isSlow) {
        return CompletableFuture.completedFuture(vectors);
      }
      CompletableFuture<List<float[]>> later = new CompletableFuture<>();
      waiting.add(() -> later.complete(vectors));
      return later;
    }

    /** Answers all that was asked so far, and is quick from now on. */
    void answer() {
      isSlow = false;
      List.copyOf(waiting).forEach(Runnable::run);
      waiting.clear();
    }
  }

  private final Model model = new Model();

  private TestNode node(int shards) {
    return node(shards, Commits.AT_ONCE);
  }

  private TestNode node(int shards, Commits commits) {
    TestNode node = new TestNode(shards, commits);
    node.embeddings = model;
    node.mapping = new Mapping(FieldType.ObjectType.EMPTY.with("t", TYPE), Mapping.Options.DEFAULT);
    return node;
  }

  private static String text(String words) {
    return "{\"t\":\"" + words + "\"}";
  }

  /** The vectors that searches see, by id. */
  private static Map<String, List<Float>> vectors(ShardedIndex index) {
    Map<String, List<Float>> found = new TreeMap<>();
    try (IndexView view = index.view()) {
      for (IndexView.ShardView shard : view.shards()) {
        IndexSearcher searcher = shard.searcher();
        for (ScoreDoc hit : searcher.search(MatchAllDocsQuery.INSTANCE, 1000).scoreDocs) {
          List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
          LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hit.doc, leaves));
          FloatVectorValues values = leaf.reader().getFloatVectorValues(VECTORS);
          if (values == null) {
            continue;
          }
          KnnVectorValues.DocIndexIterator documents = values.iterator();
          int doc = hit.doc - leaf.docBase;
          if (documents.advance(doc) == doc) {
            List<Float> vector = new ArrayList<>();
            for (float component : values.vectorValue(documents.index())) {
              vector.add(component);
            }
            found.put(searcher.storedFields().document(hit.doc).get(MetadataField.ID), vector);
          }
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  private static List<Float> vector(String words) {
    List<Float> vector = new ArrayList<>();
    for (float component : WordVectors.of(words, DIMENSION)) {
      vector.add(component);
    }
    return vector;
  }

  @Test
  void recordOfAProducerHasTheVectorOfItsText() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    node.log(0).produce(5, "a", text("one two"));
    node.put(index, "b", text("three"));
    node.search(index);
    assertThat(vectors(index)).isEqualTo(Map.of("a", vector("one two"), "b", vector("three")));
  }

  @Test
  void shardWaitsForASlowModelWithoutAThreadAndOthersGoOn() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    model.isSlow = true;
    node.log(0).produce(5, "a", text("one"));
    node.runAll();
    assertThat(node.tasks).as("nobody is busy").isEmpty();
    index.refreshNow();
    assertThat(TestNode.seen(index)).isEmpty();
    assertThat(index.get("a")).as("what is in the log is known by id").isPresent();
    node.log(0).produce(6, "b", text("two"));
    node.runAll();
    model.isSlow = false;
    model.waiting.forEach(Runnable::run);
    assertThat(node.search(index).keySet()).containsExactly("a", "b");
    assertThat(vectors(index)).containsOnlyKeys("a", "b");
  }

  @Test
  void modelThatFailsForAWhileLosesNoRecord() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    model.failuresLeft = 3;
    node.log(0).produce(5, "a", text("one"));
    node.runAll();
    for (int i = 0; i < 3; i++) {
      index.refreshNow();
      assertThat(TestNode.seen(index)).isEmpty();
      node.runDelayed();
    }
    assertThat(node.search(index).keySet()).containsExactly("a");
    assertThat(vectors(index)).isEqualTo(Map.of("a", vector("one")));
    assertThat(node.dead).isEmpty();
    assertThat(model.calls).isEqualTo(4);
  }

  @Test
  void textThatTheModelAlwaysFailsWithGoesToTheDeadLettersAndTheOthersDoNot() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    model.poison = "bad";
    node.log(0).produce(5, "a", text("one"));
    node.log(0).produce(6, "b", text("bad"));
    node.log(0).produce(7, "c", text("three"));
    node.runAll();
    for (int i = 0; i < 20 && !node.delayed.isEmpty(); i++) {
      node.runDelayed();
    }
    assertThat(node.search(index).keySet()).containsExactly("a", "c");
    assertThat(node.dead).containsExactly(new TestNode.Dead(0, 1, "the model fails"));
    assertThat(vectors(index)).containsOnlyKeys("a", "c");
  }

  @Test
  void whatTryingAgainCannotHelpIsDeadAtOnce() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    model.failure = ErrorType.ILLEGAL_ARGUMENT;
    model.poison = "bad";
    node.log(0).produce(5, "a", text("bad"));
    node.log(0).produce(6, "b", text("two"));
    assertThat(node.search(index).keySet()).containsExactly("b");
    assertThat(node.dead).hasSize(1);
    assertThat(model.calls).as("together, then each alone").isEqualTo(3);
  }

  @Test
  void modelThatIsGoneForGoodStopsNoShard() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    model.failuresLeft = Integer.MAX_VALUE;
    for (int i = 0; i < 200; i++) {
      node.log(0).produce(5, "d" + i, text("one"));
    }
    node.runAll();
    for (int i = 0; i < 200 && node.dead.size() < 200; i++) {
      node.runDelayed();
    }
    assertThat(node.dead).hasSize(200);
    model.failuresLeft = 0;
    node.log(0).produce(5, "after", text("two"));
    node.runAll();
    assertThat(node.search(index).keySet()).containsExactly("after");
  }

  @Test
  void shardThatWaitsForAModelStopsAtOnce() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    model.isSlow = true;
    node.log(0).produce(5, "a", text("one"));
    node.runAll();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(index::close, Runnable::run);
    node.runAll();
    assertThat(closed).isCompleted();
    model.isSlow = false;
    ShardedIndex again = node.open();
    assertThat(node.search(again).keySet()).containsExactly("a");
  }

  @Test
  void recordThatWaitsForAModelCountsWhenALaterBatchIsLost() {
    TestNode node = node(1, Commits.BY_HAND);
    ShardedIndex index = node.open();
    model.isSlow = true;
    node.put(index, "x", text("one"));
    node.log(0).commitAll();
    node.runAll();
    assertThat(model.waiting).as("taken from the tail, and not applied").hasSize(1);
    node.put(index, "y", text("two"));
    node.log(0).loseUncommitted();
    assertThat(node.put(index, "x", text("three"), new Condition.Absent()))
        .isInstanceOf(WriteOutcome.Conflict.class);
    assertThat(index.get("x").orElseThrow().source()).isEqualTo(TestNode.bytes(text("one")));
    WriteOutcome again = node.put(index, "x", text("four"));
    assertThat(((WriteOutcome.Written) again).state().version()).isEqualTo(2);
    node.log(0).commitAll();
    model.answer();
    assertThat(node.search(index)).containsOnlyKeys("x");
    assertThat(vectors(index)).isEqualTo(Map.of("x", vector("four")));
  }

  @Test
  void whatWentToTheDeadLettersIsNotKnownByIdAnyMore() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    model.failure = ErrorType.ILLEGAL_ARGUMENT;
    model.poison = "bad";
    node.log(0).produce(5, "a", text("bad"));
    node.runAll();
    assertThat(node.dead).hasSize(1);
    assertThat(index.get("a")).isEmpty();
  }

  @Test
  void manyTextsAreGivenToTheModelInCallsOfABoundedSize() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    node.mapping =
        new Mapping(
            FieldType.ObjectType.EMPTY.with("t", new Semantic(null, DIMENSION, Division.CHUNKS)),
            Mapping.Options.DEFAULT);
    node.log(0).produce(5, "a", text("one two three ".repeat(100 * 60)));
    node.log(0).produce(5, "b", text("four"));
    assertThat(node.search(index)).containsOnlyKeys("a", "b");
    assertThat(model.textsMax).isEqualTo(Vectorizing.CALL_TEXTS_MAX);
    assertThat(model.calls).isEqualTo(2);
  }

  @Test
  void nothingIsTriedAgainForAShardThatWasClosed() {
    TestNode node = node(1);
    ShardedIndex index = node.open();
    model.failuresLeft = Integer.MAX_VALUE;
    node.log(0).produce(5, "a", text("one"));
    node.runAll();
    assertThat(model.calls).isEqualTo(1);
    index.close();
    for (int i = 0; i < 20; i++) {
      node.runDelayed();
    }
    assertThat(model.calls).isEqualTo(1);
    assertThat(node.delayed).isEmpty();
  }

  /**
   * A producer's record that hides the document "a", and one that is older and hides it no more.
   */
  private static void hideAndHideNoMore(TestNode node, ShardedIndex index) {
    int home = index.route("a");
    node.log(home).produce(100, "a", text("one"));
    node.log(1 - home).produce(200, "a", text("two"));
    assertThat(requireNonNull(node.search(index).get("a")).source()).isEqualTo(text("two"));
    node.log(1 - home).produce(50, "a", null);
  }

  @Test
  void documentThatIsShownAgainWaitsForItsVectorsAndNobodyElseDoes() {
    TestNode node = node(2);
    ShardedIndex index = node.open();
    hideAndHideNoMore(node, index);
    model.isSlow = true;
    node.runAll();
    assertThat(model.waiting).hasSize(1);
    index.refreshNow();
    assertThat(TestNode.seen(index)).as("not seen without its vectors").isEmpty();
    assertThat(index.get("a").orElseThrow().source()).isEqualTo(TestNode.bytes(text("one")));
    model.isSlow = false;
    node.put(index, "b", text("three"));
    assertThat(node.search(index)).containsOnlyKeys("b");
    model.answer();
    assertThat(node.search(index)).containsOnlyKeys("a", "b");
    assertThat(vectors(index)).containsEntry("a", vector("one"));
  }

  @Test
  void documentThatWaitedToBeShownAgainIsShownAfterARestart() {
    TestNode node = node(2);
    ShardedIndex index = node.open();
    hideAndHideNoMore(node, index);
    model.isSlow = true;
    node.runAll();
    index.close(); // commits what both shards have applied
    model.waiting.clear();
    model.isSlow = false;
    ShardedIndex again = node.open();
    node.runAll();
    assertThat(node.search(again)).containsOnlyKeys("a");
    assertThat(vectors(again)).isEqualTo(Map.of("a", vector("one")));
  }

  @Test
  void documentThatChangesWhileItWaitsToBeShownAgainIsShownAsItIsThen() {
    TestNode node = node(2);
    ShardedIndex index = node.open();
    hideAndHideNoMore(node, index);
    model.isSlow = true;
    node.runAll();
    model.isSlow = false;
    node.put(index, "a", text("five"));
    node.runAll();
    model.answer();
    assertThat(requireNonNull(node.search(index).get("a")).source()).isEqualTo(text("five"));
    assertThat(vectors(index)).isEqualTo(Map.of("a", vector("five")));
  }

  @Test
  void documentThatTheModelFailsWithWhenItIsShownAgainGoesToTheDeadLetters() {
    TestNode node = node(2);
    ShardedIndex index = node.open();
    hideAndHideNoMore(node, index);
    model.failure = ErrorType.ILLEGAL_ARGUMENT;
    model.poison = "one";
    node.runAll();
    assertThat(node.dead).hasSize(1);
    assertThat(node.search(index)).isEmpty();
  }

  /**
   * Random writers, crashes, lost indexes and a model that fails at times: each document that is
   * seen has the vector of its own text.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void documentsHaveTheVectorsOfTheirOwnTexts(long seed) {
    Random random = new Random(seed);
    int shards = 1 + random.nextInt(3);
    TestNode node = node(shards);
    model.chance = seed % 2 == 0 ? random : null;
    ShardedIndex index = node.open();
    String[] words = {"red", "green", "blue", "cyan", "pink"};
    for (int step = 0; step < 150; step++) {
      node.nowMs += random.nextInt(3);
      String id = "id" + random.nextInt(6);
      String text =
          text(words[random.nextInt(words.length)] + " " + words[random.nextInt(words.length)]);
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> node.put(index, id, text);
        case 3, 4 ->
            node.log(random.nextInt(shards)).produce(node.nowMs - random.nextInt(50), id, text);
        case 5 -> node.log(random.nextInt(shards)).produce(node.nowMs, id, null);
        case 6 -> node.runOne();
        case 7 -> node.runDelayed();
        case 8 -> {
          if (random.nextInt(4) == 0) {
            node.kill(index);
            if (random.nextBoolean()) {
              for (int shard = 0; shard < shards; shard++) {
                node.loseIndex(shard);
              }
            }
            index = node.open();
          }
        }
        default -> {
          settle(node, index);
          requireOwnVectors(index, seed, step);
        }
      }
    }
    model.chance = null;
    settle(node, index);
    requireOwnVectors(index, seed, 150);
  }

  /** A search waits until a shard that was opened has read what its log held. */
  private static void settle(TestNode node, ShardedIndex index) {
    node.runAll();
    for (int i = 0; i < 30; i++) { // longer than a row of pauses; index commits go on for ever
      node.runDelayed();
    }
    index.refreshNow();
  }

  private void requireOwnVectors(ShardedIndex index, long seed, int step) {
    Map<String, List<Float>> expected = new HashMap<>();
    TestNode.seen(index)
        .forEach(
            (id, hit) ->
                expected.put(
                    id, vector(JsonMapper.shared().readTree(hit.source()).at("/t").asString())));
    Map<String, List<Float>> found = vectors(index);
    assertThat(found).as("seed=%d step=%d", seed, step).isEqualTo(expected);
  }
}
