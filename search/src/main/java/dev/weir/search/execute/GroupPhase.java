package dev.weir.search.execute;

import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.request.Collapse;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes what the hits of a collapsed page show of their groups. One object a page, one thread.
 *
 * <p>A group is what the query and the post filter of the request match of it, on all shards; of a
 * {@code hybrid}, what any of its queries matches, with the sum of their scores as they are before
 * normalisation.
 */
final class GroupPhase {
  private final List<ShardAnswer> answers;
  private final AnswerBudget budget;

  GroupPhase(List<ShardAnswer> answers, AnswerBudget budget) {
    this.answers = answers;
    this.budget = budget;
  }

  /**
   * The hits, with the value of the field and the inner hits that were asked for.
   *
   * @param groups the group of the hit at the same place
   */
  List<Hit> shown(Collapse collapse, List<Hit> hits, List<SortValue> groups) throws IOException {
    Set<SortValue> all = new HashSet<>(groups);
    List<Map<String, InnerHitsResult>> members = new ArrayList<>();
    groups.forEach(_ -> members.add(new HashMap<>()));
    if (!all.isEmpty()) {
      for (Collapse.GroupHits asked : collapse.innerHits()) {
        Map<SortValue, Members> found = found(asked.wanted(), all);
        for (int i = 0; i < groups.size(); i++) {
          Members of = found.getOrDefault(groups.get(i), Members.NONE);
          members.get(i).put(asked.name(), result(asked.wanted(), of));
        }
      }
    }
    List<Hit> shown = new ArrayList<>(hits.size());
    for (int i = 0; i < hits.size(); i++) {
      shown.add(hits.get(i).ofGroup(collapse.field(), groups.get(i), members.get(i)));
    }
    return shown;
  }

  /** One group, of all shards. */
  private record Members(TotalHits total, List<ShardHit> hits) {
    static final Members NONE = new Members(TotalHits.NONE, List.of());

    Members with(GroupMembers.Found more) {
      List<ShardHit> both = new ArrayList<>(hits);
      both.addAll(more.hits());
      return new Members(total.plus(more.total()), both);
    }
  }

  private Map<SortValue, Members> found(SearchRequest wanted, Set<SortValue> groups)
      throws IOException {
    Map<SortValue, Members> membersByGroup = new HashMap<>();
    for (ShardAnswer answer : answers) {
      if (answer instanceof ShardAnswer.Found found) {
        new GroupMembers(found.search(), wanted)
            .of(groups)
            .forEach(
                (group, parts) -> {
                  Members members = membersByGroup.getOrDefault(group, Members.NONE);
                  for (GroupMembers.Found part : parts) {
                    members = members.with(part);
                  }
                  membersByGroup.put(group, members);
                });
      }
    }
    return membersByGroup;
  }

  private InnerHitsResult result(SearchRequest wanted, Members members) throws IOException {
    List<ShardHit> ranking = new ArrayList<>(members.hits());
    Ranked.sort(ranking, wanted.sort());
    int from = Math.min(wanted.page().from(), ranking.size());
    int to = Math.min(wanted.page().from() + wanted.page().size(), ranking.size());
    List<Hit> hits =
        HitFetcher.fetch(
            ranking.subList(from, to),
            answers,
            search ->
                HitFetcher.of(
                    search,
                    HitFetcher.Look.ofGroup(wanted, GroupMembers.plan(search, wanted)),
                    null),
            budget);
    return new InnerHitsResult(members.total(), maxScore(wanted, ranking, hits), hits);
  }

  private static @Nullable Float maxScore(
      SearchRequest wanted, List<ShardHit> ranking, List<Hit> hits) {
    boolean counts = SortPlan.isByScore(wanted.sort()) && !hits.isEmpty();
    return counts ? ranking.getFirst().score() : null;
  }
}
