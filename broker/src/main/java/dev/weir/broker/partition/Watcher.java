package dev.weir.broker.partition;

/** Who hears that a partition has moved on, in two steps, since nobody is called under its lock. */
public interface Watcher {
  /**
   * Notes that the partition has moved. Called under the lock of the partition, so never by two
   * threads at a time: it takes no other lock, calls nobody and costs the same whoever watches.
   *
   * @return whether {@link #tell} has to be called
   */
  boolean note();

  /** Tells the reader. Called without a lock, on any thread, after {@link #note} said so. */
  void tell();
}
