package dev.weir.search.error;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A request of the search face is refused or has failed. Carries all that the REST layer needs for
 * the answer: HTTP status and error body. Holds no stack of its own for refusals, since their place
 * is in the request and not in our code.
 */
public final class SearchException extends RuntimeException {

  private final transient ErrorCause error;
  private final int status;
  private final transient @Nullable SearchPhase phase;

  private SearchException(
      ErrorCause error, int status, @Nullable SearchPhase phase, @Nullable Throwable cause) {
    super(error.reason(), cause, false, status >= 500);
    this.error = error;
    this.status = status;
    this.phase = phase;
  }

  /** A refusal with the status of its type. */
  public SearchException(ErrorCause error) {
    this(error, error.type().status(), null, null);
  }

  /** A refusal with the status of its type. */
  public SearchException(ErrorType type, String reason) {
    this(ErrorCause.of(type, reason));
  }

  /** A value was understood and is not allowed: 400. */
  public static SearchException illegalArgument(String reason) {
    return new SearchException(ErrorType.ILLEGAL_ARGUMENT, reason);
  }

  /**
   * A score is no finite number, which an answer could not show: 400.
   *
   * @param clause what made it so
   */
  public static SearchException scoreNotFinite(double score, String clause) {
    return illegalArgument(
        clause
            + " gave a document the score "
            + score
            + ", which no 32-bit number holds; lower the boosts, weights and factors");
  }

  /** There is no such index: 404. The kind of name is the one that searches and metadata use. */
  public static SearchException indexNotFound(String index) {
    return new SearchException(
        ErrorCause.of(ErrorType.INDEX_NOT_FOUND, "no such index [" + index + "]")
            .with("index", index)
            .with("resource.id", index)
            .with("resource.type", "index_or_alias")
            .with("index_uuid", "_na_"));
  }

  /** A failure that nobody foresaw: 500, with the exception as the cause for the log. */
  public static SearchException unexpected(String reason, Throwable cause) {
    return new SearchException(ErrorCause.of(ErrorType.UNEXPECTED, reason), 500, null, cause);
  }

  /**
   * Every shard failed in a phase; the status is the one of the first failure.
   *
   * @param phase name of the phase, {@code query} or {@code fetch}
   * @param failures at least one
   */
  public static SearchException allShardsFailed(String phase, List<ShardFailure> failures) {
    ErrorCause first = failures.getFirst().reason();
    ErrorCause error =
        ErrorCause.of(ErrorType.SEARCH_PHASE_EXECUTION, "all shards failed").because(first);
    return new SearchException(
        error, first.type().status(), new SearchPhase(phase, failures), null);
  }

  /** A step after the shards had answered (normalisation, combination) refused its arguments. */
  public static SearchException phaseFailed(String reason, ErrorCause cause) {
    ErrorCause error = ErrorCause.of(ErrorType.SEARCH_PHASE_EXECUTION, reason).because(cause);
    return new SearchException(error, cause.type().status(), new SearchPhase("", List.of()), null);
  }

  /** What went wrong, outermost first. */
  public ErrorCause error() {
    return error;
  }

  /** The HTTP status of the answer. */
  public int status() {
    return status;
  }

  /** The failures that the answer lists as roots; never empty. */
  public List<ErrorCause> rootCauses() {
    if (phase == null || phase.failedShards().isEmpty()) {
      return List.of(error.root());
    }
    List<ErrorCause> roots = new ArrayList<>();
    for (ShardFailure failure : phase.failedShards()) {
      ErrorCause root = failure.reason().root();
      if (!roots.contains(root)) {
        roots.add(root);
      }
    }
    return List.copyOf(roots);
  }

  /** Writes the whole body: {@code {"error": {...}, "status": N}}. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeName("error");
    writeError(out);
    out.writeNumberProperty("status", status);
    out.writeEndObject();
  }

  /** Writes the error object alone, as it stands in an item of a multi-request's answer. */
  public void writeError(JsonGenerator out) {
    out.writeStartObject();
    out.writeName("root_cause");
    out.writeStartArray();
    for (ErrorCause root : rootCauses()) {
      root.writeAlone(out);
    }
    out.writeEndArray();
    error.writeMembers(out);
    if (phase != null) {
      out.writeStringProperty("phase", phase.name());
      out.writeBooleanProperty("grouped", true);
      out.writeName("failed_shards");
      out.writeStartArray();
      for (ShardFailure failure : phase.failedShards()) {
        failure.write(out);
      }
      out.writeEndArray();
    }
    if (error.causedBy() != null) {
      out.writeName("caused_by");
      error.causedBy().write(out);
    }
    out.writeEndObject();
  }
}
