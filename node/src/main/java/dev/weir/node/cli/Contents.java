package dev.weir.node.cli;

import dev.weir.log.batch.LogRecord;
import dev.weir.log.dump.FileKind;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.MalformedMessageException;
import dev.weir.protocol.UnsupportedVersionException;
import dev.weir.protocol.metadata.MetadataRecordCodec;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** What the values of a segment's records are. */
enum Contents {
  /** What producers wrote: nobody knows. */
  ANY,
  /** Records of the metadata log. */
  METADATA;

  /** The folder of the metadata log, here and in Apache Kafka. */
  private static final String METADATA_FOLDER = "__cluster_metadata-0";

  /** The contents of a file, by its kind and its folder. */
  static Contents of(Path file, FileKind kind) {
    Path folder = file.toAbsolutePath().normalize().getParent();
    boolean metadata =
        kind == FileKind.METADATA_SNAPSHOT || (folder != null && folder.endsWith(METADATA_FOLDER));
    return metadata ? METADATA : ANY;
  }

  /** A record's value in words, where these contents have some and it is one of them. */
  Optional<String> words(LogRecord content) {
    ByteBuffer value = content.value();
    if (this == ANY || value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(MetadataRecordCodec.read(new ByteReader(value.duplicate())).toString());
    } catch (MalformedMessageException | UnsupportedVersionException e) {
      return Optional.empty(); // a kind of a newer version, whose bytes are shown all the same
    }
  }
}
