package dev.weir.search.document;

import dev.weir.search.error.SearchException;

/** What an operation came to. */
public sealed interface WriteResult {

  /** Which operation it was. */
  BulkOperation.Action action();

  /** Name of the index. */
  String index();

  /** The document id. */
  String id();

  /** HTTP status of the operation. */
  int status();

  /**
   * It was carried out.
   *
   * @param forcedRefresh whether the caller made searches see it at once
   */
  record Done(
      BulkOperation.Action action,
      String index,
      String id,
      Outcome outcome,
      long version,
      long seqNo,
      long primaryTerm,
      Copies copies,
      boolean forcedRefresh)
      implements WriteResult {

    /** What OpenSearch tells as the version of a document that was not written. */
    private static final long NO_VERSION = -3;

    private static final long NO_SEQ_NO = -2;

    /** What OpenSearch tells as the id of a document that had none and was not written. */
    private static final String NO_ID = "auto-generated";

    /** A pipeline left the document out. */
    static Done dropped(BulkOperation operation) {
      String id = operation.id();
      return new Done(
          operation.action(),
          operation.index(),
          id == null ? NO_ID : id,
          Outcome.NOOP,
          NO_VERSION,
          NO_SEQ_NO,
          /* primaryTerm= */ 0,
          new Copies(0, 0, 0),
          /* forcedRefresh= */ false);
    }

    @Override
    public int status() {
      return switch (outcome) {
        case CREATED -> 201;
        case UPDATED, DELETED, NOOP -> 200;
        case NOT_FOUND -> 404;
      };
    }

    Done refreshed() {
      return new Done(
          action,
          index,
          id,
          outcome,
          version,
          seqNo,
          primaryTerm,
          copies,
          /* forcedRefresh= */ true);
    }
  }

  /**
   * It was refused, or has failed.
   *
   * @param id empty where none was given
   */
  record Failed(BulkOperation.Action action, String index, String id, SearchException error)
      implements WriteResult {
    @Override
    public int status() {
      return error.status();
    }
  }

  /** The word for what happened. */
  enum Outcome {
    /** A new document. */
    CREATED("created"),
    /** A document in place of another. */
    UPDATED("updated"),
    /** No document any more. */
    DELETED("deleted"),
    /** An update that changed nothing, or a document that a pipeline left out; no record. */
    NOOP("noop"),
    /** There was none to delete. */
    NOT_FOUND("not_found");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    /** The value of {@code result}. */
    public String text() {
      return text;
    }
  }

  /** The {@code _shards} of the answer: copies that should have it, have it, and failed. */
  record Copies(int total, int successful, int failed) {}
}
