package dev.weir.search.error;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A search failed on one shard.
 *
 * @param shard number of the shard, equal to its partition
 * @param index name of the index
 * @param node id of the node that holds the shard, if it got as far as a node
 * @param reason what went wrong there
 */
public record ShardFailure(int shard, String index, @Nullable String node, ErrorCause reason) {

  /** Writes this failure as it stands in {@code failed_shards} and {@code _shards.failures}. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeNumberProperty("shard", shard);
    out.writeStringProperty("index", index);
    if (node != null) {
      out.writeStringProperty("node", node);
    }
    out.writeName("reason");
    reason.write(out);
    out.writeEndObject();
  }
}
