package dev.weir.search.shard;

/** A write to one document of a shard. */
public sealed interface Write {

  /** The document id. */
  String id();

  /** What must hold. */
  Condition condition();

  /** Puts a document, new or in place of the one there. */
  record Put(String id, Content content, Condition condition) implements Write {}

  /** Deletes a document; a tombstone is written whether there was one or not. */
  record Delete(String id, Condition condition) implements Write {
    /** One that always goes through. */
    static Delete unconditional(String id) {
      return new Delete(id, Condition.NONE);
    }
  }
}
