package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.RenderedValue;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.request.Highlight;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SourceFilter;
import dev.weir.search.shard.NestedLevels;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Makes what the hits of one shard show of their nested documents. Used by one thread. */
final class InnerHitsFetcher {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** What a hit takes beside what it shows: the object, its place, its lists. */
  private static final int HIT_BYTES = 400;

  private final ShardSearch search;
  private final String index;
  private final Mapping mapping;
  private final NestedLevels levels;
  private final IndexSearcher searcher;
  private final Map<InnerHitsPlan, Weight> weights = new HashMap<>();
  private final Map<InnerHitsPlan, Highlights> highlightsByPlan = new HashMap<>();
  private final Map<InnerHitsPlan, HitFields> fieldsByPlan = new HashMap<>();

  InnerHitsFetcher(ShardSearch search) {
    this.search = search;
    this.index = search.ref().index().view().index();
    this.mapping = search.ref().index().view().mapping();
    this.levels = search.ref().index().view().levels();
    this.searcher = search.ref().shard().searcher();
  }

  /**
   * What a whole document shows.
   *
   * @param doc its number in the segment
   * @param source of the document
   */
  SortedMap<String, InnerHitsResult> of(
      List<InnerHitsPlan> plans,
      LeafReaderContext leaf,
      int doc,
      String id,
      byte[] source,
      AnswerBudget budget)
      throws IOException {
    return of(plans, new Block(leaf, doc, id, MAPPER.readTree(source), budget), doc);
  }

  /**
   * The document whose nested ones are shown.
   *
   * @param whole its number in the segment
   */
  private record Block(
      LeafReaderContext leaf, int whole, String id, JsonNode source, AnswerBudget budget) {}

  private SortedMap<String, InnerHitsResult> of(List<InnerHitsPlan> plans, Block block, int doc)
      throws IOException {
    SortedMap<String, InnerHitsResult> results = new TreeMap<>();
    for (InnerHitsPlan plan : plans) {
      results.put(plan.name(), of(plan, block, doc));
    }
    return results;
  }

  private InnerHitsResult of(InnerHitsPlan plan, Block block, int doc) throws IOException {
    Weight weight = weights.get(plan);
    if (weight == null) {
      weight = searcher.createWeight(plan.query(), ScoreMode.COMPLETE, 1f);
      weights.put(plan, weight);
    }
    List<dev.weir.search.request.SortKey> keys = plan.wanted().sort();
    SortPlan sort = SortPlan.isByScore(keys) ? null : SortPlan.of(keys, index, mapping, null);
    SearchRequest.Page page = plan.wanted().page();
    TopDocsCollector<?> collector = collector(sort, Math.max(1, page.from() + page.size()));
    Scorer scorer = weight.scorer(block.leaf);
    if (scorer != null) {
      collect(scorer, first(plan.around(), block.leaf, doc), doc, collector, block.leaf);
    }
    TopDocs found = collector.topDocs();
    if (sort != null && plan.wanted().hits().trackScores()) {
      TopFieldCollector.populateScores(found.scoreDocs, searcher, plan.query());
    }
    List<Hit> hits = new ArrayList<>();
    int end = Math.min(page.from() + page.size(), found.scoreDocs.length);
    for (int i = page.from(); i < end; i++) {
      if (Float.isInfinite(found.scoreDocs[i].score)) {
        throw SearchException.scoreNotFinite(
            found.scoreDocs[i].score, "[inner_hits] [" + plan.name() + "]");
      }
      hits.add(hit(plan, block, found.scoreDocs[i], weight, sort));
    }
    Float maxScore = sort != null || hits.isEmpty() ? null : found.scoreDocs[0].score;
    return new InnerHitsResult(TotalHits.of(found.totalHits), maxScore, hits);
  }

  private static TopDocsCollector<?> collector(@Nullable SortPlan sort, int count) {
    return sort == null
        ? new TopScoreDocCollectorManager(count, Integer.MAX_VALUE).newCollector()
        : new TopFieldCollectorManager(sort.sort(), count, Integer.MAX_VALUE).newCollector();
  }

  private static void collect(
      Scorer scorer, int first, int end, TopDocsCollector<?> collector, LeafReaderContext leaf)
      throws IOException {
    LeafCollector into = collector.getLeafCollector(leaf);
    into.setScorer(scorer);
    DocIdSetIterator docs = scorer.iterator();
    for (int doc = docs.advance(first); doc < end; doc = docs.nextDoc()) {
      into.collect(doc);
    }
  }

  /** The first document of the block that a document of a level ends. */
  private int first(@Nullable String level, LeafReaderContext leaf, int end) throws IOException {
    BitSet ends = levels.at(level).getBitSet(leaf);
    return end == 0 || ends == null ? 0 : ends.prevSetBit(end - 1) + 1;
  }

