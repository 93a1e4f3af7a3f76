package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import dev.weir.search.model.Models;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Turns texts of documents into vectors by a model, the texts of many documents in one call: each
 * is run by itself, so that no vector depends on what it came with.
 */
record TextEmbedding(String modelId, FieldMap fields, Existing existing) {

  /** The name of the processor in a definition. */
  static final String TYPE = "text_embedding";

  /** Texts of one call; a call that is stopped loses no more than these. */
  private static final int CALL_TEXTS_MAX = 256;

  /** Characters of a number of a vector, for the bound on what a document may become. */
  private static final int COMPONENT_CHARS = 12;

  /** What becomes of vectors that are there already. */
  enum Existing {
    /** They are made anew. */
    REPLACED,
    /** They stay as they are. */
    KEPT
  }

  /** A document's place with its texts. */
  private record Work(IngestDocument document, FieldMap.Site site, List<String> texts) {}

  /**
   * Puts vectors into documents.
   *
   * @return why it failed with some of them
   */
  Map<IngestDocument, SearchException> embed(
      List<IngestDocument> documents, Models models, Defects defects) {
    Map<IngestDocument, SearchException> failures = new LinkedHashMap<>();
    List<Work> call = new ArrayList<>();
    int texts = 0;
    for (IngestDocument document : documents) {
      try {
        List<Work> works = works(document);
        int more = works.stream().mapToInt(work -> work.texts.size()).sum();
        if (texts > 0 && texts + more > CALL_TEXTS_MAX) {
          run(call, models, failures, defects);
          call.clear();
          texts = 0;
        }
        call.addAll(works);
        texts += more;
      } catch (SearchException refusal) {
        failures.put(document, refusal);
      } catch (RuntimeException defect) {
        failures.put(document, defects.failure(TYPE, defect));
      }
    }
    run(call, models, failures, defects);
    return failures;
  }

  private List<Work> works(IngestDocument document) {
    List<Work> works = new ArrayList<>();
    for (FieldMap.Site site : fields.sites(document)) {
      List<String> texts = site.texts();
      if (!texts.isEmpty() && (existing == Existing.REPLACED || site.present() == null)) {
        works.add(new Work(document, site, texts));
      }
    }
    return works;
  }

  private void run(
      List<Work> call,
      Models models,
      Map<IngestDocument, SearchException> failures,
      Defects defects) {
    List<String> texts = call.stream().flatMap(work -> work.texts.stream()).toList();
    if (texts.isEmpty()) {
      return;
    }
    List<float[]> vectors;
    try {
      vectors = models.embedPassages(modelId, texts);
    } catch (SearchException refusal) {
      call.forEach(work -> failures.put(work.document, refusal));
      return;
    } catch (RuntimeException defect) {
      SearchException failure = defects.failure(TYPE, defect);
      call.forEach(work -> failures.put(work.document, failure));
      return;
    }
    int next = 0;
    for (Work work : call) {
      List<float[]> own = vectors.subList(next, next + work.texts.size());
      next += work.texts.size();
      try {
        work.document.spend((long) own.size() * own.getFirst().length * COMPONENT_CHARS);
        work.site.put(made(work.site, own));
      } catch (SearchException refusal) {
        failures.put(work.document, refusal);
      } catch (RuntimeException defect) {
        failures.put(work.document, defects.failure(TYPE, defect));
      }
    }
  }

  /** The vector of a text; of an array of texts an array of objects, as nested fields take it. */
  private static JsonNode made(FieldMap.Site site, List<float[]> vectors) {
    if (!(site.value() instanceof ArrayNode)) {
      return numbers(vectors.getFirst());
    }
    ArrayNode several = Values.NODES.arrayNode();
    vectors.forEach(vector -> several.addObject().set("knn", numbers(vector)));
    return several;
  }

  private static ArrayNode numbers(float[] vector) {
    ArrayNode array = Values.NODES.arrayNode(vector.length);
    for (float component : vector) {
      array.add(Values.number(Float.toString(component)));
    }
    return array;
  }
}
