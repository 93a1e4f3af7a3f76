package dev.weir.protocol;

/** The key of a record in a coordinator's topic. Keys have one version, 0. */
public interface CoordinatorRecordKey extends Message {
  /** Which record it is. */
  CoordinatorRecordType recordType();
}
