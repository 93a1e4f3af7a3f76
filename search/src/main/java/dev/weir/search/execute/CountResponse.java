package dev.weir.search.execute;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The answer to a count.
 *
 * @param terminatedEarly whether a shard stopped at its number of documents; null where there was
 *     none
 */
public record CountResponse(long count, @Nullable Boolean terminatedEarly, ShardCounts shards) {
  /** Writes the whole answer as one JSON object. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeNumberProperty("count", count);
    if (terminatedEarly != null) {
      out.writeBooleanProperty("terminated_early", terminatedEarly);
    }
    out.writeName("_shards");
    shards.write(out);
    out.writeEndObject();
  }
}
