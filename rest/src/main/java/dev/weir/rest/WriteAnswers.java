package dev.weir.rest;

import dev.weir.search.document.RefreshPolicy;
import dev.weir.search.document.WriteResult;
import dev.weir.search.error.SearchException;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/** What the routes that write documents have in common. */
final class WriteAnswers {
  /** URL parameters of every write. */
  static final Set<String> PARAMETERS =
      Set.of("refresh", "routing", "timeout", "require_alias", "wait_for_active_shards");

  /** URL parameters of every write that puts documents. */
  static final Set<String> PUT_PARAMETERS = UrlParameters.union(PARAMETERS, Set.of("pipeline"));

  private WriteAnswers() {}

  /**
   * When searches are to see a write; the route must know {@link #PARAMETERS}.
   *
   * @throws SearchException 400 if the value is unknown
   */
  static RefreshPolicy refresh(RestRequest request) {
    String value = request.parameter("refresh").orElse("false");
    return switch (value) {
      case "false" -> RefreshPolicy.NONE;
      case "true", "" -> RefreshPolicy.IMMEDIATE;
      case "wait_for" -> RefreshPolicy.WAIT_FOR;
      default ->
          throw SearchException.illegalArgument("unknown value for refresh: [" + value + "].");
    };
  }

  /** Writes the members of a result into an object that is open. */
  static void writeMembers(JsonGenerator json, WriteResult.Done done) {
    json.writeStringProperty("_index", done.index());
    json.writeStringProperty("_id", done.id());
    json.writeNumberProperty("_version", done.version());
    json.writeStringProperty("result", done.outcome().text());
    if (done.forcedRefresh()) {
      json.writeBooleanProperty("forced_refresh", true);
    }
    json.writeName("_shards");
    json.writeStartObject();
    json.writeNumberProperty("total", done.copies().total());
    json.writeNumberProperty("successful", done.copies().successful());
    json.writeNumberProperty("failed", done.copies().failed());
    json.writeEndObject();
    if (done.seqNo() >= 0) { // else nothing was written
      json.writeNumberProperty("_seq_no", done.seqNo());
      json.writeNumberProperty("_primary_term", done.primaryTerm());
    }
  }
}
