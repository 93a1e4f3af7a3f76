package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType.Semantic;
import dev.weir.search.query.Query;
import dev.weir.search.request.Collapse;
import dev.weir.search.request.Highlight;
import dev.weir.search.request.SearchRequest;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a request must say for the highlighter {@code semantic} to have something to show. */
final class SemanticHighlights {
  private SemanticHighlights() {}

  /**
   * Checks the fields that are asked for by name; patterns take of each index what there is, and a
   * field that no index has shows nothing.
   *
   * @param request with vectors in the place of texts
   * @throws SearchException with status 400 that names the field and what to do
   */
  static void require(SearchRequest request, OpenIndexes indexes) {
    require(request.extras().highlight(), request.query(), indexes);
    Collapse collapse = request.extras().collapse();
    if (collapse != null) {
      collapse
          .innerHits()
          .forEach(group -> require(group.wanted().extras().highlight(), request.query(), indexes));
    }
  }

  private static void require(@Nullable Highlight asked, Query whole, OpenIndexes indexes) {
    if (asked == null) {
      return;
    }
    for (Highlight.Field field : asked.fields()) {
      if (field.options().type() == Highlight.Type.SEMANTIC && field.isName()) {
        Query own = field.options().query();
        require(field.pattern(), own == null ? whole : own, indexes);
      }
    }
  }

  private static void require(String field, Query query, OpenIndexes indexes) {
    Optional<Semantic> semantic = indexes.semantic(field);
    if (semantic.isEmpty()) {
      indexes
          .typeName(field)
          .ifPresent(
              type -> {
                throw SearchException.illegalArgument(
                    "[highlight] of type [semantic] shows fields of type [semantic], and ["
                        + field
                        + "] is of type ["
                        + type
                        + "]; use [unified] or [plain] for it");
              });
      return;
    }
    if (HighlightQueries.vectors(query, semantic.get().vectorPath(field)).isEmpty()) {
      throw SearchException.illegalArgument(
          "[highlight] of type [semantic] shows what is nearest to a [neural] query, and there is"
              + " none on the field ["
              + field
              + "]; add one to the query or to [highlight_query], or use [unified] or [plain] for"
              + " the words");
    }
  }

  /** The extras of a request with the queries of such highlights rewritten. */
  static SearchRequest.Extras rewritten(
      SearchRequest.Extras extras, UnaryOperator<Query> rewriting) {
    SearchRequest.Extras changed = extras;
    Highlight highlight = extras.highlight();
    if (highlight != null) {
      changed = changed.withHighlight(highlight.withQueriesOfMeaning(rewriting));
    }
    Collapse collapse = extras.collapse();
    if (collapse != null) {
      changed =
          changed.withCollapse(
              new Collapse(
                  collapse.field(),
                  collapse.innerHits().stream()
                      .map(group -> rewritten(group, rewriting))
                      .toList()));
    }
    return changed;
  }

  private static Collapse.GroupHits rewritten(
      Collapse.GroupHits group, UnaryOperator<Query> rewriting) {
    SearchRequest wanted = group.wanted();
    return new Collapse.GroupHits(
        group.name(), wanted.withExtras(rewritten(wanted.extras(), rewriting)));
  }
}
