package dev.weir.broker.fetch;

/** How the requests of a session name topics: all of them in the same way. */
enum TopicNaming {
  NAME,
  ID;

  /** The first version of the request that names topics by id. */
  private static final short IDS_SINCE = 13;

  static TopicNaming of(short apiVersion) {
    return apiVersion >= IDS_SINCE ? ID : NAME;
  }
}
