package dev.weir.broker.partition;

import dev.weir.protocol.ErrorCode;

/** The answer to a request for a partition by name or id. */
public sealed interface Lookup {
  /** This broker leads it. */
  record Found(Partition partition) implements Lookup {}

  /** It cannot be used here; the code says why in the words of the protocol. */
  record Missing(ErrorCode error) implements Lookup {}
}
