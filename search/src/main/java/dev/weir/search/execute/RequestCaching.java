package dev.weir.search.execute;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.aggregation.TermChoice;
import dev.weir.search.aggregation.result.Key;
import dev.weir.search.aggregation.result.Result;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryWriter;
import dev.weir.search.request.PipelineChoice;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SourceFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which answers are kept for later searches, and what they take. Pure. */
final class RequestCaching {
  /**
   * Requests whose queries are longer as JSON are not kept: dashboards repeat short ones, and a
   * filter of many terms is rarely the same twice.
   */
  private static final int QUERY_CHARS_MAX = 64 << 10;

  /**
   * Requests of longer texts are not kept, whatever they ask for: a key holds what was read, as
   * objects.
   */
  private static final int TEXT_BYTES_MAX = 64 << 10;

  /** What a byte of a request takes as objects, about: names in a list are the most of them. */
  private static final int BYTES_OF_TEXT_BYTE = 16;

  /** What a reader takes in a key and in what is known of readers. */
  private static final int READER_BYTES = 100;

  /** What a character of a query takes as a tree, about. */
  private static final int BYTES_OF_CHAR = 8;

  /** What an object of an answer or of a request takes, about, with its strings' heads. */
  private static final int OBJECT_BYTES = 200;

  private RequestCaching() {}

  /**
   * Whether a search may be answered by an answer that is kept, and its own kept: it shows no hits,
   * and nobody wants to know how it came about.
   */
  static boolean isWanted(OpenIndexes opened, SearchRequest request) {
    SearchRequest.Extras extras = request.extras();
    boolean showsNothing =
        request.page().from() + request.page().size() == 0
            && extras.trace().profiling() == SearchRequest.Profiling.OFF
            && extras.rescores().isEmpty()
            && extras.collapse() == null
            && request.limits().terminateAfter() == 0
            && extras.trace().textBytes() <= TEXT_BYTES_MAX;
    return showsNothing
        && switch (extras.trace().caching()) {
          case ON -> true;
          case OFF -> false;
          case OF_INDEX ->
              opened.indexes().stream()
                  .allMatch(index -> index.settings().caching() == SearchRequest.Caching.ON);
        };
  }

  /** Whether an answer is that of any moment, complete, and without documents. */
  static boolean isKept(SearchResponse answer, SearchPlan plan) {
    return !plan.moment().isRead()
        && answer.ending().equals(SearchResponse.Ending.WHOLE)
        && answer.shards().failures().isEmpty()
        && answer.hits().isEmpty()
        && answer.aggregations().hits().isEmpty()
        && answer.profile() == null;
  }

  /**
   * The request without what only its hits would show, and how it was said: equal for searches that
   * have equal answers, and smaller. What is checked of hits where there are none stays.
   */
  static SearchRequest keyed(SearchRequest request) {
    SearchRequest.Extras extras = request.extras();
    return new SearchRequest(
        request.query(),
        request.postFilter(),
        request.page(),
        request.sort(),
        new SourceFilter.Hidden(),
        request.trackTotalHits(),
        request.minScore(),
        request.hits(),
        new PipelineChoice.Without(), // what it does to the request is done
        SearchRequest.Limits.NONE, // within them it was answered whole
        new SearchRequest.Extras(
            extras.searchAfter(),
            extras.aggregations(),
            extras.rescores(),
            /* highlight= */ null,
            extras.collapse(),
            extras.indexBoosts(),
            /* rerankText= */ null,
            SearchRequest.Trace.NONE));
  }

  /**
   * What a key and its answer take in memory; {@link Long#MAX_VALUE} for too much.
   *
   * @param textBytes of the request, as it was sent
   */
  static long bytes(RequestKey key, long textBytes, SearchResponse answer) {
    Weighing weighing = new Weighing();
    weighing.add(BYTES_OF_TEXT_BYTE * textBytes);
    for (RequestKey.Index index : key.indexes()) {
      weighing.add(OBJECT_BYTES + (long) READER_BYTES * index.readers().size());
      weighing.query(index.filter());
    }
    SearchRequest request = key.request();
    weighing.query(request.query());
    weighing.query(request.postFilter());
    weighing.asked(request.extras().aggregations());
    weighing.found(answer.aggregations().results());
    return weighing.bytes;
  }

  private static final class Weighing {
    private long bytes = OBJECT_BYTES;

    private void add(long more) {
      bytes = bytes == Long.MAX_VALUE || more == Long.MAX_VALUE ? Long.MAX_VALUE : bytes + more;
    }

    private void query(@Nullable Query query) {
      if (query == null || bytes == Long.MAX_VALUE) {
        return;
      }
      int chars = QueryWriter.toJson(query, QUERY_CHARS_MAX).length();
      add(chars == QUERY_CHARS_MAX ? Long.MAX_VALUE : (long) BYTES_OF_CHAR * chars);
    }

    private void asked(List<Aggregation.Named> aggregations) {
      for (Aggregation.Named named : aggregations) {
        add(OBJECT_BYTES + named.name().length());
        add(named.meta() == null ? 0 : named.meta().length());
        switch (named.aggregation()) {
          case Aggregation.Filter filter -> query(filter.query());
          case Aggregation.Filters filters ->
              filters
                  .filters()
                  .forEach(
                      each -> {
                        add(OBJECT_BYTES + each.key().length());
                        query(each.query());
                      });
          case Aggregation.Terms terms -> chosen(terms.choice());
          case Aggregation.Range range -> add((long) OBJECT_BYTES * range.ranges().size());
          case Aggregation.GeoDistance distance ->
              add((long) OBJECT_BYTES * distance.ranges().size());
          case Aggregation.Numbers _,
              Aggregation.Cardinality _,
              Aggregation.TopHits _,
              Aggregation.GeoBounds _,
              Aggregation.Histogram _,
              Aggregation.DateHistogram _,
              Aggregation.Missing _,
              Aggregation.Global _ -> {}
        }
        asked(named.aggregation().inner());
      }
    }

    private void chosen(TermChoice choice) {
      if (choice instanceof TermChoice.Chosen(var included, var excluded)) {
        terms(included);
        terms(excluded);
      }
    }

    private void terms(TermChoice.Terms terms) {
      switch (terms) {
        case TermChoice.Everything _, TermChoice.Nothing _ -> {}
        case TermChoice.Listed(List<String> listed) ->
            listed.forEach(term -> add(OBJECT_BYTES + term.length()));
        case TermChoice.Matching(String regexp) -> add(regexp.length());
      }
    }

    private void found(List<Result.Named> results) {
      for (Result.Named named : results) {
        add(OBJECT_BYTES + named.name().length());
        switch (named.result()) {
          case Result.Single single -> found(single.inner());
          case Result.Many many -> many.buckets().forEach(this::bucket);
          case Result.Hits hits -> add((long) OBJECT_BYTES * hits.top().hits().size());
          case Result.Value _, Result.Count _, Result.Stats _, Result.Bounds _ -> {}
        }
      }
    }

    private void bucket(Result.Bucket bucket) {
      add(OBJECT_BYTES);
      switch (bucket.key()) {
        case Result.BucketKey.OfValue(Key key, String text) -> {
          add(key instanceof Key.Term(String term) ? term.length() : 0);
          add(text == null ? 0 : text.length());
        }
        case Result.BucketKey.OfRange range -> add(range.name().length());
        case Result.BucketKey.OfFilter filter -> add(filter.name().length());
      }
      found(bucket.inner());
    }
  }
}
