package dev.weir.search.execute;

import dev.weir.search.error.ShardFailure;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * How the shards of a request fared.
 *
 * @param total shards that were asked
 * @param failures one of each shard that failed
 */
public record ShardCounts(int total, List<ShardFailure> failures) {
  /** Copies the failures. */
  public ShardCounts {
    failures = List.copyOf(failures);
  }

  /** Shards that answered. */
  public int successful() {
    return total - failures.size();
  }

  /** Writes the object that stands under {@code _shards}. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeNumberProperty("total", total);
    out.writeNumberProperty("successful", successful());
    out.writeNumberProperty("skipped", 0);
    out.writeNumberProperty("failed", failures.size());
    if (!failures.isEmpty()) {
      out.writeName("failures");
      out.writeStartArray();
      failures.forEach(failure -> failure.write(out));
      out.writeEndArray();
    }
    out.writeEndObject();
  }
}
