package dev.weir.search.pipeline;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.request.SortOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads one response processor. Used once, by one thread. */
final class ResponseProcessorReader {
  static final String RERANK = "rerank";
  static final String RENAME = "rename_field";
  static final String TRUNCATE = "truncate_hits";
  static final String SORT = "sort";
  static final String COLLAPSE = "collapse";

  /** The types that it reads. */
  static final List<String> TYPES = List.of(RERANK, RENAME, TRUNCATE, SORT, COLLAPSE);

  private static final String PREVIOUS_SCORE = "previous_score";
  private static final KnownNames BY_FIELD_KEYS =
      KnownNames.of(
          "target_field", "remove_target_field", "keep_previous_score", "previous_score_field");

  private final JsonReader in;
  private final String type;
  private ResponseProcessor.OnFailure onFailure = ResponseProcessor.OnFailure.FAIL;
  private @Nullable String tag;

  // what the processors say, each its own
  private @Nullable String field;
  private @Nullable String targetField;
  private @Nullable String prefix;
  private @Nullable Integer targetSize;
  private SortOrder order = SortOrder.ASCENDING;
  private @Nullable String modelId;
  private List<String> documentFields = List.of();
  private boolean byField;
  private ResponseProcessor.Target target = ResponseProcessor.Target.KEPT;
  private boolean keepsPreviousScore;
  private String previousScoreField = PREVIOUS_SCORE;

  ResponseProcessorReader(JsonReader in, String type) {
    this.in = in;
    this.type = type;
  }

  ResponseProcessor.Step read() {
    while (in.nextKey()) {
      switch (in.key()) {
        case "tag" -> tag = in.text(type);
        case "ignore_failure" ->
            onFailure =
                in.flag(type) ? ResponseProcessor.OnFailure.SKIP : ResponseProcessor.OnFailure.FAIL;
        default -> {
          if (!own(in.key())) {
            PipelineReader.common(type, in, known());
          }
        }
      }
    }
    return new ResponseProcessor.Step(processor(), onFailure, tag);
  }

  /** The keys of the type, those of {@link #own}. */
  private KnownNames known() {
    return switch (type) {
      case RERANK ->
          KnownNames.of("ml_opensearch", "context", "by_field")
              .instead("model_id", "put it into [ml_opensearch]")
              .instead("document_fields", "put it into [context]")
              .instead("target_field", "put it into [by_field]");
      case RENAME -> KnownNames.of("field", "target_field");
      case TRUNCATE -> KnownNames.of("target_size", "context_prefix");
      case SORT -> KnownNames.of("field", "target_field", "order");
      case COLLAPSE -> KnownNames.of("field", "context_prefix");
      default -> throw new AssertionError("processor without a reader: " + type);
    };
  }

  /** Takes a key that the type has; false if it has no such one. */
  private boolean own(String key) {
    switch (type) {
      case RERANK -> {
        return rerank(key);
      }
      case RENAME -> {
        switch (key) {
          case "field" -> field = in.text(type);
          case "target_field" -> targetField = in.text(type);
          default -> {
            return false;
          }
        }
      }
      case TRUNCATE -> {
        switch (key) {
          case "target_size" -> targetSize = in.integer(type);
          case "context_prefix" -> prefix = in.text(type);
          default -> {
            return false;
          }
        }
      }
      case SORT -> {
        switch (key) {
          case "field" -> field = in.text(type);
          case "target_field" -> targetField = in.text(type);
          case "order" -> order = order(in.text(type));
          default -> {
            return false;
          }
        }
      }
      case COLLAPSE -> {
        switch (key) {
          case "field" -> field = in.text(type);
          case "context_prefix" -> in.text(type); // names what is noted for nobody
          default -> {
            return false;
          }
        }
      }
      default -> throw new AssertionError("processor without a reader: " + type);
    }
    return true;
  }

