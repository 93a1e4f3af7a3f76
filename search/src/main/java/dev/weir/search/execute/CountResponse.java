package dev.weir.search.execute;

import tools.jackson.core.JsonGenerator;

/** The answer to a count. */
public record CountResponse(long count, ShardCounts shards) {
  /** Writes the whole answer as one JSON object. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeNumberProperty("count", count);
    out.writeName("_shards");
    shards.write(out);
    out.writeEndObject();
  }
}
