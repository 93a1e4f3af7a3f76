package dev.weir.search.execute;

import dev.weir.search.request.SortValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best document of each of the best groups, and counts all documents. Room is taken for
 * as many groups as are asked for, however many there are. Of one thread.
 *
 * <p>Each group that is kept has a slot of the comparators, in which the sort values of its head
 * are; one slot more is for the document that is looked at. A document that is behind the last
 * group is passed over before its group is looked up, since it can neither begin a group that is
 * kept nor lead one.
 */
final class GroupHeads implements Collector {
  private final SortField[] keys;
  private final FieldComparator<?>[] comparators;
  private final int[] signs; // of the key at the same place: 1 ascending, -1 descending
  private final GroupField field;
  private final int groupsMax;
  private final boolean isAfter;
  private final ScoreMode scoreMode;
  private final Map<SortValue, Head> headByGroup = new HashMap<>();
  private final NavigableSet<Head> ranking = new TreeSet<>(this::compare);
  private int free; // the slot of the document that is looked at
  private long collected;

  /** The best document of a group so far; its slot and document change only out of the ranking. */
  private static final class Head {
    final SortValue group;
    int slot;
    int doc;

    Head(SortValue group, int slot, int doc) {
      this.group = group;
      this.slot = slot;
      this.doc = doc;
    }
  }

  private GroupHeads(Sort sort, int groupsMax, GroupField field, @Nullable FieldDoc after) {
    this.keys = sort.getSort();
    this.field = field;
    this.groupsMax = groupsMax;
    this.isAfter = after != null;
    this.scoreMode = sort.needsScores() ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
    this.comparators = new FieldComparator<?>[keys.length];
    this.signs = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      comparators[i] = keys[i].getComparator(groupsMax + 1, Pruning.NONE);
      signs[i] = keys[i].getReverse() ? -1 : 1;
      if (after != null) {
        setTop(comparators[i], after.fields[i]);
      }
    }
  }

  @SuppressWarnings("unchecked") // the value was made for the key
  private static <T> void setTop(FieldComparator<T> comparator, @Nullable Object value) {
    comparator.setTopValue((T) value);
  }

  /**
   * Searches for the heads of groups.
   *
   * @param groupsMax how many groups; at least 1
   * @param after sort values that all documents are behind; null for all documents
   */
  static CollectorManager<GroupHeads, TopFieldDocs> manager(
      Sort sort, int groupsMax, GroupField field, @Nullable FieldDoc after) {
    return new CollectorManager<>() {
      @Override
      public GroupHeads newCollector() {
        return new GroupHeads(sort, groupsMax, field, after);
      }

      @Override
      public TopFieldDocs reduce(Collection<GroupHeads> parts) {
        TopFieldDocs[] heads = parts.stream().map(GroupHeads::heads).toArray(TopFieldDocs[]::new);
        int all = 0;
        for (TopFieldDocs each : heads) {
          all += each.scoreDocs.length;
        }
        // A group may have a head in several parts: who merges shards drops all but its first.
        return TopDocs.merge(sort, Math.max(1, all), heads);
      }
    };
  }

  @Override
  public ScoreMode scoreMode() {
    return scoreMode;
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
    LeafFieldComparator[] columns = new LeafFieldComparator[comparators.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = comparators[i].getLeafComparator(leaf);
    }
    Segment segment = new Segment(leaf.docBase, columns, field.on(leaf));
    segment.fixBottom();
    return segment;
  }

  private boolean isFull() {
    return ranking.size() == groupsMax;
  }

  private int compare(Head one, Head other) {
    int order = compareSlots(one.slot, other.slot);
    return order != 0 ? order : Integer.compare(one.doc, other.doc);
  }

  private int compareSlots(int one, int other) {
    for (int i = 0; i < comparators.length; i++) {
      int order = signs[i] * comparators[i].compare(one, other);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** Collects the documents of one segment. */
  private final class Segment implements LeafCollector {
    private final int docBase;
    private final LeafFieldComparator[] columns;
    private final GroupField.Groups groups;

    Segment(int docBase, LeafFieldComparator[] columns, GroupField.Groups groups) {
      this.docBase = docBase;
      this.columns = columns;
      this.groups = groups;
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      for (LeafFieldComparator column : columns) {
        column.setScorer(scorer);
      }
    }

    @Override
    public void collect(int doc) throws IOException {
      collected++;
      if ((isAfter && isBefore(doc)) || (isFull() && isBehindLast(doc))) {
        return;
      }
      SortValue group = groups.of(doc);
      for (LeafFieldComparator column : columns) {
        column.copy(free, doc);
      }
      Head head = headByGroup.get(group);
      if (head != null) {
        lead(head, docBase + doc);
      } else if (!isFull()) {
        head = new Head(group, free, docBase + doc);
        free = ranking.size() + 1;
        headByGroup.put(group, head);
        ranking.add(head);
      } else {
        Head last = ranking.pollLast();
        headByGroup.remove(last.group);
        head = new Head(group, free, docBase + doc);
        free = last.slot;
        headByGroup.put(group, head);
        ranking.add(head);
      }
      fixBottom();
    }

    /** Makes the document that is looked at the head of its group, if it is better. */
    private void lead(Head head, int doc) {
      int order = compareSlots(free, head.slot);
      if (order > 0 || (order == 0 && doc >= head.doc)) {
        return;
      }
      ranking.remove(head);
      int slot = head.slot;
      head.slot = free;
      head.doc = doc;
      free = slot;
      ranking.add(head);
    }

    private boolean isBefore(int doc) throws IOException {
      for (int i = 0; i < columns.length; i++) {
        int order = signs[i] * columns[i].compareTop(doc);
        if (order != 0) {
          return order > 0;
        }
      }
      return true;
    }

    private boolean isBehindLast(int doc) throws IOException {
      for (int i = 0; i < columns.length; i++) {
        int order = signs[i] * columns[i].compareBottom(doc);
        if (order != 0) {
          return order < 0;
        }
      }
      return docBase + doc > ranking.last().doc;
    }

    private void fixBottom() throws IOException {
      if (isFull()) {
        for (LeafFieldComparator column : columns) {
          column.setBottom(ranking.last().slot);
        }
      }
    }
  }

  private boolean isByScore() {
    return keys.length == 1 && keys[0].getType() == SortField.Type.SCORE && !keys[0].getReverse();
  }

  private TopFieldDocs heads() {
    List<FieldDoc> heads = new ArrayList<>(ranking.size());
    for (Head head : ranking) {
      @Nullable Object[] values = new @Nullable Object[comparators.length];
      float score = Float.NaN;
      for (int i = 0; i < values.length; i++) {
        values[i] = comparators[i].value(head.slot);
      }
      if (isByScore() && values[0] instanceof Float known) {
        score = known;
      }
      heads.add(new FieldDoc(head.doc, score, values));
    }
    return new TopFieldDocs(
        new TotalHits(collected, TotalHits.Relation.EQUAL_TO),
        heads.toArray(FieldDoc[]::new),
        keys);
  }
}
