package dev.weir.protocol;

/** The type of a record in a coordinator's topic; it tells how to read key and value. */
public interface CoordinatorRecordType {
  /** The number in front of the key. */
  short id();

  /** The lowest version of the value. */
  short lowestVersion();

  /** The highest version of the value. */
  short highestVersion();

  /** Reads the key that follows the number. */
  CoordinatorRecordKey readKey(ByteReader in);

  /** Reads the value that follows its version. */
  CoordinatorRecordValue readValue(ByteReader in, short version);
}
