package dev.weir.search.execute;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.model.Models;
import dev.weir.search.pipeline.ResponseProcessor;
import dev.weir.search.pipeline.ResponseProcessor.CollapseHits;
import dev.weir.search.pipeline.ResponseProcessor.OnFailure;
import dev.weir.search.pipeline.ResponseProcessor.RenameField;
import dev.weir.search.pipeline.ResponseProcessor.RerankByField;
import dev.weir.search.pipeline.ResponseProcessor.RerankByModel;
import dev.weir.search.pipeline.ResponseProcessor.SortValues;
import dev.weir.search.pipeline.ResponseProcessor.Step;
import dev.weir.search.pipeline.ResponseProcessor.Target;
import dev.weir.search.pipeline.ResponseProcessor.TruncateHits;
import dev.weir.search.pipeline.SearchPipeline;
import dev.weir.search.query.QueryWriter;
import dev.weir.search.request.RerankText;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SortOrder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.util.RawValue;

/**
 * Carries out the response processors of a pipeline on one page of hits, in their order. Waits for
 * models. Used by one thread, for one request.
 */
final class ResponseProcessing {
  private static final Logger LOG = LoggerFactory.getLogger(ResponseProcessing.class);

  /** Most hits that a model scores for one request: each is a run of the model. */
  static final int RERANKED_HITS_MAX = 1_000;

  /** Characters of a query that a path leads into: it becomes a tree for the purpose. */
  private static final int QUERY_CHARS_MAX = 1 << 20;

  /** Characters of a document's value in an error. */
  private static final int SHOWN_CHARS_MAX = 60;

  private final Models models;
  private final SearchPipeline pipeline;
  private final SearchRequest asked;

  /** A page, best first. */
  record Page(List<Hit> hits, @Nullable Float maxScore) {}

  /**
   * Processing for one request.
   *
   * @param asked the request as it came, before the pipeline changed it
   */
  ResponseProcessing(Models models, SearchPipeline pipeline, SearchRequest asked) {
    this.models = models;
    this.pipeline = pipeline;
    this.asked = asked;
  }

  /**
   * Checks, before anything is searched, that the request says what the processors need.
   *
   * @throws SearchException with status 400 if it does not
   */
  void require() {
    requireReader();
    for (Step step : pipeline.responses()) {
      if (step.onFailure() == OnFailure.FAIL && step.processor() instanceof RerankByModel rerank) {
        var _ = models.requireScoring(rerank.modelId());
        String _ = queryText();
      }
    }
  }

  /** Refuses a text to rerank for where nothing reranks. */
  private void requireReader() {
    boolean reranks =
        pipeline.responses().stream()
            .map(Step::processor)
            .anyMatch(each -> each instanceof RerankByModel || each instanceof RerankByField);
    if (asked.extras().rerankText() != null && !reranks) {
      throw SearchException.illegalArgument(
          "[ext.rerank] has no effect: the search pipeline of this request has no [rerank]"
              + " processor; name one that has in [search_pipeline], or leave [ext.rerank] out");
    }
  }

  /**
   * The answer after all processors.
   *
   * @param tookMs tells the time that was taken when all is done
   * @throws SearchException if one fails that may not
   */
  SearchResponse of(SearchResponse response, LongSupplier tookMs) {
    if (pipeline.responses().isEmpty()) {
      return response;
    }
    Page page = of(new Page(response.hits(), response.maxScore()));
    return new SearchResponse(
        tookMs.getAsLong(),
        response.ending(),
        response.shards(),
        response.total(),
        page.maxScore(),
        page.hits(),
        response.aggregations(),
        response.profile());
  }

  /**
   * The page after all processors.
   *
   * @throws SearchException if one fails that may not
   */
  private Page of(Page page) {
    Page current = page;
    for (Step step : pipeline.responses()) {
      try {
        current = one(step.processor(), current);
      } catch (SearchException e) {
        switch (step.onFailure()) {
          case SKIP ->
              LOG.debug(
                  "response processor skipped processor={} tag={} reason={}",
                  step.processor().type(),
                  step.tag(),
                  e.error().reason());
          case FAIL -> throw e;
        }
      }
    }
    return current;
  }

  private Page one(ResponseProcessor processor, Page page) {
    return switch (processor) {
      case RerankByModel rerank -> byModel(rerank, page);
      case RerankByField rerank -> byField(rerank, page);
      case RenameField rename -> changed(page, hit -> renamed(rename, hit));
      case SortValues sort -> changed(page, hit -> sorted(sort, hit));
      case TruncateHits truncate -> truncated(truncate, page);
      case CollapseHits collapse -> collapsed(collapse, page);
    };
  }

