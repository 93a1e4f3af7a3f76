package dev.weir.search.execute;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * What a query means in each index, or why it can't be carried out there.
 *
 * @param shards number of shards that were asked, one of each index
 */
public record ValidationResponse(int shards, List<Explanation> explanations) {
  /**
   * The verdict of one index.
   *
   * @param explanation the query as it would be carried out; null if it can't be
   * @param error why it can't be carried out; null if it can
   */
  public record Explanation(String index, @Nullable String explanation, @Nullable String error) {
    /** Characters of its texts. */
    long chars() {
      return length(explanation) + length(error);
    }

    private static long length(@Nullable String text) {
      return text == null ? 0 : text.length();
    }
  }

  /** Copies the list. */
  public ValidationResponse {
    explanations = List.copyOf(explanations);
  }

  /** Whether every index can carry the query out. */
  public boolean isValid() {
    return explanations.stream().allMatch(explanation -> explanation.error == null);
  }

  /** Writes the verdict alone as one JSON object. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    writeVerdict(out);
    out.writeEndObject();
  }

  /** Writes the verdict with its explanations as one JSON object. */
  public void writeExplained(JsonGenerator out) {
    out.writeStartObject();
    writeVerdict(out);
    out.writeName("explanations");
    out.writeStartArray();
    for (Explanation explanation : explanations) {
      out.writeStartObject();
      out.writeStringProperty("index", explanation.index);
      out.writeBooleanProperty("valid", explanation.error == null);
      if (explanation.error != null) {
        out.writeStringProperty("error", explanation.error);
      }
      if (explanation.explanation != null) {
        out.writeStringProperty("explanation", explanation.explanation);
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private void writeVerdict(JsonGenerator out) {
    out.writeBooleanProperty("valid", isValid());
    out.writeName("_shards");
    out.writeStartObject();
    out.writeNumberProperty("total", shards);
    out.writeNumberProperty("successful", shards);
    out.writeNumberProperty("failed", 0);
    out.writeEndObject();
  }
}
