package dev.weir.search.execute;

import dev.weir.search.highlight.ChunkHighlighter;
import dev.weir.search.highlight.FieldHighlighter;
import dev.weir.search.mapping.Analysis;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.SemanticText;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryVector;
import dev.weir.search.request.Highlight;
import dev.weir.search.request.NamePattern;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shows the matches of a request in the documents of one shard. Used by one thread. */
final class Highlights {
  /** What a fragment takes beside its text. */
  private static final int FRAGMENT_BYTES = 64;

  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, OfField> highlighterByField;

  private Highlights(Map<String, OfField> highlighterByField) {
    this.highlighterByField = highlighterByField;
  }

  /** What shows one field. */
  @FunctionalInterface
  private interface OfField {
    List<String> fragments(JsonNode document, LeafReaderContext leaf, int doc) throws IOException;
  }

  /**
   * Highlights of one shard.
   *
   * @param whole what is highlighted where a field does not say anything else
   */
  static Highlights of(ShardSearch search, Highlight asked, Query whole) {
    Mapping mapping = search.ref().index().view().mapping();
    SequencedMap<String, OfField> highlighters = new LinkedHashMap<>();
    for (Highlight.Field field : asked.fields()) {
      Query own = field.options().query();
      Query query = own == null ? whole : own;
      switch (field.options().type()) {
        case UNIFIED, PLAIN -> ofTerms(search, field, query, mapping, highlighters);
        case SEMANTIC -> ofChunks(search, field, query, mapping, highlighters);
      }
    }
    return new Highlights(highlighters);
  }

  private static void ofTerms(
      ShardSearch search,
      Highlight.Field field,
      Query query,
      Mapping mapping,
      Map<String, OfField> into) {
    org.apache.lucene.search.Query terms = terms(search.translator(), query);
    NamePattern pattern = NamePattern.of(field.pattern());
    mapping
        .typeByPath()
        .forEach(
            (path, type) -> {
              if (pattern.matches(path) && isText(type)) {
                FieldHighlighter highlighter =
                    new FieldHighlighter(path, terms, analyzer(search, type), field.options());
                into.put(path, (document, _, _) -> highlighter.fragments(texts(document, path)));
              }
            });
  }

  private static void ofChunks(
      ShardSearch search,
      Highlight.Field field,
      Query query,
      Mapping mapping,
      Map<String, OfField> into) {
    NamePattern pattern = NamePattern.of(field.pattern());
    ChunkHighlighter highlighter = new ChunkHighlighter(field.options());
    mapping
        .semanticByPath()
        .forEach(
            (path, type) -> {
              List<QueryVector> vectors = HighlightQueries.vectors(query, type.vectorPath(path));
              if (pattern.matches(path) && !vectors.isEmpty()) {
                NearestChunks nearest =
                    NearestChunks.of(path, type, vectors, search.ref().index().view().levels());
                into.put(
                    path,
                    (document, leaf, doc) -> {
                      SemanticText text = nearest.text(document);
                      return highlighter.fragments(text.text(), nearest.in(text, leaf, doc));
                    });
              }
            });
  }

  private static boolean isText(FieldType type) {
    return type instanceof FieldType.Text || type instanceof FieldType.Keyword;
  }

  private static Analyzer analyzer(ShardSearch search, FieldType type) {
    Analysis analysis = type instanceof FieldType.Text text ? text.analyzer() : Analysis.KEYWORD;
    return search.plan().analyzers().analyzer(analysis);
  }

  private static org.apache.lucene.search.Query terms(QueryTranslator translator, Query query) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    HighlightQueries.leaves(query).forEach(leaf -> any.add(translator.unnamed(leaf), Occur.SHOULD));
    return any.build();
  }

  /**
   * The fragments of a document by field; fields without any are left out.
   *
   * @param doc its number in the segment
   */
  SequencedMap<String, List<String>> of(byte[] source, LeafReaderContext leaf, int doc)
      throws IOException {
    SequencedMap<String, List<String>> found = new LinkedHashMap<>();
    JsonNode document = JSON.readTree(source);
    for (Map.Entry<String, OfField> entry : highlighterByField.entrySet()) {
      List<String> fragments = entry.getValue().fragments(document, leaf, doc);
      if (!fragments.isEmpty()) {
        found.put(entry.getKey(), fragments);
      }
    }
    return found;
  }

  /** Takes what fragments hold. */
  static void take(Map<String, List<String>> fragmentsByField, AnswerBudget budget) {
    for (List<String> fragments : fragmentsByField.values()) {
      for (String fragment : fragments) {
        budget.take(AnswerPart.DETAILS, FRAGMENT_BYTES + fragment.length());
      }
    }
  }

  /** The values of a field; a multi-field has those of the field that it belongs to. */
  private static List<String> texts(JsonNode document, String path) {
    List<String> texts = new ArrayList<>();
    collect(document, path, texts);
    int dot = path.lastIndexOf('.');
    if (texts.isEmpty() && dot > 0) {
      collect(document, path.substring(0, dot), texts);
    }
    return texts;
  }

  private static void collect(JsonNode node, String path, List<String> texts) {
    if (node.isArray()) {
      node.forEach(element -> collect(element, path, texts));
      return;
    }
    if (path.isEmpty()) {
      if (node.isValueNode() && !node.isNull()) {
        texts.add(node.asString());
      }
      return;
    }
    // A key of a document may hold dots itself.
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      JsonNode below = node.get(path.substring(0, dot));
      if (below != null) {
        collect(below, path.substring(dot + 1), texts);
      }
    }
    JsonNode last = node.get(path);
    if (last != null) {
      collect(last, "", texts);
    }
  }
}