  // -- rerank

  private Page byModel(RerankByModel rerank, Page page) {
    String query = queryText();
    if (page.hits().size() > RERANKED_HITS_MAX) {
      throw SearchException.illegalArgument(
          "[rerank] scores "
              + RERANKED_HITS_MAX
              + " hits of a page at most, and this one has "
              + page.hits().size()
              + "; ask for a smaller [size], or put [truncate_hits] before it");
    }
    List<String> texts = new ArrayList<>();
    boolean isAnyThere = page.hits().isEmpty();
    for (Hit hit : page.hits()) {
      SourceTree document = document(rerank.type(), hit);
      List<String> parts = new ArrayList<>();
      rerank.documentFields().forEach(field -> parts.addAll(document.texts(field)));
      isAnyThere |= !parts.isEmpty();
      texts.add(String.join(" ", parts));
    }
    if (!isAnyThere) {
      throw SearchException.illegalArgument(
          "[rerank] found none of its [document_fields] "
              + rerank.documentFields()
              + " in the _source of any hit, as in that of the document ["
              + page.hits().getFirst().id()
              + "]; name fields that hold the text, and have [_source] show them");
    }
    List<Float> scores = models.score(rerank.modelId(), query, texts);
    List<Hit> hits = new ArrayList<>();
    for (int i = 0; i < scores.size(); i++) {
      float score = scores.get(i);
      if (!Float.isFinite(score)) {
        throw new SearchException(
            ErrorCause.of(
                ErrorType.MODEL,
                "model ["
                    + rerank.modelId()
                    + "] failed: it gives ["
                    + score
                    + "] for the document ["
                    + page.hits().get(i).id()
                    + "]"));
      }
      hits.add(page.hits().get(i).withScore(score));
    }
    return bestFirst(hits);
  }

  private String queryText() {
    RerankText text = asked.extras().rerankText();
    String found =
        switch (text) {
          case null ->
              throw SearchException.illegalArgument(
                  "[rerank] needs the text of the query; send"
                      + " \"ext\":{\"rerank\":{\"query_context\":{\"query_text\":\"…\"}}} or"
                      + " [query_text_path] with the path to it in the request");
          case RerankText.Said(String said) -> said;
          case RerankText.At(String path) -> textAt(path);
        };
    if (found.isBlank()) {
      throw SearchException.illegalArgument("[rerank] needs a text of the query that is not blank");
    }
    return found;
  }

  /** A text of the query as {@code _validate/query} writes it. */
  private String textAt(String path) {
    String query = QueryWriter.toJson(asked.query(), QUERY_CHARS_MAX + 1);
    if (query.length() > QUERY_CHARS_MAX) {
      throw SearchException.illegalArgument(
          "[query_text_path] ["
              + path
              + "] of [ext.rerank.query_context] leads into a query of more than "
              + QUERY_CHARS_MAX
              + " characters; give the text as [query_text]");
    }
    JsonNode node = SourceTree.of("{\"query\":" + query + "}").at(path);
    if (node == null || !node.isString()) {
      throw SearchException.illegalArgument(
          "[query_text_path] ["
              + path
              + "] of [ext.rerank.query_context] leads to "
              + (node == null ? "nothing" : "[" + shown(node) + "], which is no text")
              + "; a path goes down from [query], as [query.match.title.query]");
    }
    return node.stringValue();
  }

  private Page byField(RerankByField rerank, Page page) {
    List<Hit> hits = new ArrayList<>();
    for (Hit hit : page.hits()) {
      SourceTree document = document(rerank.type(), hit);
      JsonNode value =
          rerank.target() == Target.REMOVED
              ? document.remove(rerank.targetField())
              : document.get(rerank.targetField());
      BigDecimal number = value == null ? null : SourceTree.number(value);
      if (number == null || !Float.isFinite(number.floatValue())) {
        throw SearchException.illegalArgument(
            "[rerank] by field ["
                + rerank.targetField()
                + "] needs a number in each hit, and the document ["
                + hit.id()
                + "] has "
                + (value == null ? "none in its _source" : "[" + shown(value) + "]"));
      }
      String previous = rerank.previousScoreField();
      if (previous != null) {
        document.put(previous, score(hit.score()));
      }
      boolean isChanged = previous != null || rerank.target() == Target.REMOVED;
      Hit scored = hit.withScore(number.floatValue());
      hits.add(isChanged ? scored.withSource(document.source()) : scored);
    }
    return bestFirst(hits);
  }

