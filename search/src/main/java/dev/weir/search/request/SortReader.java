package dev.weir.search.request;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Literal;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads the keys of {@code sort}: names, {@code {name: order}} and {@code {name: {options}}}. */
public final class SortReader {

  private static final String SORT = "sort";

  /** A mapping has no more levels than this. */
  private static final int NESTED_LEVELS_MAX = 20;

  private static final KnownNames OF_FIELD =
      KnownNames.of("order", "missing", "mode", "unmapped_type", "format", "nested");
  private static final KnownNames OF_SCORE = KnownNames.of("order");
  private static final KnownNames OF_NESTED =
      KnownNames.of("path", "filter", "max_children", "nested");

  private final JsonReader in;
  private int levels; // of nested that are being read

  /** A reader for the value where {@code in} stands. */
  public SortReader(JsonReader in) {
    this.in = in;
  }

  /** Reads the keys, most important first. */
  public List<SortKey> read() {
    List<SortKey> keys = new ArrayList<>();
    if (!in.at(JsonToken.START_ARRAY)) {
      addTo(keys);
      return keys;
    }
    while (in.next() != JsonToken.END_ARRAY) {
      addTo(keys);
    }
    return keys;
  }

  private void addTo(List<SortKey> keys) {
    if (!in.at(JsonToken.START_OBJECT)) {
      keys.add(key(in.text(SORT), null));
      return;
    }
    while (in.nextKey()) {
      String name = in.key();
      if (name.equals(DistanceSortReader.NAME)) {
        keys.add(new DistanceSortReader(in).read());
        continue;
      }
      keys.add(in.at(JsonToken.START_OBJECT) ? withOptions(name) : key(name, order(in.text(SORT))));
    }
  }

  /** A key of which at most the order is said. */
  static SortKey key(String name, @Nullable SortOrder said) {
    return switch (name) {
      case "_score" -> new SortKey.Score(said == null ? SortOrder.DESCENDING : said);
      case "_doc" -> new SortKey.IndexOrder(said == null ? SortOrder.ASCENDING : said);
      case DistanceSortReader.NAME ->
          throw new IllegalArgumentException(
              "[sort] by [_geo_distance] must be an object that names a field and a point");
      default -> SortKey.Field.of(name, said == null ? SortOrder.ASCENDING : said);
    };
  }

  static SortOrder order(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "asc" -> SortOrder.ASCENDING;
      case "desc" -> SortOrder.DESCENDING;
      default ->
          throw new IllegalArgumentException(
              "[sort] order must be [asc] or [desc], got [" + name + "]");
    };
  }

  private SortKey withOptions(String name) {
    boolean ofField = !name.equals("_score") && !name.equals("_doc");
    SortOrder order = null;
    SortKey.Missing missing = new SortKey.Missing.Last();
    SortMode mode = null;
    String unmappedType = null;
    String format = null;
    NestedSort nested = null;
    while (in.nextKey()) {
      String option = in.key();
      if (option.equals("order")) {
        order = order(in.text(SORT));
      } else if (!ofField) {
        throw unsupported(name, OF_SCORE);
      } else {
        switch (option) {
          case "missing" -> missing = missing();
          case "mode" -> mode = mode(in.text(SORT));
          case "unmapped_type" -> unmappedType = in.textOrNull(SORT);
          case "format" -> format = in.textOrNull(SORT);
          case "nested" -> nested = nested();
          default -> throw unsupported(name, OF_FIELD);
        }
      }
    }
    return ofField
        ? new SortKey.Field(
            name,
            order == null ? SortOrder.ASCENDING : order,
            missing,
            mode,
            unmappedType,
            format,
            nested)
        : key(name, order);
  }

  private @Nullable NestedSort nested() {
    if (in.at(JsonToken.VALUE_NULL)) {
      return null;
    }
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[nested] of [sort] must be an object, found [" + in.tokenName() + "]");
    }
    if (++levels > NESTED_LEVELS_MAX) {
      throw in.parsing("[nested] of [sort] goes deeper than " + NESTED_LEVELS_MAX + " levels");
    }
    String path = null;
    Query filter = null;
    int childrenMax = 0;
    NestedSort below = null;
    while (in.nextKey()) {
      switch (in.key()) {
        case "path" -> path = in.text(SORT);
        case "filter" ->
            filter = QueryParser.DEFAULT.parseFilter(in, "[sort] by [nested]'s [filter]");
        case "max_children" -> childrenMax = in.integer(SORT);
        case "nested" -> below = nested();
        default ->
            throw in.parsing(
                "[nested] of [sort] does not support ["
                    + in.key()
                    + "]"
                    + OF_NESTED.hint(in.key()));
      }
    }
    if (path == null) {
      throw in.parsing("[nested] of [sort] requires [path]");
    }
    levels--;
    return new NestedSort(path, filter, childrenMax, below);
  }

  private RuntimeException unsupported(String name, KnownNames known) {
    String option = in.key();
    return in.parsing(
        "[sort] by [" + name + "] does not support [" + option + "]" + known.hint(option));
  }

  private SortKey.Missing missing() {
    if (in.tokenName().equals("VALUE_NUMBER")) {
      return new SortKey.Missing.As(new Literal(Literal.Kind.NUMBER, in.text(SORT)));
    }
    String text = in.text(SORT);
    return switch (text) {
      case "_last" -> new SortKey.Missing.Last();
      case "_first" -> new SortKey.Missing.First();
      default -> new SortKey.Missing.As(Literal.of(text));
    };
  }

  static SortMode mode(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "min" -> SortMode.MIN;
      case "max" -> SortMode.MAX;
      case "sum" -> SortMode.SUM;
      case "avg" -> SortMode.AVG;
      case "median" -> SortMode.MEDIAN;
      default -> throw new IllegalArgumentException("Unknown SortMode [" + name + "]");
    };
  }
}
