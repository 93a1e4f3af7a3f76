package dev.weir.search.request;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.query.Query;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One search as a value: what its body and its URL parameters say together. Checked as far as it
 * can be without an index; immutable.
 *
 * @param query what to look for; every document where the request says nothing
 * @param postFilter what hits must match besides, without a say in aggregations; null for nothing
 * @param page which part of the result is wanted
 * @param sort order of the hits, most important key first; empty for best score first
 * @param source which parts of the documents the hits carry
 * @param trackTotalHits how exactly the matching documents are counted
 * @param minScore the least score of a hit; null for any
 * @param hits what each hit tells besides
 * @param pipeline the search pipeline that is asked for
 * @param limits when to stop early
 * @param extras what goes beyond a page of hits
 */
public record SearchRequest(
    Query query,
    @Nullable Query postFilter,
    Page page,
    List<SortKey> sort,
    SourceFilter source,
    TrackTotalHits trackTotalHits,
    @Nullable Float minScore,
    HitOptions hits,
    PipelineChoice pipeline,
    Limits limits,
    Extras extras) {

  /** What an empty body asks for. */
  public static final SearchRequest DEFAULT = of(new Query.MatchAll(Query.NO_BOOST, null));

  /** Copies the sort keys. */
  public SearchRequest {
    sort = List.copyOf(sort);
  }

  /** A search that says nothing but its query. */
  public static SearchRequest of(Query query) {
    return new SearchRequest(
        query,
        null,
        Page.DEFAULT,
        List.of(),
        SourceFilter.ALL,
        TrackTotalHits.DEFAULT,
        null,
        HitOptions.DEFAULT,
        new PipelineChoice.OfIndex(),
        Limits.NONE,
        Extras.NONE);
  }

  /** The same search for something else. */
  public SearchRequest withQuery(Query other) {
    return new SearchRequest(
        other,
        postFilter,
        page,
        sort,
        source,
        trackTotalHits,
        minScore,
        hits,
        pipeline,
        limits,
        extras);
  }

  /** The same search with something else that hits must match besides. */
  public SearchRequest withPostFilter(Query other) {
    return new SearchRequest(
        query, other, page, sort, source, trackTotalHits, minScore, hits, pipeline, limits, extras);
  }

  /** The same search with matches counted otherwise. */
  public SearchRequest withTotalHits(TrackTotalHits other) {
    return new SearchRequest(
        query, postFilter, page, sort, source, other, minScore, hits, pipeline, limits, extras);
  }

  /** The same search with other parts of the documents. */
  public SearchRequest withSource(SourceFilter other) {
    return new SearchRequest(
        query,
        postFilter,
        page,
        sort,
        other,
        trackTotalHits,
        minScore,
        hits,
        pipeline,
        limits,
        extras);
  }

  /** The same search with a page and an order of its own. */
  public SearchRequest withPage(Page other, List<SortKey> order) {
    return new SearchRequest(
        query,
        postFilter,
        other,
        order,
        source,
        trackTotalHits,
        minScore,
        hits,
        pipeline,
        limits,
        extras);
  }

  /** The same search with other extras. */
  public SearchRequest withExtras(Extras other) {
    return new SearchRequest(
        query,
        postFilter,
        page,
        sort,
        source,
        trackTotalHits,
        minScore,
        hits,
        pipeline,
        limits,
        other);
  }

  /** The same search with limits of its own. */
  public SearchRequest withLimits(Limits other) {
    return new SearchRequest(
        query,
        postFilter,
        page,
        sort,
        source,
        trackTotalHits,
        minScore,
        hits,
        pipeline,
        other,
        extras);
  }

  /**
   * Part of a result.
   *
   * @param from number of hits to skip; not negative
   * @param size number of hits wanted at most; not negative
   */
  public record Page(int from, int size) {
    /** The first ten. */
    public static final Page DEFAULT = new Page(0, 10);

    /** Checks the numbers. */
    public Page {
      if (from < 0) {
        throw new IllegalArgumentException(
            "[from] parameter cannot be negative but was [" + from + "]");
      }
      if (size < 0) {
        throw new IllegalArgumentException(
            "[size] parameter cannot be negative, found [" + size + "]");
      }
    }
  }

  /**
   * What each hit tells besides its document.
   *
   * @param explain how its score came about
   * @param version its {@code _version}
   * @param seqNoPrimaryTerm its {@code _seq_no} and {@code _primary_term}
   * @param trackScores its score even where the hits are sorted by something else
   * @param fields whose values
   */
  public record HitOptions(
      boolean explain,
      boolean version,
      boolean seqNoPrimaryTerm,
      boolean trackScores,
      ShownFields fields) {
    /** None of them. */
    public static final HitOptions DEFAULT =
        new HitOptions(
            /* explain= */ false,
            /* version= */ false,
            /* seqNoPrimaryTerm= */ false,
            /* trackScores= */ false,
            ShownFields.NONE);
  }

  /**
   * What a search asks for beyond a page of hits.
   *
   * @param searchAfter sort values of the hit that the page comes after; empty for the first page
   * @param aggregations what is computed over all matches
   * @param rescores what the best hits are scored by once more, in this order
   * @param highlight which matches are shown in their text; null for none
   * @param collapse of which hits only the best is shown; null for none
   * @param indexBoosts factors on the scores of whole indexes, of which the first that fits counts
   * @param rerankText what a pipeline reranks hits for; null where the request does not say
   * @param trace what the answer tells of how it came about
   */
  public record Extras(
      List<SortValue> searchAfter,
      List<Aggregation.Named> aggregations,
      List<Rescoring> rescores,
      @Nullable Highlight highlight,
      @Nullable Collapse collapse,
      List<IndexBoost> indexBoosts,
      @Nullable RerankText rerankText,
      Trace trace) {
    /** Nothing. */
    public static final Extras NONE =
        new Extras(List.of(), List.of(), List.of(), null, null, List.of(), null);

    /** Extras of a search that tells nothing of how it came about. */
    public Extras(
        List<SortValue> searchAfter,
        List<Aggregation.Named> aggregations,
        List<Rescoring> rescores,
        @Nullable Highlight highlight,
        @Nullable Collapse collapse,
        List<IndexBoost> indexBoosts,
        @Nullable RerankText rerankText) {
      this(
          searchAfter,
          aggregations,
          rescores,
          highlight,
          collapse,
          indexBoosts,
          rerankText,
          Trace.NONE);
    }

    /** Copies the lists. */
    public Extras {
      searchAfter = List.copyOf(searchAfter);
      aggregations = List.copyOf(aggregations);
      rescores = List.copyOf(rescores);
      indexBoosts = List.copyOf(indexBoosts);
    }

    /** The same with hits scored once more in other ways. */
    public Extras withRescores(List<Rescoring> others) {
      return new Extras(
          searchAfter, aggregations, others, highlight, collapse, indexBoosts, rerankText, trace);
    }

    /** The same with other things computed over all matches. */
    public Extras withAggregations(List<Aggregation.Named> others) {
      return new Extras(
          searchAfter, others, rescores, highlight, collapse, indexBoosts, rerankText, trace);
    }

    /** The same with other matches shown. */
    public Extras withHighlight(@Nullable Highlight other) {
      return new Extras(
          searchAfter, aggregations, rescores, other, collapse, indexBoosts, rerankText, trace);
    }

    /** The same with hits collapsed otherwise. */
    public Extras withCollapse(@Nullable Collapse other) {
      return new Extras(
          searchAfter, aggregations, rescores, highlight, other, indexBoosts, rerankText, trace);
    }

    /** The same with other factors on scores. */
    public Extras withIndexBoosts(List<IndexBoost> others) {
      return new Extras(
          searchAfter, aggregations, rescores, highlight, collapse, others, rerankText, trace);
    }
  }

  /** Whether a search tells what it did and how long that took. */
  public enum Profiling {
    /** It does not. */
    OFF,
    /** It does. */
    ON
  }

  /** Whether the answer to a search may be one that was kept of an earlier one. */
  public enum Caching {
    /** As the indexes say. */
    OF_INDEX,
    /** It may. */
    ON,
    /** It is to be found again. */
    OFF
  }

  /**
   * What is known of a request beside what is carried out.
   *
   * @param commonFilter the common filter of a {@code hybrid}, as the very instance that stands in
   *     its queries; null without one
   * @param caching whether the answer may be one that was kept
   * @param textBytes of the body and the URL parameters that said all this; 0 where nothing was
   *     read
   */
  public record Trace(
      Profiling profiling, @Nullable Query commonFilter, Caching caching, long textBytes) {
    /** Nothing. */
    public static final Trace NONE = new Trace(Profiling.OFF, null, Caching.OF_INDEX, 0);
  }

  /**
   * When to begin a search, and when to stop it early.
   *
   * @param timeout how long the shards may search; null for no limit
   * @param terminateAfter how many matching documents a shard collects, at most; 0 for all
   * @param minOffsets what must be searchable before the search begins
   * @param cancelAfter when the search is to fail if it is not answered; null for never
   */
  public record Limits(
      @Nullable Duration timeout,
      int terminateAfter,
      MinOffsets minOffsets,
      @Nullable Duration cancelAfter) {
    /** Never. */
    public static final Limits NONE = new Limits(null, 0);

    /** Limits of a search that waits for nothing. */
    public Limits(@Nullable Duration timeout, int terminateAfter) {
      this(timeout, terminateAfter, MinOffsets.NONE, null);
    }

    /** Checks the number. */
    public Limits {
      if (terminateAfter < 0) {
        throw new IllegalArgumentException(
            "[terminate_after] cannot be negative, found [" + terminateAfter + "]");
      }
    }
  }
}
