package dev.weir.search.execute;

import dev.weir.search.deadline.OutOfTimeException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.query.InnerHits;
import dev.weir.search.query.NestedOptions;
import dev.weir.search.query.OuterFilters;
import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.Leaf;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.Requirements;
import dev.weir.search.query.VectorSearch.Knn;
import dev.weir.search.request.InnerHitsRequest;
import dev.weir.search.request.NestedSort;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.shard.NestedLevels;
import dev.weir.search.vector.Blocks;
import dev.weir.search.vector.DocsBelow;
import dev.weir.search.vector.SharedFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.search.join.ToParentBlockJoinQuery;
import org.jspecify.annotations.Nullable;

/**
 * What nested documents change in the translation of a query: knows which documents the part is
 * asked of that is being translated, and joins them to those around them and back. Used by one
 * thread, for one request.
 */
final class NestedTranslation {
  private final ShardContext shard;
  private final SharedFilters filters;
  private final Function<dev.weir.search.query.Query, Query> translation;
  private final Function<dev.weir.search.query.Query, Query> ofFilters;
  private final List<InnerHitsPlan> ofWhole = new ArrayList<>();
  private List<InnerHitsPlan> innerHits = ofWhole; // of the documents that are asked now
  private Place place = Place.WHOLE;

  /** What documents of a level, those around or the very ones, must match where that was said. */
  private record Around(@Nullable String path, SharedFilter filter) {}

  /**
   * Where the translation stands.
   *
   * @param around what is required of the documents around, from the outermost, and of the very
   *     ones
   */
  private record Place(Level level, List<Around> around) {
    static final Place WHOLE = new Place(Level.WHOLE, List.of());

    Place within(String path, @Nullable SharedFilter filter) {
      List<Around> all = new ArrayList<>(around);
      if (filter != null) {
        all.add(new Around(level.path(), filter));
      }
      return new Place(Level.of(path), List.copyOf(all));
    }
  }

  /** A query in filter position, with all that its documents depend on. */
  private record Filter(Place place, dev.weir.search.query.Query query) {}

  /** The nested documents among which vector searches of one kind choose. */
  private record Candidates(Place place, dev.weir.search.query.@Nullable Query own) {}

  /** The documents of a level that match a leaf. */
  private record OfLevel(@Nullable String path, dev.weir.search.query.Query query) {}

  /**
   * A translation that stands at whole documents.
   *
   * @param translation of queries that are scored
   * @param ofFilters of queries of which only the documents count
   */
  NestedTranslation(
      ShardContext shard,
      SharedFilters filters,
      Function<dev.weir.search.query.Query, Query> translation,
      Function<dev.weir.search.query.Query, Query> ofFilters) {
    this.shard = shard;
    this.ofFilters = ofFilters;
    this.filters = filters;
    this.translation = translation;
  }

  /** What hits show of their nested documents, so far. */
  List<InnerHitsPlan> innerHits() {
    return List.copyOf(ofWhole);
  }

  /** A query of which only the documents count; evaluated once where it stands in many places. */
  Query filter(dev.weir.search.query.Query query) {
    return filters.isWorthSharing(place.level, query) ? shared(query) : ofFilters.apply(query);
  }

  private SharedFilter shared(dev.weir.search.query.Query query) {
    return filters.known(
        new Filter(place, query), place.level.path(), () -> ofFilters.apply(query));
  }

  // -- clauses

  /** Translates the clauses of a {@code bool}. */
  interface Clauses {
    Query of(
        dev.weir.search.query.Query clause,
        Function<dev.weir.search.query.Query, Query> translation);
  }

  /**
   * How the clauses of a {@code bool} are translated: where it is asked of nested documents, vector
   * searches in it choose among those that match what it requires.
   */
  Clauses clauses(Bool bool) {
    if (place.level.path() == null || !Requirements.hasVectorSearch(bool)) {
      return (clause, work) -> work.apply(clause);
    }
    List<Around> all = new ArrayList<>(place.around);
    Requirements.filters(bool).forEach(each -> all.add(required(shared(each))));
    Requirements.scored(bool).forEach(each -> all.add(required(shared(each))));
    Place chosen = new Place(place.level, List.copyOf(all));
    return (clause, work) ->
        Requirements.hasVectorSearch(clause)
            ? at(chosen, () -> work.apply(clause))
            : work.apply(clause);
  }

  private Around required(SharedFilter filter) {
    return new Around(place.level.path(), filter);
  }

  // -- nested queries

