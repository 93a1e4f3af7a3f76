package dev.weir.protocol;

/** The value of a record in a coordinator's topic. */
public interface CoordinatorRecordValue extends Message {
  /** Which record it is. */
  CoordinatorRecordType recordType();
}
