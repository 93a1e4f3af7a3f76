package dev.weir.search.document;

import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.shard.WriteOutcome;

/** The refusals of document operations. */
final class BulkErrors {

  private BulkErrors() {}

  static SearchException indexNotFound(String index, String reason) {
    return new SearchException(
        ErrorCause.of(ErrorType.INDEX_NOT_FOUND, reason)
            .with("index", index)
            .with("resource.id", index)
            .with("resource.type", "index_expression")
            .with("index_uuid", "_na_"));
  }

  static SearchException documentMissing(IndexDefinition index, int shard, String id) {
    return located(ErrorType.DOCUMENT_MISSING, "[" + id + "]: document missing", index, shard);
  }

  static SearchException conflict(IndexDefinition index, WriteOutcome.Conflict conflict) {
    return located(ErrorType.VERSION_CONFLICT, conflict.reason(), index, conflict.shard());
  }

  static SearchException refused(IndexDefinition index, WriteOutcome.Refused refused) {
    ErrorType type =
        switch (refused.cause()) {
          case REQUEST -> ErrorType.ILLEGAL_ARGUMENT;
          case SHARD -> ErrorType.UNAVAILABLE;
          case CONTENTION -> ErrorType.REJECTED_EXECUTION;
        };
    return located(type, refused.reason(), index, refused.shard());
  }

  static SearchException lost(IndexDefinition index, int shard) {
    return located(
        ErrorType.UNAVAILABLE,
        "the write was appended and lost before it was committed; it may be sent again",
        index,
        shard);
  }

  private static SearchException located(
      ErrorType type, String reason, IndexDefinition index, int shard) {
    return new SearchException(
        ErrorCause.of(type, reason)
            .with("index", index.name())
            .with("shard", Integer.toString(shard))
            .with("index_uuid", index.uuidText()));
  }
}