  /**
   * The documents that have nested ones which match.
   *
   * @throws IllegalArgumentException if the query does not fit the mapping, with a message for the
   *     user
   */
  Query nested(Nested nested) {
    if (place.level.sight() == Level.Sight.UPWARDS) {
      return ofWhole(nested); // below a whole document, whatever is around this query
    }
    if (!shard.mapping().nestedPaths().contains(nested.path())) {
      if (nested.options().ignoreUnmapped()) {
        return new MatchNoDocsQuery("nested field " + nested.path() + " is unmapped");
      }
      throw new IllegalArgumentException(
          "[nested] failed to find nested object under path [" + nested.path() + "]");
    }
    String outer = place.level.path();
    if (outer != null && !nested.path().startsWith(outer + ".")) {
      throw new IllegalArgumentException(
          "[nested] path ["
              + nested.path()
              + "] is not inside of the path ["
              + outer
              + "] of the [nested] query around it; put the two beside each other");
    }
    dev.weir.search.query.Query filter = nested.filter();
    SharedFilter around = filter == null ? null : shared(filter);
    Query children = children(nested, place.within(nested.path(), around));
    Query join =
        new ParentJoin(
            new ToParentBlockJoinQuery(
                children, shard.levels().at(outer), scoreMode(nested.options().scoreMode())));
    return around == null
        ? join
        : new BooleanQuery.Builder().add(join, Occur.MUST).add(around, Occur.FILTER).build();
  }

  // -- sorts

  /**
   * The nested documents that have what whole documents are sorted by.
   *
   * @throws IllegalArgumentException if the index has no such nested field
   */
  CombinedValues.Nested sortedBy(NestedSort sort) {
    Query children;
    try {
      children = at(Place.WHOLE, () -> sorting(sort));
    } catch (OutOfTimeException _) {
      children = new MatchNoDocsQuery("out of time"); // nothing is sorted any more
    }
    return new CombinedValues.Nested(
        shard.levels().at(null),
        new QueryBitSetProducer(rewritten(children)),
        sort.innermost().childrenMax());
  }

  private Query sorting(NestedSort sort) {
    if (!shard.mapping().nestedPaths().contains(sort.path())) {
      throw new IllegalArgumentException(
          "[nested] failed to find nested object under path [" + sort.path() + "] of [sort]");
    }
    dev.weir.search.query.Query filter = sort.filter();
    return at(
        place.within(sort.path(), null),
        () -> {
          Query all = filter == null ? MatchAllDocsQuery.INSTANCE : translation.apply(filter);
          Query own = restricted(all, sort.path());
          NestedSort below = sort.below();
          if (below == null) {
            return own;
          }
          SharedFilter around = filters.known(sort, sort.path(), () -> own);
          return new BooleanQuery.Builder()
              .add(sorting(below), Occur.MUST)
              .add(new DocsBelow(around, shard.levels().at(sort.path())), Occur.FILTER)
              .build();
        });
  }

  // -- children

  private Query children(Nested nested, Place inside) {
    InnerHits wanted = nested.options().innerHits();
    if (wanted == null) {
      return restricted(at(inside, () -> translation.apply(nested.query())), nested.path());
    }
    List<InnerHitsPlan> outer = innerHits;
    List<InnerHitsPlan> below = new ArrayList<>();
    innerHits = below;
    Query query;
    try {
      query = restricted(at(inside, () -> translation.apply(nested.query())), nested.path());
    } finally {
      innerHits = outer;
    }
    Query rewritten = rewritten(query);
    if (isKnown(nested, outer)) {
      return rewritten;
    }
    String name = wanted.name() == null ? nested.path() : wanted.name();
    SearchRequest request = InnerHitsRequest.of(wanted).withQuery(nested.query());
    InnerHitsPlan.requireWithin(shard.innerHitsMax(), name, request);
    InnerHitsPlan.requireNoChunks(name, request);
    if (outer.stream().anyMatch(plan -> plan.name().equals(name))) {
      throw new IllegalArgumentException(
          "[inner_hits] already contains an entry for key [" + name + "]; give each a [name]");
    }
    outer.add(
        new InnerHitsPlan(
            name,
            nested,
            place.level.path(),
            rewritten,
            request,
            QueryNames.isAnyIn(nested.query()),
            below));
    return rewritten;
  }

