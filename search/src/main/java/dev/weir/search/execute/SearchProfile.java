package dev.weir.search.execute;

import dev.weir.search.profile.QueryTimes;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** What a search did on each of its shards, as {@code profile} tells it. */
public final class SearchProfile {
  private final List<ShardReport> shards;
  private final Kind kind;

  /** Whether the queries that were searched by are parts of a {@code hybrid}. */
  enum Kind {
    ONE_QUERY,
    SUB_QUERIES
  }

  SearchProfile(List<ShardReport> shards, Kind kind) {
    this.shards = List.copyOf(shards);
    this.kind = kind;
  }

  /** Writes the object under {@code profile}. */
  void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeName("shards");
    out.writeStartArray();
    shards.forEach(shard -> write(shard, out));
    out.writeEndArray();
    out.writeEndObject();
  }

  private void write(ShardReport shard, JsonGenerator out) {
    out.writeStartObject();
    out.writeStringProperty("id", shard.id());
    out.writeName("searches");
    out.writeStartArray();
    shard.parts().forEach(part -> write(part, out));
    out.writeEndArray();
    // All aggregations are collected in one pass, so none has a time of its own.
    out.writeName("aggregations");
    out.writeStartArray();
    out.writeEndArray();
    if (shard.aggregationsNs() > 0) {
      out.writeNumberProperty("aggregations_time_in_nanos", shard.aggregationsNs());
    }
    out.writeName("filter_report");
    out.writeStartObject();
    if (kind == Kind.SUB_QUERIES) {
      writeSubQueries(shard.parts(), out);
    }
    out.writeName("vector_searches");
    out.writeStartArray();
    shard.legs().forEach(leg -> VectorLegWriter.write(leg, kind, out));
    out.writeEndArray();
    out.writeEndObject();
    out.writeEndObject();
  }

  private static void write(ShardReport.Part part, JsonGenerator out) {
    out.writeStartObject();
    out.writeName("query");
    out.writeStartArray();
    for (QueryTimes times : part.queries()) {
      times.write(out);
    }
    out.writeEndArray();
    out.writeNumberProperty("rewrite_time", part.rewriteNs());
    out.writeName("collector");
    out.writeStartArray();
    if (!part.queries()
        .isEmpty()) { // else nothing was searched: neither hits nor a total is wanted
      out.writeStartObject();
      out.writeStringProperty("name", part.collecting().name());
      out.writeStringProperty("reason", part.collecting().reason());
      out.writeNumberProperty("time_in_nanos", part.collecting().elapsedNs());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void writeSubQueries(List<ShardReport.Part> parts, JsonGenerator out) {
    out.writeName("sub_queries");
    out.writeStartArray();
    for (int i = 0; i < parts.size(); i++) {
      ShardReport.Part part = parts.get(i);
      out.writeStartObject();
      out.writeNumberProperty("sub_query", i);
      out.writeName("hits");
      SearchResponse.writeTotal(part.total(), out, SearchResponse.TotalForm.OBJECT);
      out.writeNumberProperty("kept", part.kept());
      out.writeNumberProperty("rewrite_time_in_nanos", part.rewriteNs());
      out.writeNumberProperty("search_time_in_nanos", part.elapsedNs());
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
