package dev.weir.search.query;

import dev.weir.search.query.Query.Bool;
import dev.weir.search.query.Query.ConstantScore;
import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.VectorLeg.Restriction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells of a tree that is ready to be carried out where the filters of its vector searches came
 * from. Pushing down keeps no record, and changes no filter on its way: it puts the very instance
 * that was asked for into each search. So a filter is known again by its identity, after the fact,
 * and a search that nobody wants explained pays nothing. What nobody has put there is the search's
 * own. Immutable.
 */
public final class FilterOrigins {
  private final IdentityHashMap<Query, FilterOrigin> originByFilter;

  /** Knows only what is in the tree. */
  public FilterOrigins() {
    this(new IdentityHashMap<>());
  }

  private FilterOrigins(IdentityHashMap<Query, FilterOrigin> originByFilter) {
    this.originByFilter = originByFilter;
  }

  /**
   * Knows these filters too.
   *
   * @param filters the instances that were given to {@link Query#filteredBy}
   */
  public FilterOrigins and(FilterOrigin origin, List<Query> filters) {
    if (filters.isEmpty()) {
      return this;
    }
    IdentityHashMap<Query, FilterOrigin> more = new IdentityHashMap<>(originByFilter);
    filters.forEach(filter -> more.putIfAbsent(filter, origin));
    return new FilterOrigins(more);
  }

  /** The vector searches of a tree, those in filters of vector searches too, in its order. */
  public List<VectorLeg> legs(Query tree) {
    List<VectorLeg> legs = new ArrayList<>();
    walk(tree, Place.OUTERMOST, legs);
    return legs;
  }

  /** One vector search by itself, as if nothing were around it. */
  public VectorLeg alone(VectorSearch search) {
    return leg(search, Place.OUTERMOST);
  }

  /**
   * What is around a part of the tree.
   *
   * @param path of the nested documents that are asked; null for whole ones
   * @param around clauses that the documents of the part must match as well
   * @param outer those of them that nested vector searches are given from outside
   * @param beside what nested documents must match, which vector searches are given when the query
   *     is translated
   */
  private record Place(
      @Nullable String path,
      List<Restriction> around,
      List<Query> outer,
      List<Restriction> beside) {
    static final Place OUTERMOST = new Place(null, List.of(), List.of(), List.of());

    Place with(List<Restriction> required, List<Restriction> excluded) {
      return path == null
          ? new Place(path, joined(joined(around, required), excluded), outer, beside)
          : new Place(path, joined(around, excluded), outer, joined(beside, required));
    }

    private static List<Restriction> joined(List<Restriction> some, List<Restriction> more) {
      List<Restriction> all = new ArrayList<>(some);
      all.addAll(more);
      return all;
    }
  }

  private void walk(Query query, Place place, List<VectorLeg> into) {
    if (!Inner.hasVectorSearch(query)) {
      return;
    }
    switch (query) {
      case VectorSearch search -> {
        into.add(leg(search, place));
        Query own = search.filter();
        if (own != null) {
          walk(own, new Place(place.path, List.of(), place.outer, List.of()), into);
        }
      }
      case Nested nested -> {
        List<Query> outer = new ArrayList<>(place.outer);
        Query filter = nested.filter();
        if (filter != null) {
          outer.add(filter);
        }
        walk(nested.query(), new Place(nested.path(), place.around, outer, place.beside), into);
        if (filter != null) {
          walk(filter, place, into);
        }
      }
      case Bool bool -> ofBool(bool, place, into);
      case Query.Leaf _,
          ConstantScore _,
          Query.DisMax _,
          Query.Boosting _,
          Query.FunctionScore _,
          Query.ScriptScore _,
          Query.Hybrid _ ->
          Inner.of(query).forEach(inner -> walk(inner, place, into));
    }
  }

  private void ofBool(Bool bool, Place place, List<VectorLeg> into) {
    List<Restriction> required = new ArrayList<>();
    add(bool.filter(), FilterOrigin.BOOL_FILTER, required);
    add(bool.must(), FilterOrigin.BOOL_MUST, required);
    List<Restriction> excluded = new ArrayList<>();
    add(bool.mustNot(), FilterOrigin.BOOL_MUST_NOT, excluded);
    Place inside = place.with(required, excluded);
    Inner.of(bool).forEach(inner -> walk(inner, inside, into));
  }

  /** A clause that holds a vector search restricts too, but no other search can be told how. */
  private void add(List<Query> clauses, FilterOrigin origin, List<Restriction> into) {
    for (Query clause : clauses) {
      if (!Inner.hasVectorSearch(clause)) {
        into.add(Restriction.of(originByFilter.getOrDefault(clause, origin), clause));
      }
    }
  }

  private VectorLeg leg(VectorSearch search, Place place) {
    IdentityHashMap<Query, FilterOrigin> known = new IdentityHashMap<>(originByFilter);
    for (Restriction each : place.around) {
      known.putIfAbsent(each.query(), each.origins().getFirst());
    }
    IdentityHashMap<Query, FilterOrigin> pieces = new IdentityHashMap<>();
    known.forEach((filter, origin) -> addPieces(filter, origin, pieces));
    Parts parts = new Parts(known, pieces, new ArrayList<>());
    Query own = search.filter();
    if (own != null) {
      parts.of(own, FilterOrigin.OWN);
    }
    List<Restriction> after = new ArrayList<>();
    Parts ofOuter =
        search.outerFilters() == OuterFilters.INSIDE ? parts : new Parts(known, pieces, after);
    place.outer.forEach(outer -> ofOuter.of(outer, FilterOrigin.NESTED));
    ofOuter.into.addAll(place.beside);
    Set<Query> holding = new HashSet<>();
    parts.into.forEach(part -> OwnFilters.conjuncts(part.query(), holding));
    after.forEach(part -> OwnFilters.conjuncts(part.query(), holding));
    for (Restriction each : place.around) {
      boolean isExclusion = each.origins().getFirst() == FilterOrigin.BOOL_MUST_NOT;
      if (isExclusion || !Holding.holds(each.query(), holding)) {
        after.add(each);
      }
    }
    return new VectorLeg(search, place.path, parts.into, after);
  }

