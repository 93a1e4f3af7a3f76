package dev.weir.protocol;

/**
 * The layout of keys and values in the topics of the coordinators.
 *
 * <p>A key is its record type as int16 and the key in version 0; a value is its version as int16
 * and the value in that version. A tombstone has a key and no value. Reading starts at the enum of
 * the topic, for example {@code GroupRecordType.readKeyWithType}.
 */
public final class CoordinatorRecordCodec {
  private static final short KEY_VERSION = 0;

  private CoordinatorRecordCodec() {}

  /** Appends the type and the key. */
  public static void writeKey(ByteWriter out, CoordinatorRecordKey key) {
    out.writeInt16(key.recordType().id());
    key.write(out, KEY_VERSION);
  }

  /**
   * Appends the version and the value.
   *
   * @throws UnsupportedVersionException if the value can't be written in that version
   */
  public static void writeValue(ByteWriter out, CoordinatorRecordValue value, short version) {
    out.writeInt16(version);
    value.write(out, version);
  }

  /**
   * Reads a whole value.
   *
   * @throws UnsupportedVersionException if the version is not known
   * @throws MalformedMessageException if the bytes are no such value, or go on after it
   */
  public static CoordinatorRecordValue readValue(CoordinatorRecordType type, ByteReader in) {
    CoordinatorRecordValue value = type.readValue(in, in.readInt16());
    in.requireEnd();
    return value;
  }
}