  private Hit hit(
      InnerHitsPlan plan, Block block, ScoreDoc hit, Weight weight, @Nullable SortPlan sort)
      throws IOException {
    int doc = hit.doc - block.leaf.docBase;
    block.budget.take(AnswerPart.MATCHES, HIT_BYTES);
    List<HitNesting.Step> place = place(plan.path(), block.leaf, doc);
    SearchRequest.HitOptions shown = plan.wanted().hits();
    JsonNode object = object(block, place);
    return new Hit(
        index,
        block.id,
        sort == null || shown.trackScores() ? hit.score : null,
        source(plan, block, object),
        shown.version() ? HitFetcher.version(block.leaf, block.whole) : null,
        shown.seqNoPrimaryTerm() ? HitFetcher.position(block.leaf, block.whole) : null,
        sort != null && hit instanceof FieldDoc sorted
            ? sort.shown(sort.values(sorted.fields))
            : List.of(),
        matchedQueries(plan, block, weight, doc),
        new HitNesting(place, of(plan.below(), block, doc)),
        shown.explain() ? explanation(block, weight, doc) : null,
        highlight(plan, object, block, doc),
        fields(plan, block, doc, object));
  }

  private static List<String> matchedQueries(
      InnerHitsPlan plan, Block block, Weight weight, int doc) throws IOException {
    if (!plan.named()) {
      return List.of();
    }
    List<String> names = QueryNames.matching(List.of(weight), block.leaf, doc);
    QueryNames.take(names, block.budget);
    return names;
  }

  private static Explanation explanation(Block block, Weight weight, int doc) throws IOException {
    Explanation explanation = weight.explain(block.leaf, doc);
    HitFetcher.take(explanation, block.budget);
    return explanation;
  }

  private Map<String, List<String>> highlight(
      InnerHitsPlan plan, JsonNode object, Block block, int doc) throws IOException {
    Highlight asked = plan.wanted().extras().highlight();
    if (asked == null) {
      return Map.of();
    }
    Highlights highlights =
        highlightsByPlan.computeIfAbsent(
            plan, _ -> Highlights.of(search, asked, plan.wanted().query()));
    Map<String, List<String>> shown =
        highlights.of(MAPPER.writeValueAsBytes(Map.of(plan.path(), object)), block.leaf, doc);
    Highlights.take(shown, block.budget);
    return shown;
  }

  private SortedMap<String, List<RenderedValue>> fields(
      InnerHitsPlan plan, Block block, int doc, JsonNode object) throws IOException {
    HitFields fields =
        fieldsByPlan.computeIfAbsent(
            plan, _ -> HitFields.of(plan.wanted().hits().fields(), search.ref().index()));
    byte[] json = fields.needSource() ? MAPPER.writeValueAsBytes(object) : null;
    return fields.ofNested(plan.path(), block.leaf, doc, json, block.budget);
  }

  /** Where a nested document is, from the outermost nested field to its own. */
  private List<HitNesting.Step> place(String path, LeafReaderContext leaf, int doc)
      throws IOException {
    Deque<HitNesting.Step> place = new ArrayDeque<>();
    String level = path;
    int inner = doc;
    while (level != null) {
      String around = mapping.nestedAround(level).orElse(null);
      BitSet ends = levels.at(around).getBitSet(leaf);
      BitSet siblings = levels.at(level).getBitSet(leaf);
      if (ends == null || siblings == null) {
        throw new IOException("nested document without a block, path=" + level + " doc=" + doc);
      }
      int outer = ends.nextSetBit(inner);
      int offset = 0;
      for (int each = siblings.nextSetBit(first(around, leaf, outer));
          each < inner;
          each = siblings.nextSetBit(each + 1)) {
        offset++;
      }
      String field = around == null ? level : level.substring(around.length() + 1);
      place.addFirst(new HitNesting.Step(field, offset));
      level = around;
      inner = outer;
    }
    return List.copyOf(place);
  }

  private @Nullable HitSource source(InnerHitsPlan plan, Block block, JsonNode object) {
    return switch (plan.wanted().source()) {
      case SourceFilter.Hidden() -> null;
      case SourceFilter.Fields fields -> {
        byte[] json = MAPPER.writeValueAsBytes(object);
        block.budget.take(AnswerPart.DOCUMENTS, json.length);
        yield HitSource.Part.of(fields).of(json, plan.path());
      }
    };
  }

  private static JsonNode object(Block block, List<HitNesting.Step> place) {
    JsonNode object = block.source;
    for (HitNesting.Step step : place) {
      List<JsonNode> objects = new ArrayList<>();
      collect(object, step.field(), objects);
      object = objects.get(step.offset());
    }
    return object;
  }

  /** The objects of a nested field, in the order in which documents are read. */
  private static void collect(JsonNode around, String field, List<JsonNode> into) {
    for (Map.Entry<String, JsonNode> member : around.properties()) {
      String name = member.getKey();
      if (name.equals(field)) {
        flatten(member.getValue(), into);
      } else if (field.startsWith(name + ".")) {
        List<JsonNode> between = new ArrayList<>();
        flatten(member.getValue(), between);
        between.forEach(each -> collect(each, field.substring(name.length() + 1), into));
      }
    }
  }

  private static void flatten(JsonNode value, List<JsonNode> into) {
    if (value.isArray()) {
      value.forEach(each -> flatten(each, into));
    } else if (value.isObject()) {
      into.add(value);
    }
  }
}
