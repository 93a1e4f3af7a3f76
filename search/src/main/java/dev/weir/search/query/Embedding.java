package dev.weir.search.query;

import dev.weir.search.query.Query.Nested;
import dev.weir.search.query.VectorSearch.Neural;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts vectors in the place of texts: what becomes of the {@code neural} queries of a tree. */
@SuppressWarnings("ReferenceEquality") // "nothing changed" is the same instance, by contract
public final class Embedding {

  private Embedding() {}

  /**
   * The query with each of its {@code neural} queries replaced, at any depth and in the filters of
   * vector and nested searches too; the same instance if there is none.
   *
   * @param replacement called once for each, with its own filter done already
   */
  public static Query of(Query query, Function<Neural, ? extends Query> replacement) {
    if (query instanceof VectorSearch search) {
      Query filter = filter(search.filter(), replacement);
      VectorSearch changed = filter == search.filter() ? search : search.withFilter(filter);
      return changed instanceof Neural neural ? replacement.apply(neural) : changed;
    }
    if (query instanceof Nested nested) {
      Query filter = filter(nested.filter(), replacement);
      Query inner = of(nested.query(), replacement);
      return filter == nested.filter() && inner == nested.query()
          ? nested
          : new Nested(
              nested.path(), inner, filter, nested.options(), nested.boost(), nested.name());
    }
    return Inner.changed(query, inner -> of(inner, replacement));
  }

  private static @Nullable Query filter(
      @Nullable Query filter, Function<Neural, ? extends Query> replacement) {
    return filter == null ? null : of(filter, replacement);
  }
}
