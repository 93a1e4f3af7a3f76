package dev.weir.search.aggregation;

import dev.weir.search.json.JsonReader;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.ShownField;
import dev.weir.search.request.ShownFields;
import dev.weir.search.request.ShownFieldsReader;
import dev.weir.search.request.SortKey;
import dev.weir.search.request.SortReader;
import dev.weir.search.request.SourceFilter;
import dev.weir.search.request.SourceReader;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** The options of a {@code top_hits}, gathered while it is read. Used once, by one thread. */
final class TopHitsOptions {
  /** The names of the options. */
  static final Set<String> KNOWN =
      Set.of(
          "from",
          "size",
          "sort",
          "_source",
          "fields",
          "docvalue_fields",
          "stored_fields",
          "explain",
          "version",
          "seq_no_primary_term",
          "track_scores");

  private static final String TYPE = "top_hits";

  /** Hits that each bucket may have to keep. */
  private static final int HITS_MAX = 10_000;

  private static final int SIZE_DEFAULT = 3;

  private final JsonReader in;
  private final IntUnaryOperator notNegative;
  private int from;
  private int size = SIZE_DEFAULT;
  private List<SortKey> sort = List.of();
  private SourceFilter source = SourceFilter.ALL;
  private boolean isSourceStored = true;
  private boolean isSourceAsked;
  private List<ShownField> fields = List.of();
  private List<ShownField> docValueFields = List.of();
  private boolean explain;
  private boolean version;
  private boolean seqNoPrimaryTerm;
  private boolean trackScores;

  /** Options that {@code in} reads; {@code notNegative} refuses a number below 0. */
  TopHitsOptions(JsonReader in, IntUnaryOperator notNegative) {
    this.in = in;
    this.notNegative = notNegative;
  }

  /** Reads the value of an option that is {@link #KNOWN}. */
  void read(String key) {
    switch (key) {
      case "from" -> from = notNegative.applyAsInt(in.integer(TYPE));
      case "size" -> size = notNegative.applyAsInt(in.integer(TYPE));
      case "sort" -> sort = new SortReader(in).read();
      case "_source" -> {
        source = SourceReader.read(in, TYPE);
        isSourceAsked = true;
      }
      case "stored_fields" -> isSourceStored = in.texts(TYPE).contains("_source");
      case "fields" -> fields = ShownFieldsReader.fields(in);
      case "docvalue_fields" -> docValueFields = ShownFieldsReader.docValueFields(in);
      case "explain" -> explain = in.flag(TYPE);
      case "version" -> version = in.flag(TYPE);
      case "seq_no_primary_term" -> seqNoPrimaryTerm = in.flag(TYPE);
      case "track_scores" -> trackScores = in.flag(TYPE);
      default -> throw new AssertionError("option without a reader: " + key);
    }
  }

  /** What the options say together. */
  Aggregation.TopHits aggregation() {
    if ((long) from + size > HITS_MAX) {
      throw in.illegalArgument(
          "[from] + [size] of [top_hits] must be at most "
              + HITS_MAX
              + ", got "
              + ((long) from + size));
    }
    return new Aggregation.TopHits(
        new SearchRequest.Page(from, size),
        sort,
        isSourceStored || isSourceAsked ? source : new SourceFilter.Hidden(),
        new SearchRequest.HitOptions(
            explain,
            version,
            seqNoPrimaryTerm,
            trackScores,
            new ShownFields(fields, docValueFields)));
  }
}