  /**
   * Whether a clause was translated already, with all that its hits show. What a query requires is
   * given to the vector searches beside it, and one common filter to many queries: each time it is
   * the very instance, so that two clauses of a request that say the same are still two.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isKnown(Nested nested, List<InnerHitsPlan> plans) {
    return plans.stream().anyMatch(plan -> plan.clause() == nested);
  }

  /** Vectors are searched here, once for the hits and for what they show. */
  private Query rewritten(Query query) {
    try {
      return shard.searcher().rewrite(query);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Query restricted(Query query, String path) {
    return new BooleanQuery.Builder()
        .add(query, Occur.MUST)
        .add(NestedLevels.query(path), Occur.FILTER)
        .build();
  }

  private static ScoreMode scoreMode(NestedOptions.ScoreMode mode) {
    return switch (mode) {
      case AVG -> ScoreMode.Avg;
      case SUM -> ScoreMode.Total;
      case MIN -> ScoreMode.Min;
      case MAX -> ScoreMode.Max;
      case NONE -> ScoreMode.None;
    };
  }

  // -- vector searches

  /** Whose documents the part that is being translated is asked of. */
  Level level() {
    return place.level;
  }

  /** Whether a vector search is on fields of the documents that are asked now. */
  boolean isOfAnotherLevel(Knn knn) {
    return place.level.sight() == Level.Sight.UPWARDS
        && !Objects.equals(around(knn.field()), place.level.path());
  }

  /**
   * Refuses a vector search inside {@code nested} on a field that its documents do not have.
   *
   * @throws IllegalArgumentException that names the field and where it is
   */
  void requireReachable(Knn knn) {
    String asked = place.level.path();
    String at = around(knn.field());
    if (asked != null
        && place.level.sight() == Level.Sight.OWN
        && shard.mapping().field(knn.field()).isPresent()
        && !asked.equals(at)) {
      throw new IllegalArgumentException(
          "[knn] inside [nested] of path ["
              + asked
              + "] is on field ["
              + knn.field()
              + "], which belongs to "
              + (at == null ? "the whole document" : "path [" + at + "]"));
    }
  }

  /** What a vector search chooses among; null for all documents. */
  @Nullable SharedFilter candidates(Knn knn) {
    dev.weir.search.query.Query own = knn.filter();
    String path = place.level.path();
    if (path == null && place.around.isEmpty()) {
      return own == null ? null : shared(own);
    }
    List<Around> around =
        knn.outerFilters() == OuterFilters.INSIDE ? place.around : List.<Around>of();
    if (own == null && around.isEmpty()) {
      return null;
    }
    Place inside = new Place(place.level.ofVectorFilter(), around);
    return filters.known(
        new Candidates(inside, own),
        path,
        () -> {
          BooleanQuery.Builder all = new BooleanQuery.Builder();
          if (own != null) {
            all.add(at(inside, () -> ofFilters.apply(own)), Occur.FILTER);
          }
          around.forEach(each -> all.add(below(each, path), Occur.FILTER));
          return all.build();
        });
  }

  private Query below(Around around, @Nullable String path) {
    return Objects.equals(path, around.path)
        ? around.filter
        : new DocsBelow(around.filter, shard.levels().at(around.path));
  }

  /**
   * How the documents of a vector search count; null for whole ones.
   *
   * @throws IllegalArgumentException if the query asks for nested documents where there are none
   */
  @Nullable Blocks blocks(Knn knn) {
    boolean isNested = place.level.path() != null;
    Blocks.Given given =
        switch (knn.options().nestedDocs()) {
          case BEST -> Blocks.Given.BEST;
          case ALL -> {
            if (!isNested) {
              throw new IllegalArgumentException(
                  "[knn] [expand_nested_docs] is for use inside [nested]");
            }
            yield Blocks.Given.ALL;
          }
        };
    return isNested ? new Blocks(shard.levels().at(null), given) : null;
  }

  // -- leaves

  /** What matches a leaf, also through the fields of the documents around where they show. */
  Query leaf(Leaf leaf, Query plain) {
    String own = place.level.path();
    if (place.level.sight() == Level.Sight.OWN || own == null) {
      return plain;
    }
    LeafFields fields = LeafFields.of(leaf);
    List<Query> any = new ArrayList<>();
    for (String path = own; path != null; path = around(path)) {
      if (holds(fields, path)) {
        any.add(path.equals(own) ? plain : below(leaf, plain, path));
      }
    }
    if (holds(fields, null)) {
      any.add(below(leaf, plain, null));
    }
    return ValueQueries.anyOf(any);
  }

  /** Whether the documents of a level can have the fields that a leaf asks of. */
  private boolean holds(LeafFields fields, @Nullable String path) {
    return switch (fields) {
      case LeafFields.OfAnyDocument() -> Objects.equals(path, place.level.path());
      case LeafFields.Several() -> true;
      case LeafFields.One(String field) ->
          switch (shard.mapping().type(field).orElse(null)) {
            case FieldType.Leaf _, FieldType.Semantic _ ->
                Objects.equals(path, around(field))
                    || (Objects.equals(path, place.level.path())
                        && shard.mapping().isOf(path, field)); // a copy from below
            case FieldType.ObjectType _, FieldType.Nested _ -> true;
            case null -> Objects.equals(path, place.level.path());
          };
    };
  }

  private @Nullable String around(String path) {
    return shard.mapping().nestedAround(path).orElse(null);
  }

  private Query below(Leaf leaf, Query plain, @Nullable String path) {
    SharedFilter matching = filters.known(new OfLevel(path, leaf), path, () -> plain);
    return new DocsBelow(matching, shard.levels().at(path));
  }

  // -- places

  /**
   * What is below the whole documents that match a query. Vector searches in it choose among those
   * that whole documents are required to be here.
   */
  Query ofWhole(dev.weir.search.query.Query query) {
    List<InnerHitsPlan> outer = innerHits;
    innerHits = ofWhole;
    try {
      SharedFilter matching = at(around(query), () -> shared(query));
      return new DocsBelow(matching, shard.levels().at(null));
    } finally {
      innerHits = outer;
    }
  }

  /** Whole documents; what is required of them matters to vector searches alone. */
  private Place around(dev.weir.search.query.Query query) {
    return Requirements.hasVectorSearch(query)
        ? new Place(Level.WHOLE, place.around.stream().filter(each -> each.path == null).toList())
        : Place.WHOLE;
  }

  private <T> T at(Place inside, Supplier<T> work) {
    Place outer = place;
    place = inside;
    try {
      return work.get();
    } finally {
      place = outer;
    }
  }
}
