package dev.weir.search.execute;

import org.jspecify.annotations.Nullable;

/**
 * Which documents a part of a query is asked of.
 *
 * @param path of the nested field whose documents they are; null for whole documents
 * @param sight which fields they show
 */
record Level(@Nullable String path, Sight sight) {
  /** Whole documents. */
  static final Level WHOLE = new Level(null, Sight.OWN);

  /** The fields that a document shows. */
  enum Sight {
    /** Its own. */
    OWN,
    /** Its own, and those of the documents around it. */
    UPWARDS
  }

  /** The nested documents of a field. */
  static Level of(String path) {
    return new Level(path, Sight.OWN);
  }

  /** Where the filter of a vector search is asked: nested documents have what is around them. */
  Level ofVectorFilter() {
    return path == null ? this : new Level(path, Sight.UPWARDS);
  }

  /** Where a {@code nested} query is asked: one in the filter of a vector search, of the whole. */
  Level ofNestedQuery() {
    return sight == Sight.UPWARDS ? WHOLE : this;
  }
}
