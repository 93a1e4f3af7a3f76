package dev.weir.broker.fetch;

/** Where a turn of a session looks at partitions. */
interface SessionSource {
  /**
   * Looks at a partition. Links it first where it is not, so that whatever moves after the look
   * marks it.
   *
   * @param limitBytes bytes that the answer may still take
   */
  Look look(SessionPartition partition, int limitBytes, Look.Least least);
}
