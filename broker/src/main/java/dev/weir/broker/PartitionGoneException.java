package dev.weir.broker;

/** What was appended to a partition will never be committed: it was deleted, or its log failed. */
public final class PartitionGoneException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PartitionGoneException(String message) {
    super(message);
  }
}
