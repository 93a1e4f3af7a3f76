package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.hybrid.HybridRanking;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.query.Query.Hybrid;
import dev.weir.search.request.Highlight;
import dev.weir.search.request.Rescoring;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortValue;
import dev.weir.search.request.SourceFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Makes the hits of a page from the documents of one shard. Used by one thread. */
final class HitFetcher {
  private static final Set<String> ID = Set.of(MetadataField.ID);
  private static final Set<String> ID_AND_SOURCE = Set.of(MetadataField.ID, MetadataField.SOURCE);

  /** What a hit takes beside what it shows: the object, its id, its lists. */
  private static final int HIT_BYTES = 400;

  /** What a part of an explanation takes beside its text. */
  private static final int EXPLANATION_BYTES = 100;

  private final ShardSearch search;
  private final IndexSearcher searcher;
  private final Look look;
  private final HitSource.@Nullable Part part; // null: no source is shown
  private final HitFields fields;
  private final InnerHitsFetcher innerHits;
  private final List<Weight> named; // of queries in which some part has a name
  private final @Nullable HybridRanking combining; // null: scores are those of the query
  private final @Nullable Highlights highlights; // null: nothing is highlighted

  /**
   * What hits are to show.
   *
   * @param sort what their sort values mean; null: they have none
   * @param highlight which matches they show; null: none
   * @param rescores what changed their scores
   */
  record Look(
      SourceFilter source,
      SearchRequest.HitOptions hits,
      @Nullable SortPlan sort,
      @Nullable Highlight highlight,
      List<Rescoring> rescores) {
    /** What the hits of a request show. */
    static Look of(ShardSearch search) {
      SearchRequest request = search.plan().request();
      return new Look(
          request.source(),
          request.hits(),
          search.sort(),
          request.extras().highlight(),
          request.extras().rescores());
    }

    /** What the documents of a group show. */
    static Look ofGroup(SearchRequest wanted, @Nullable SortPlan sort) {
      return new Look(wanted.source(), wanted.hits(), sort, wanted.extras().highlight(), List.of());
    }
  }

  private HitFetcher(
      ShardSearch search,
      Look look,
      HitSource.@Nullable Part part,
      List<Weight> named,
      @Nullable HybridRanking combining) {
    this.search = search;
    this.combining = combining;
    this.fields = HitFields.of(look.hits().fields(), search.ref().index());
    this.innerHits = new InnerHitsFetcher(search);
    Highlight highlight = look.highlight();
    this.highlights =
        highlight == null
            ? null
            : Highlights.of(search, highlight, search.plan().request().query());
    this.searcher = search.ref().shard().searcher();
    this.look = look;
    this.part = part;
    this.named = named;
  }

  /**
   * A fetcher for the documents of one shard.
   *
   * @param combining what made the scores of a hybrid query; null for any other
   */
  static HitFetcher of(ShardSearch search, Look look, @Nullable HybridRanking combining)
      throws IOException {
    SearchRequest request = search.plan().request();
    HitSource.Part part =
        switch (look.source()) {
          case SourceFilter.Hidden() -> null;
          case SourceFilter.Fields fields -> HitSource.Part.of(fields);
        };
    List<Weight> named = new ArrayList<>();
    if (QueryNames.isAnyIn(request.query())) {
      List<Query> queries = new ArrayList<>(search.queries());
      for (dev.weir.search.query.Query filter : QueryNames.inVectorSearches(request.query())) {
        queries.add(search.translator().filter(filter));
      }
      IndexSearcher shard = search.ref().shard().searcher();
      for (Query query : queries) {
        named.add(shard.createWeight(shard.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1f));
      }
    }
    return new HitFetcher(search, look, part, named, combining);
  }

  /** Makes the fetcher of one shard. */
  @FunctionalInterface
  interface Making {
    HitFetcher of(ShardSearch search) throws IOException;
  }

  /** The hits of documents of any shards, in the order given. */
  static List<Hit> fetch(
      List<ShardHit> page, List<ShardAnswer> answers, Making making, AnswerBudget budget)
      throws IOException {
    Map<Integer, HitFetcher> fetchers = new HashMap<>();
    List<Hit> hits = new ArrayList<>(page.size());
    for (ShardHit hit : page) {
      HitFetcher fetcher = fetchers.get(hit.shard());
      if (fetcher == null) {
        fetcher = making.of(((ShardAnswer.Found) answers.get(hit.shard())).search());
        fetchers.put(hit.shard(), fetcher);
      }
      hits.add(fetcher.fetch(hit, budget));
    }
    return hits;
  }

