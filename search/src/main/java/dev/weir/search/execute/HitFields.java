package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.RenderedValue;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.request.Collapse;
import dev.weir.search.request.NamePattern;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.ShownField;
import dev.weir.search.request.ShownFields;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The values that hits of one index show outside of their source. Used by one thread. */
final class HitFields {
  private final SourceFields sourceFields;
  private final List<DocValueField> docValueFields;

  private HitFields(SourceFields sourceFields, List<DocValueField> docValueFields) {
    this.sourceFields = sourceFields;
    this.docValueFields = docValueFields;
  }

  /**
   * What is asked for, under the mapping of an index.
   *
   * @throws SearchException with status 400 if a field can't be shown as it is asked for
   */
  static HitFields of(ShownFields asked, SearchableIndex index) {
    Mapping mapping = index.view().mapping();
    try {
      List<DocValueField> docValueFields = docValueFields(asked.fromDocValues(), mapping);
      requireAtMost(index.settings().docValueFieldsMax(), docValueFields.size());
      return new HitFields(SourceFields.of(asked.fromSource(), mapping), docValueFields);
    } catch (IllegalArgumentException e) {
      throw new SearchException(
          ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()))
              .with("index", index.view().index()));
    }
  }

  /**
   * Checks what the hits and the groups of a request are to show: also where there is no hit.
   *
   * @throws SearchException with status 400 if a field can't be shown as it is asked for
   */
  static void require(SearchRequest request, SearchableIndex index) {
    var _ = of(request.hits().fields(), index);
    Collapse collapse = request.extras().collapse();
    if (collapse != null) {
      collapse.innerHits().forEach(hits -> of(hits.wanted().hits().fields(), index));
    }
  }

  private static void requireAtMost(int max, int count) {
    if (count > max) {
      throw new IllegalArgumentException(
          "Trying to retrieve too many docvalue_fields. Must be less than or equal to: ["
              + max
              + "] but was ["
              + count
              + "]. This limit can be set by changing the [index.max_docvalue_fields_search] index"
              + " level setting.");
    }
  }

  /** A name that the mapping does not have is passed over; a pattern takes what has doc values. */
  private static List<DocValueField> docValueFields(List<ShownField> asked, Mapping mapping) {
    Map<String, DocValueField> fieldByPath = new LinkedHashMap<>();
    for (ShownField each : asked) {
      FieldType.Leaf named = mapping.field(each.pattern()).orElse(null);
      if (named != null) {
        fieldByPath.put(each.pattern(), DocValueField.of(each.pattern(), named, each.format()));
        continue;
      }
      if (each.pattern().indexOf('*') < 0) {
        continue;
      }
      NamePattern pattern = NamePattern.of(each.pattern());
      mapping
          .typeByPath()
          .forEach(
              (path, type) -> {
                if (type instanceof FieldType.Leaf leaf
                    && leaf.hasDocValues()
                    && pattern.matches(path)) {
                  fieldByPath.put(path, DocValueField.of(path, leaf, each.format()));
                }
              });
    }
    return List.copyOf(fieldByPath.values());
  }

  /** Whether the source of a document is needed. */
  boolean needSource() {
    return !sourceFields.isEmpty();
  }

  /**
   * The values of a whole document.
   *
   * @param doc its number in the segment
   * @param source null where there is none, or none is needed
   */
  SortedMap<String, List<RenderedValue>> of(
      LeafReaderContext leaf, int doc, @Nullable BytesRef source, AnswerBudget budget)
      throws IOException {
    return of("", leaf, doc, source, budget);
  }

  /**
   * The values of a nested document, by their paths in the whole one.
   *
   * @param path of the nested field
   * @param object the nested one; null where none is needed
   */
  SortedMap<String, List<RenderedValue>> ofNested(
      String path, LeafReaderContext leaf, int doc, byte @Nullable [] object, AnswerBudget budget)
      throws IOException {
    return of(path, leaf, doc, object == null ? null : new BytesRef(object), budget);
  }

  private SortedMap<String, List<RenderedValue>> of(
      String path, LeafReaderContext leaf, int doc, @Nullable BytesRef source, AnswerBudget budget)
      throws IOException {
    SortedMap<String, List<RenderedValue>> valuesByField = new TreeMap<>();
    for (DocValueField field : docValueFields) {
      List<RenderedValue> values = field.of(leaf.reader(), doc);
      if (!values.isEmpty()) {
        valuesByField.put(field.path(), values);
      }
    }
    if (source != null && needSource()) {
      valuesByField.putAll(sourceFields.of(path, source));
    }
    budget.take(AnswerPart.DETAILS, RenderedValue.bytes(valuesByField));
    return valuesByField;
  }
}
