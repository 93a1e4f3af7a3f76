package dev.weir.search.execute;

import org.apache.lucene.search.Explanation;
import tools.jackson.core.JsonGenerator;

/** How the score of one document comes about. */
public sealed interface ExplainResponse {
  /** Name of the index. */
  String index();

  /** Id of the document. */
  String id();

  /** There is no such document, as far as searches see. */
  record Missing(String index, String id) implements ExplainResponse {}

  /**
   * There is one.
   *
   * @param explanation says too if it does not match
   */
  record Explained(String index, String id, Explanation explanation) implements ExplainResponse {}

  /** Writes the answer as one JSON object. */
  default void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeStringProperty("_index", index());
    out.writeStringProperty("_id", id());
    switch (this) {
      case Missing _ -> out.writeBooleanProperty("matched", false);
      case Explained(_, _, Explanation explanation) -> {
        out.writeBooleanProperty("matched", explanation.isMatch());
        out.writeName("explanation");
        Hit.writeExplanation(explanation, out);
      }
    }
    out.writeEndObject();
  }
}
