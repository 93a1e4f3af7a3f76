package dev.weir.search.document;

import java.nio.ByteBuffer;

/** What reading a document by id came to. */
public sealed interface GetResult {

  /** Name of the index. */
  String index();

  /** The document id. */
  String id();

  /**
   * There is one.
   *
   * @param source as it was given; read-only
   */
  record Found(
      String index, String id, long version, long seqNo, long primaryTerm, ByteBuffer source)
      implements GetResult {}

  /** There is none. */
  record Missing(String index, String id) implements GetResult {}
}