  /** What is left of a filter when another one was put into it: a new query around its pieces. */
  private static void addPieces(
      Query filter, FilterOrigin origin, IdentityHashMap<Query, FilterOrigin> into) {
    switch (filter) {
      case Bool bool -> Inner.of(bool).forEach(clause -> into.putIfAbsent(clause, origin));
      case ConstantScore constant -> {
        into.putIfAbsent(constant.query(), origin);
        addPieces(constant.query(), origin, into);
      }
      case Query.Leaf _,
          VectorSearch _,
          Nested _,
          Query.DisMax _,
          Query.Boosting _,
          Query.FunctionScore _,
          Query.ScriptScore _,
          Query.Hybrid _ -> {}
    }
  }

  /** Takes a filter apart into what each of its makers has asked for. */
  private record Parts(
      IdentityHashMap<Query, FilterOrigin> known,
      IdentityHashMap<Query, FilterOrigin> pieces,
      List<Restriction> into) {

    void of(Query filter, FilterOrigin unknown) {
      FilterOrigin whole = known.get(filter);
      FilterOrigin origin = whole == null ? pieces.get(filter) : whole;
      if (origin != null) {
        into.add(Restriction.of(origin, filter));
      } else if (filter instanceof Bool bool && hasKnownClause(bool)) {
        ofBool(bool, unknown);
      } else if (filter instanceof ConstantScore constant && isJoined(constant.query())) {
        of(constant.query(), unknown); // a filter knows no scores
      } else {
        into.add(whole(filter, unknown));
      }
    }

    private boolean isJoined(Query query) {
      return known.containsKey(query)
          || (query instanceof Bool bool && hasKnownClause(bool))
          || (query instanceof ConstantScore constant && isJoined(constant.query()));
    }

    private boolean hasKnownClause(Bool bool) {
      return bool.must().stream().anyMatch(this::isJoined)
          || bool.filter().stream().anyMatch(this::isJoined);
    }

    /** The clauses that somebody has added, and the rest as it was without them. */
    private void ofBool(Bool bool, FilterOrigin unsaid) {
      FilterOrigin unknown =
          Inner.of(bool)
              .filter(clause -> !known.containsKey(clause) && pieces.containsKey(clause))
              .map(pieces::get)
              .findFirst()
              .orElseGet(() -> originOf(bool, unsaid));
      if (bool.requiredShould() > bool.should().size()) {
        into.add(whole(bool, unknown)); // matches nothing, which its clauses do not tell
        return;
      }
      List<Query> must = new ArrayList<>(bool.must());
      must.removeIf(this::isJoined);
      List<Query> filter = new ArrayList<>(bool.filter());
      filter.removeIf(this::isJoined);
      List<Query> clauses = new ArrayList<>(must);
      clauses.addAll(filter);
      if (bool.should().isEmpty() && bool.mustNot().isEmpty() && clauses.size() == 1) {
        of(clauses.getFirst(), unknown);
      } else {
        Bool rest =
            new Bool(
                must,
                filter,
                bool.should(),
                bool.mustNot(),
                bool.minimumShouldMatch(),
                bool.boost(),
                bool.name());
        if (!rest.isEmpty()) {
          into.add(whole(rest, unknown));
        }
      }
      bool.must().stream().filter(this::isJoined).forEach(joined -> of(joined, unknown));
      bool.filter().stream().filter(this::isJoined).forEach(joined -> of(joined, unknown));
    }

    /** Of the filter that this was before others were put into it. */
    private FilterOrigin originOf(Bool changed, FilterOrigin unsaid) {
      for (Map.Entry<Query, FilterOrigin> each : known.entrySet()) {
        if (each.getKey() instanceof Bool filter && Holding.isFrom(changed, filter)) {
          return each.getValue();
        }
      }
      return unsaid;
    }

    /** What cannot be taken apart belongs to all who have a part in it. */
    private Restriction whole(Query filter, FilterOrigin unknown) {
      Set<FilterOrigin> all = new LinkedHashSet<>();
      all.add(unknown);
      collect(filter, all);
      return new Restriction(List.copyOf(all), filter);
    }

    private void collect(Query query, Set<FilterOrigin> all) {
      FilterOrigin origin = known.get(query);
      if (origin != null) {
        all.add(origin);
        return;
      }
      switch (query) {
        case VectorSearch search -> {
          Query own = search.filter();
          if (own != null) {
            collect(own, all);
          }
        }
        case Nested nested -> {
          Query own = nested.filter();
          if (own != null) {
            collect(own, all);
          }
          collect(nested.query(), all);
        }
        case Query.Leaf _,
            Bool _,
            ConstantScore _,
            Query.DisMax _,
            Query.Boosting _,
            Query.FunctionScore _,
            Query.ScriptScore _,
            Query.Hybrid _ ->
            Inner.of(query).forEach(inner -> collect(inner, all));
      }
    }
  }
}