  private boolean rerank(String key) {
    switch (key) {
      case "ml_opensearch" -> model();
      case "context" -> context();
      case "by_field" -> byField();
      default -> {
        return false;
      }
    }
    return true;
  }

  private void model() {
    requireObject("ml_opensearch");
    while (in.nextKey()) {
      switch (in.key()) {
        case "model_id" -> modelId = in.text(type);
        case "context" -> context();
        default -> throw unknown("ml_opensearch", KnownNames.of("model_id", "context"));
      }
    }
  }

  private void context() {
    requireObject("context");
    while (in.nextKey()) {
      if (!in.key().equals("document_fields")) {
        throw unknown("context", KnownNames.of("document_fields"));
      }
      if (!in.at(JsonToken.START_ARRAY)) {
        throw PipelineReader.refusal(in, "[document_fields] of [rerank] must be an array");
      }
      documentFields = new ArrayList<>(in.texts(type));
    }
  }

  private void byField() {
    requireObject("by_field");
    byField = true;
    while (in.nextKey()) {
      switch (in.key()) {
        case "target_field" -> targetField = in.text(type);
        case "remove_target_field" ->
            target =
                in.flag(type) ? ResponseProcessor.Target.REMOVED : ResponseProcessor.Target.KEPT;
        case "keep_previous_score" -> keepsPreviousScore = in.flag(type);
        case "previous_score_field" -> {
          keepsPreviousScore = true;
          previousScoreField = in.text(type);
        }
        default -> throw unknown("by_field", BY_FIELD_KEYS);
      }
    }
  }

  private ResponseProcessor processor() {
    return switch (type) {
      case RERANK -> reranking();
      case RENAME ->
          new ResponseProcessor.RenameField(
              required("field", field), required("target_field", targetField));
      case TRUNCATE -> {
        if (targetSize != null && targetSize < 0) {
          throw in.illegalArgument(
              "[truncate_hits] [target_size] must not be negative, got [" + targetSize + "]");
        }
        yield new ResponseProcessor.TruncateHits(targetSize, Oversample.key(prefix));
      }
      case SORT -> {
        String from = required("field", field);
        yield new ResponseProcessor.SortValues(
            from, order, targetField == null ? from : targetField);
      }
      case COLLAPSE -> new ResponseProcessor.CollapseHits(required("field", field));
      default -> throw new AssertionError("processor without a reader: " + type);
    };
  }

  private ResponseProcessor reranking() {
    String model = modelId;
    if (byField == (model != null)) {
      throw PipelineReader.refusal(
          in,
          "[rerank] needs either [ml_opensearch] with a [model_id] or [by_field] with a"
              + " [target_field]");
    }
    if (model == null) {
      return new ResponseProcessor.RerankByField(
          required("by_field.target_field", targetField),
          target,
          keepsPreviousScore ? previousScoreField : null);
    }
    if (documentFields.isEmpty()) {
      throw PipelineReader.refusal(
          in,
          "[rerank] by [ml_opensearch] needs [context] with [document_fields], the fields that hold"
              + " the text of a document");
    }
    return new ResponseProcessor.RerankByModel(model, documentFields);
  }

  private SortOrder order(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "asc" -> SortOrder.ASCENDING;
      case "desc" -> SortOrder.DESCENDING;
      default ->
          throw in.illegalArgument("[sort] [order] must be [asc] or [desc], got [" + name + "]");
    };
  }

  private String required(String name, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw PipelineReader.refusal(
          in, "[" + name + "] required property is missing in processor [" + type + "]");
    }
    return value;
  }

  private void requireObject(String name) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw PipelineReader.refusal(in, "[" + name + "] of [" + type + "] must be an object");
    }
  }

  private RuntimeException unknown(String of, KnownNames known) {
    return PipelineReader.refusal(
        in,
        "["
            + of
            + "] of processor ["
            + type
            + "] has no parameter ["
            + in.key()
            + "]"
            + known.hint(in.key()));
  }
}
