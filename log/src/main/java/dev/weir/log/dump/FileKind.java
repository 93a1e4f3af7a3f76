package dev.weir.log.dump;

import dev.weir.log.checkpoint.LeaderEpochs;
import dev.weir.log.checkpoint.OffsetCheckpoint;
import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.log.segment.SegmentFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Kinds of files of a log, which their names tell. */
public enum FileKind {
  SEGMENT("segment"),
  METADATA_SNAPSHOT("metadata snapshot"),
  OFFSET_INDEX("offset index"),
  TIME_INDEX("time index"),
  TRANSACTION_INDEX("transaction index"),
  PRODUCER_SNAPSHOT("producer snapshot"),
  LEADER_EPOCHS("leader epochs"),
  PARTITION_OFFSETS("offsets of partitions"),
  PARTITION_METADATA("partition metadata");

  /** For a message that says what could have been given. */
  public static final String NAMES =
      "*.log, *.index, *.timeindex, *.txnindex, *.snapshot, *.checkpoint, "
          + LeaderEpochs.FILE_NAME
          + ", "
          + String.join(", ", offsetCheckpoints())
          + ", "
          + PartitionMetadata.FILE_NAME;

  /** What a file may be called by while it is written, takes its place, or waits to be deleted. */
  private static final List<String> PASSING_SUFFIXES =
      List.of(SegmentFiles.CLEANED, SegmentFiles.SWAP, SegmentFiles.DELETED);

  private final String text;

  FileKind(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }

  private static List<String> offsetCheckpoints() {
    return List.of(
        OffsetCheckpoint.RECOVERY_POINTS,
        OffsetCheckpoint.HIGH_WATERMARKS,
        OffsetCheckpoint.LOG_START_OFFSETS,
        OffsetCheckpoint.CLEANED_UNTIL);
  }

  /** The kind that a file's name says; empty if it is none of these. */
  public static Optional<FileKind> of(Path file) {
    String name = String.valueOf(file.getFileName());
    if (name.equals(LeaderEpochs.FILE_NAME)) {
      return Optional.of(LEADER_EPOCHS);
    }
    if (name.equals(PartitionMetadata.FILE_NAME)) {
      return Optional.of(PARTITION_METADATA);
    }
    if (offsetCheckpoints().contains(name)) {
      return Optional.of(PARTITION_OFFSETS);
    }
    String plain = plainName(file);
    int dot = plain.lastIndexOf('.');
    return switch (dot < 0 ? "" : plain.substring(dot)) {
      case SegmentFiles.LOG -> Optional.of(SEGMENT);
      case SegmentFiles.OFFSET_INDEX -> Optional.of(OFFSET_INDEX);
      case SegmentFiles.TIME_INDEX -> Optional.of(TIME_INDEX);
      case SegmentFiles.TRANSACTION_INDEX -> Optional.of(TRANSACTION_INDEX);
      case SegmentFiles.SNAPSHOT -> Optional.of(PRODUCER_SNAPSHOT);
      case ".checkpoint" -> Optional.of(METADATA_SNAPSHOT);
      default -> Optional.empty();
    };
  }

  /** A file's name without what says that it is only passing. */
  static String plainName(Path file) {
    String name = String.valueOf(file.getFileName());
    for (String suffix : PASSING_SUFFIXES) {
      if (name.endsWith(suffix)) {
        return name.substring(0, name.length() - suffix.length());
      }
    }
    return name;
  }

  /** A file of the same segment with another suffix, passing or not as {@code file} is. */
  static Path sibling(Path file, String suffix) {
    String name = String.valueOf(file.getFileName());
    String plain = plainName(file);
    int dot = plain.lastIndexOf('.');
    String base = dot < 0 ? plain : plain.substring(0, dot);
    return file.resolveSibling(base + suffix + name.substring(plain.length()));
  }
}
