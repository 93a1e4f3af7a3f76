package dev.weir.search.shard;

/** The files of a shard's index could not be read or written. */
public final class ShardFailureException extends RuntimeException {

  ShardFailureException(String message, Throwable cause) {
    super(message, cause);
  }
}
