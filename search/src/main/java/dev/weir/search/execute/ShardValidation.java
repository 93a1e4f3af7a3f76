package dev.weir.search.execute;

import dev.weir.search.error.SearchException;
import dev.weir.search.query.FilterMode;
import dev.weir.search.query.Query;
import org.apache.lucene.search.IndexSearcher;

/** What a query means on a shard: as it is carried out there, and what Lucene is asked for. */
final class ShardValidation {
  private ShardValidation() {}

  /** Of the shard that stands for its index; a refusal is what it says. */
  static ValidationResponse.Explanation of(ShardRef ref, SearchPlan plan) {
    String index = ref.index().view().index();
    Query query = plan.request().query().filteredBy(ref.index().filter(), FilterMode.AND);
    try {
      ref.index().requireAllowed(query);
      SharedFilters filters =
          new SharedFilters(
              ShardSearch.filterSearcher(ref, plan),
              ref.index().view().levels(),
              plan.filterMemory(),
              query);
      var lucene = new QueryTranslator(ShardSearch.context(ref, plan), filters).translate(query);
      return new ValidationResponse.Explanation(index, ShownQuery.of(query, lucene), null);
    } catch (SearchException e) {
      return new ValidationResponse.Explanation(index, null, e.error().reason());
    } catch (IndexSearcher.TooManyClauses _) {
      return new ValidationResponse.Explanation(index, null, ShardRuns.tooManyClauses().reason());
    }
  }
}
