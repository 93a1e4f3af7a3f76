package dev.weir.raft;

import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.MetadataRecordCodec;
import java.nio.ByteBuffer;

/**
 * Values of the metadata log. Records are written in their highest version, which is the one of
 * every metadata.version from 4.3-IV0 on.
 */
final class MetadataValues {
  private MetadataValues() {}

  static ByteBuffer encode(MetadataRecord record) {
    ByteWriter out = new ByteWriter();
    MetadataRecordCodec.write(out, record, record.recordType().highestVersion());
    return out.toBuffer();
  }

  static MetadataRecord decode(ByteBuffer value) {
    return MetadataRecordCodec.read(new ByteReader(value));
  }
}
