package dev.weir.search.shard;

import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MappingJson;
import dev.weir.search.mapping.MetadataField;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.CheckJoinIndex;
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.Bits;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is in the blocks of an index of comments {@code c}, which have votes {@code c.v}. */
final class NestedBlocks {

  static final Mapping MAPPING =
      MappingJson.parse(
          JsonMapper.shared()
              .readTree(
                  """
                  {"properties": {
                    "step": {"type": "integer"},
                    "c": {"type": "nested", "properties": {
                      "n": {"type": "integer"},
                      "v": {"type": "nested", "properties": {"n": {"type": "integer"}}}}}}}"""));

  private NestedBlocks() {}

  /**
   * For each visible document the numbers of its nested ones, in their order; those without any are
   * left out. Fails if a block is not whole.
   */
  static Map<String, String> in(ShardedIndex index) {
    Map<String, String> found = new TreeMap<>();
    try (IndexView view = index.view()) {
      for (IndexView.ShardView shard : view.shards()) {
        DirectoryReader visible = (DirectoryReader) shard.searcher().getIndexReader();
        DirectoryReader raw = FilterDirectoryReader.unwrap(visible);
        CheckJoinIndex.check(raw, view.levels().at(null));
        for (String path : new String[] {"c", "c.v"}) {
          for (LeafReaderContext leaf : visible.leaves()) {
            collect(leaf, path, view.levels().at(null), found);
          }
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  private static void collect(
      LeafReaderContext leaf, String path, BitSetProducer whole, Map<String, String> found)
      throws IOException {
    IndexSearcher searcher = new IndexSearcher(leaf.reader());
    Weight weight =
        searcher.createWeight(
            searcher.rewrite(NestedLevels.query(path)), ScoreMode.COMPLETE_NO_SCORES, 1);
    LeafReaderContext own = searcher.getLeafContexts().getFirst();
    Scorer scorer = weight.scorer(own);
    if (scorer == null) {
      return;
    }
    SortedNumericDocValues numbers = leaf.reader().getSortedNumericDocValues(path + ".n");
    Bits live = leaf.reader().getLiveDocs();
    BitSet ends = whole.getBitSet(leaf);
    DocIdSetIterator docs = scorer.iterator();
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      int end = ends.nextSetBit(doc);
      if (live == null || live.get(end)) {
        if (live == null || live.get(doc)) {
          throw new AssertionError("a nested document is visible, path=" + path);
        }
        if (!numbers.advanceExact(doc)) {
          throw new AssertionError("no number in " + path);
        }
        String id = leaf.reader().storedFields().document(end).get(MetadataField.ID);
        found.merge(id + " " + path, numbers.nextValue() + " ", String::concat);
      }
    }
  }

  /** The same, from the sources. */
  static Map<String, String> expected(Map<String, TestNode.Hit> documents) {
    Map<String, String> expected = new TreeMap<>();
    documents.forEach(
        (id, hit) -> {
          for (JsonNode comment : JsonMapper.shared().readTree(hit.source()).path("c")) {
            expected.merge(id + " c", comment.get("n").asInt() + " ", String::concat);
            for (JsonNode vote : comment.path("v")) {
              expected.merge(id + " c.v", vote.get("n").asInt() + " ", String::concat);
            }
          }
        });
    return expected;
  }
}