  /** The hit of a document. */
  Hit fetch(ShardHit hit, AnswerBudget budget) throws IOException {
    boolean needsSource =
        part != null || highlights != null || fields.needSource() || !search.innerHits().isEmpty();
    LeafReaderContext leaf = leaf(hit.doc());
    search.plan().deadline().requireWanted();
    budget.take(AnswerPart.MATCHES, HIT_BYTES);
    Stored stored = needsSource ? stored(hit, ID_AND_SOURCE) : idOnly(hit, leaf);
    String id = stored.id;
    BytesRef json = stored.source;
    boolean showsVersion = look.hits().version();
    boolean showsPosition = look.hits().seqNoPrimaryTerm();
    return new Hit(
        search.ref().index().view().index(),
        id,
        Float.isNaN(hit.score()) ? null : hit.score(),
        source(json, budget),
        showsVersion ? version(leaf, hit.doc() - leaf.docBase) : null,
        showsPosition ? position(leaf, hit.doc() - leaf.docBase) : null,
        shown(hit),
        matchedQueries(hit.doc(), budget),
        nesting(hit.doc(), id, json, budget),
        look.hits().explain() ? explanation(hit, budget) : null,
        highlight(json, leaf, hit.doc() - leaf.docBase, budget),
        fields.of(leaf, hit.doc() - leaf.docBase, json, budget));
  }

  private List<SortValue> shown(ShardHit hit) {
    SortPlan sort = look.sort();
    return sort == null ? List.of() : sort.shown(hit.sort());
  }

  private @Nullable HitSource source(@Nullable BytesRef json, AnswerBudget budget) {
    if (part == null || json == null) {
      return null;
    }
    budget.take(
        AnswerPart.DOCUMENTS,
        json.length); // whole, also where a part is shown: it is cut as it is printed
    return part.of(BytesRef.deepCopyOf(json).bytes);
  }

  private Map<String, List<String>> highlight(
      @Nullable BytesRef json, LeafReaderContext leaf, int doc, AnswerBudget budget)
      throws IOException {
    if (highlights == null || json == null) {
      return Map.of();
    }
    Map<String, List<String>> shown = highlights.of(BytesRef.deepCopyOf(json).bytes, leaf, doc);
    // Whole texts may be asked for, and without the sources.
    Highlights.take(shown, budget);
    return shown;
  }

  private HitNesting nesting(int doc, String id, @Nullable BytesRef json, AnswerBudget budget)
      throws IOException {
    if (search.innerHits().isEmpty() || json == null) {
      return HitNesting.NONE;
    }
    LeafReaderContext leaf = leaf(doc);
    byte[] source = BytesRef.deepCopyOf(json).bytes;
    return new HitNesting(
        List.of(), innerHits.of(search.innerHits(), leaf, doc - leaf.docBase, id, source, budget));
  }

  /**
   * What is stored of a document.
   *
   * @param source null: not asked for
   */
  private record Stored(String id, @Nullable BytesRef source) {}

  private Stored idOnly(ShardHit hit, LeafReaderContext leaf) throws IOException {
    BinaryDocValues ids = leaf.reader().getBinaryDocValues(MetadataField.ID_VALUE);
    return ids != null && ids.advanceExact(hit.doc() - leaf.docBase)
        ? new Stored(ids.binaryValue().utf8ToString(), null)
        : stored(hit, ID);
  }

  private Stored stored(ShardHit hit, Set<String> fields) throws IOException {
    Document stored = searcher.storedFields().document(hit.doc(), fields);
    String id = stored.get(MetadataField.ID);
    if (id == null) {
      throw new SearchException(
          ErrorCause.of(
              ErrorType.UNEXPECTED,
              "document without _id, index="
                  + search.ref().index().view().index()
                  + " shard="
                  + search.ref().shard().shard()
                  + " doc="
                  + hit.doc()));
    }
    return new Stored(id, stored.getBinaryValue(MetadataField.SOURCE));
  }