  private static JsonNode score(@Nullable Float score) {
    return score == null
        ? JsonNodeFactory.instance.nullNode()
        : JsonNodeFactory.instance.rawValueNode(new RawValue(Float.toString(score)));
  }

  /** Hits with equal scores stay in the order that they had. */
  private static Page bestFirst(List<Hit> hits) {
    List<Hit> ordered = new ArrayList<>(hits);
    ordered.sort(
        Comparator.comparing(Hit::score, Comparator.nullsFirst(Float::compare)).reversed());
    return new Page(ordered, ordered.isEmpty() ? null : ordered.getFirst().score());
  }

  // -- what is shown

  private static Page changed(Page page, UnaryOperator<Hit> change) {
    return new Page(page.hits().stream().map(change).toList(), page.maxScore());
  }

  private static Hit renamed(RenameField rename, Hit hit) {
    SourceTree document = document(rename.type(), hit);
    JsonNode value = document.remove(rename.field());
    if (value == null) {
      throw missing(rename.type(), rename.field(), hit);
    }
    document.put(rename.target(), value);
    return hit.withSource(document.source());
  }

  private static Hit sorted(SortValues sort, Hit hit) {
    SourceTree document = document(sort.type(), hit);
    JsonNode value = document.get(sort.field());
    if (value == null) {
      throw missing(sort.type(), sort.field(), hit);
    }
    if (!(value instanceof ArrayNode array)) {
      throw SearchException.illegalArgument(
          "[sort] needs an array in field ["
              + sort.field()
              + "], and the document ["
              + hit.id()
              + "] has ["
              + shown(value)
              + "]");
    }
    List<JsonNode> values = new ArrayList<>();
    array.forEach(values::add);
    Comparator<JsonNode> ascending = ascending(sort, hit, values);
    values.sort(sort.order() == SortOrder.ASCENDING ? ascending : ascending.reversed());
    document.put(sort.target(), JsonNodeFactory.instance.arrayNode().addAll(values));
    return hit.withSource(document.source());
  }

  private static Comparator<JsonNode> ascending(SortValues sort, Hit hit, List<JsonNode> values) {
    if (values.stream().allMatch(JsonNode::isString)) {
      return Comparator.comparing(JsonNode::stringValue);
    }
    if (values.stream().allMatch(value -> SourceTree.number(value) != null)) {
      return Comparator.comparing(
          SourceTree::number, Comparator.nullsFirst(Comparator.naturalOrder()));
    }
    throw SearchException.illegalArgument(
        "[sort] needs texts only or numbers only in field ["
            + sort.field()
            + "], and the document ["
            + hit.id()
            + "] has other values");
  }

  // -- which hits are left

  private Page truncated(TruncateHits truncate, Page page) {
    Integer size = truncate.size();
    if (size == null) {
      size = pipeline.sizesBefore(asked).get(truncate.sizeKey());
    }
    if (size == null) {
      throw SearchException.illegalArgument(
          "[truncate_hits] has no [target_size], and no [oversample] of this pipeline has noted ["
              + truncate.sizeKey()
              + "]; give one of them");
    }
    List<Hit> hits = page.hits();
    return new Page(hits.subList(0, Math.min(size, hits.size())), page.maxScore());
  }

  private static Page collapsed(CollapseHits collapse, Page page) {
    Set<String> seen = new HashSet<>();
    List<Hit> left = new ArrayList<>();
    for (Hit hit : page.hits()) {
      JsonNode value = document(collapse.type(), hit).get(collapse.field());
      if (value != null && value.isContainer()) {
        throw SearchException.illegalArgument(
            "[collapse] needs one value in field ["
                + collapse.field()
                + "], and the document ["
                + hit.id()
                + "] has an object or an array there");
      }
      if (seen.add(value == null || value.isNull() ? "" : "=" + SourceTree.text(value))) {
        left.add(hit);
      }
    }
    return new Page(left, page.maxScore());
  }

  private static SourceTree document(String type, Hit hit) {
    HitSource source = hit.source();
    if (source == null) {
      throw SearchException.illegalArgument(
          "["
              + type
              + "] works on the _source of the hits, and the request leaves it out; ask for the"
              + " fields that it needs");
    }
    return SourceTree.of(source);
  }

  private static SearchException missing(String type, String field, Hit hit) {
    return SearchException.illegalArgument(
        "[" + type + "] found no field [" + field + "] in the document [" + hit.id() + "]");
  }

  /** The beginning of a value: it may be a whole document, and errors are logged. */
  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "...";
  }
}
