package dev.weir.protocol.metadata;

import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.MalformedMessageException;
import dev.weir.protocol.UnsupportedVersionException;

/**
 * The layout of the value of a record in the metadata log and its snapshots.
 *
 * <p>Three unsigned varints, then the record: frame version (1), record type, version of the
 * record. The key of the log record is null.
 */
public final class MetadataRecordCodec {
  private static final int FRAME_VERSION = 1;

  private MetadataRecordCodec() {}

  /**
   * Appends the frame and the record.
   *
   * @throws UnsupportedVersionException if the record can't be written in that version
   */
  public static void write(ByteWriter out, MetadataRecord record, short version) {
    out.writeUnsignedVarint(FRAME_VERSION);
    out.writeUnsignedVarint(record.recordType().id());
    out.writeUnsignedVarint(version);
    record.write(out, version);
  }

  /**
   * Reads a whole value.
   *
   * @throws UnsupportedVersionException if the frame, the type or the version is not known
   * @throws MalformedMessageException if the bytes are no such record, or go on after it
   */
  public static MetadataRecord read(ByteReader in) {
    int frameVersion = in.readUnsignedVarint();
    if (frameVersion != FRAME_VERSION) {
      throw new UnsupportedVersionException(
          "metadata record has frameVersion=" + frameVersion + ", expected " + FRAME_VERSION);
    }
    int typeId = in.readUnsignedVarint();
    int version = in.readUnsignedVarint();
    MetadataRecordType type =
        MetadataRecordType.forId(int16(typeId, "type"))
            .orElseThrow(
                () -> new UnsupportedVersionException("metadata record of unknown type=" + typeId));
    MetadataRecord record = type.read(in, int16(version, "version"));
    in.requireEnd();
    return record;
  }

  private static short int16(int value, String what) {
    if (value < 0 || value > Short.MAX_VALUE) {
      throw new MalformedMessageException("metadata record has " + what + "=" + value);
    }
    return (short) value;
  }
}
