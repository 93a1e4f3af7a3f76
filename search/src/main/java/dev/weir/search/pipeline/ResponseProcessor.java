package dev.weir.search.pipeline;

import dev.weir.search.request.SortOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a search pipeline does with the hits of a page before they are answered. */
public sealed interface ResponseProcessor {

  /** The type's name in a definition. */
  String type();

  /**
   * Orders the hits by the scores that a model gives their texts for the text of the query.
   *
   * @param documentFields where the text of a hit is, as paths in its document; not empty
   */
  record RerankByModel(String modelId, List<String> documentFields) implements ResponseProcessor {
    /** Copies the paths. */
    public RerankByModel {
      documentFields = List.copyOf(documentFields);
    }

    @Override
    public String type() {
      return "rerank";
    }
  }

  /**
   * Orders the hits by a number that stands in their documents.
   *
   * @param targetField its path
   * @param target what becomes of it
   * @param previousScoreField where the score from before is put in the document; null for nowhere
   */
  record RerankByField(String targetField, Target target, @Nullable String previousScoreField)
      implements ResponseProcessor {
    @Override
    public String type() {
      return "rerank";
    }
  }

  /** What becomes of a field that has done its duty. */
  enum Target {
    KEPT,
    REMOVED
  }

  /** Gives a field of the shown documents another name. */
  record RenameField(String field, String target) implements ResponseProcessor {
    @Override
    public String type() {
      return "rename_field";
    }
  }

  /**
   * Leaves out the hits behind the first ones.
   *
   * @param size how many stay; null for as many as were asked for before {@link Oversample}
   * @param sizeKey under which key that was noted
   */
  record TruncateHits(@Nullable Integer size, String sizeKey) implements ResponseProcessor {
    @Override
    public String type() {
      return "truncate_hits";
    }
  }

  /** Orders the values of an array in the shown documents. */
  record SortValues(String field, SortOrder order, String target) implements ResponseProcessor {
    @Override
    public String type() {
      return "sort";
    }
  }

  /** Leaves out hits whose value of a field an earlier one has; no value is a value too. */
  record CollapseHits(String field) implements ResponseProcessor {
    @Override
    public String type() {
      return "collapse";
    }
  }

  /**
   * A processor in its place.
   *
   * @param tag what its definition calls it; null for nothing
   */
  record Step(ResponseProcessor processor, OnFailure onFailure, @Nullable String tag) {}

  /** What follows when a processor cannot do its work. */
  enum OnFailure {
    /** The request fails. */
    FAIL,
    /** The hits stay as they were before it. */
    SKIP
  }
}
