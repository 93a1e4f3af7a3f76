package dev.weir.search.query;

import dev.weir.search.query.Query.Bool;
import java.util.List;

/** What a {@code bool} requires of each of its documents, and which queries it can be given to. */
public final class Requirements {

  private Requirements() {}

  /** Whether the query is a vector search or has one somewhere inside. */
  public static boolean hasVectorSearch(Query query) {
    return Inner.hasVectorSearch(query);
  }

  /** The clauses that filter and hold no vector search. */
  public static List<Query> filters(Bool bool) {
    return withoutVectorSearch(bool.filter());
  }

  /** The clauses that must match, are scored, and hold no vector search. */
  public static List<Query> scored(Bool bool) {
    return withoutVectorSearch(bool.must());
  }

  private static List<Query> withoutVectorSearch(List<Query> clauses) {
    return clauses.stream().filter(clause -> !Inner.hasVectorSearch(clause)).toList();
  }
}
