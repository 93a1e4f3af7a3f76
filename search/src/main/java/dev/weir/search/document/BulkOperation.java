package dev.weir.search.document;

import dev.weir.search.shard.Condition;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One operation on one document, alone or in a bulk request. Bodies are slices of the request: they
 * must stay as they are until the operation is answered.
 */
public sealed interface BulkOperation {

  /** Name of the index. */
  String index();

  /** The document id; null where one is to be made up. */
  @Nullable String id();

  /** What must hold. */
  Condition condition();

  /** Its name in a bulk request. */
  Action action();

  /** Whether the index may be made for it. */
  IndexCreation creation();

  /** Names of the operations. */
  enum Action {
    /** Put, new or in place of another. */
    INDEX("index"),
    /** Put, new only. */
    CREATE("create"),
    /** Change a part. */
    UPDATE("update"),
    /** Delete. */
    DELETE("delete");

    private final String text;

    Action(String text) {
      this.text = text;
    }

    /** The word in a bulk request and its answer. */
    public String text() {
      return text;
    }
  }

  /** What happens where there is no such index. */
  enum IndexCreation {
    /** It is made, as the node's setting allows. */
    AUTO,
    /** The operation is refused ({@code require_alias}). */
    REFUSED
  }

  /**
   * Puts a document. An {@link Condition.Absent} makes it a create.
   *
   * @param pipeline that it goes through first, {@code _none} for none; null for what the index
   *     says
   */
  record Put(
      String index,
      @Nullable String id,
      ByteBuffer source,
      Condition condition,
      IndexCreation creation,
      @Nullable String pipeline)
      implements BulkOperation {
    @Override
    public Action action() {
      return condition instanceof Condition.Absent ? Action.CREATE : Action.INDEX;
    }
  }

  /** Deletes a document. */
  record Delete(String index, String id, Condition condition, IndexCreation creation)
      implements BulkOperation {
    @Override
    public Action action() {
      return Action.DELETE;
    }
  }

  /**
   * Changes a document by an update body: {@code doc}, {@code upsert}, {@code doc_as_upsert},
   * {@code detect_noop}.
   *
   * @param retriesOnConflict times it is tried again after somebody else changed the document
   * @param pipeline that a document goes through which is put where there is none, as in {@link
   *     Put}
   */
  record Update(
      String index,
      String id,
      ByteBuffer body,
      int retriesOnConflict,
      Condition condition,
      IndexCreation creation,
      @Nullable String pipeline)
      implements BulkOperation {
    @Override
    public Action action() {
      return Action.UPDATE;
    }
  }
}