  /** The {@code _version} of a document of a segment. */
  static long version(LeafReaderContext leaf, int doc) throws IOException {
    return number(MetadataField.VERSION, leaf, doc);
  }

  /** Where the record of a document of a segment stands. */
  static Hit.LogPosition position(LeafReaderContext leaf, int doc) throws IOException {
    return new Hit.LogPosition(
        number(MetadataField.SEQ_NO, leaf, doc), number(MetadataField.PRIMARY_TERM, leaf, doc));
  }

  private static long number(String field, LeafReaderContext leaf, int doc) throws IOException {
    NumericDocValues values = leaf.reader().getNumericDocValues(field);
    if (values == null || !values.advanceExact(doc)) {
      throw new SearchException(
          ErrorCause.of(ErrorType.UNEXPECTED, "document without " + field + ", doc=" + doc));
    }
    return values.longValue();
  }

  private LeafReaderContext leaf(int doc) {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    return leaves.get(ReaderUtil.subIndex(doc, leaves));
  }

  private List<String> matchedQueries(int doc, AnswerBudget budget) throws IOException {
    if (named.isEmpty()) {
      return List.of();
    }
    LeafReaderContext leaf = leaf(doc);
    Set<String> names = new TreeSet<>(QueryNames.matching(named, leaf, doc - leaf.docBase));
    dev.weir.search.query.Query query = search.plan().request().query();
    String whole = query.name();
    if (whole != null && query instanceof Hybrid) {
      names.add(whole);
    }
    QueryNames.take(names, budget);
    return List.copyOf(names);
  }

  private Explanation explanation(ShardHit hit, AnswerBudget budget) throws IOException {
    Explanation explanation = explain(hit);
    take(explanation, budget);
    return explanation;
  }

  /** Takes what an explanation holds: as many parts as the query has, for each hit. */
  static void take(Explanation explanation, AnswerBudget budget) {
    budget.take(AnswerPart.DETAILS, EXPLANATION_BYTES + explanation.getDescription().length());
    for (Explanation part : explanation.getDetails()) {
      take(part, budget);
    }
  }

  /** How the score of a document comes about, or why it has none. */
  Explanation explain(ShardHit hit) throws IOException {
    Explanation explanation = explained(hit);
    requireFinite(explanation);
    return explanation;
  }

  /** A number that JSON cannot show is refused, as it is where the document is a hit. */
  private static void requireFinite(Explanation explanation) {
    double value = explanation.getValue().doubleValue();
    if (!Double.isFinite(value)) {
      throw SearchException.scoreNotFinite(value, "[explain] of " + explanation.getDescription());
    }
    for (Explanation part : explanation.getDetails()) {
      requireFinite(part);
    }
  }

  private Explanation explained(ShardHit hit) throws IOException {
    List<Rescoring> rescores = look.rescores();
    if (rescores.isEmpty()) {
      return explainFirst(hit);
    }
    List<Explanation> parts = new ArrayList<>();
    parts.add(explainFirst(hit));
    for (Rescoring rescoring : rescores) {
      parts.add(searcher.explain(Rescorer.query(search, rescoring), hit.doc()));
    }
    return Explanation.match(
        hit.score(), "after [rescore], which scored the best hits once more, of:", parts);
  }

  /** The score before it was changed by others. */
  private Explanation explainFirst(ShardHit hit) throws IOException {
    HybridRanking ranking = combining;
    if (ranking == null) {
      return searcher.explain(search.anyQuery(), hit.doc());
    }
    HybridScoring scoring = search.plan().scoring();
    List<Explanation> parts = new ArrayList<>();
    boolean isMatch = false;
    for (int i = 0; i < search.queries().size(); i++) {
      Explanation raw = searcher.explain(search.queries().get(i), hit.doc());
      isMatch |= raw.isMatch();
      OptionalDouble part = ranking.part(hit.shard(), hit.doc(), i);
      if (part.isPresent()) {
        parts.add(Explanation.match((float) part.getAsDouble(), scoring.partMaking(), raw));
      } else {
        parts.add(
            Explanation.noMatch(
                raw.isMatch() ? "not ranked within the window by:" : "not matched by:", raw));
      }
    }
    return isMatch
        ? Explanation.match(ranking.score(hit.shard(), hit.doc()), scoring.combining(), parts)
        : Explanation.noMatch("no match on any sub-query of:", parts);
  }
}
