package dev.weir.raft;

import dev.weir.log.LogDirectory;
import dev.weir.log.LogException;
import dev.weir.protocol.metadata.MetadataRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Lays down what a metadata log begins with. */
public final class MetadataFormat {
  private MetadataFormat() {}

  /**
   * Writes the checkpoint of a new metadata log, with its voters and first records; returns when it
   * is on the disk. What an unfinished earlier call left is replaced.
   *
   * @throws LogException if the directory can't be written
   */
  public static void write(
      LogDirectory directory, List<Voter> voters, List<MetadataRecord> records, long nowMs) {
    Path log =
        directory
            .path()
            .resolve(MetadataLog.PARTITION.topic() + "-" + MetadataLog.PARTITION.partition());
    try {
      Files.createDirectories(log);
    } catch (IOException e) {
      throw new LogException("cannot create directory=" + log, e);
    }
    Checkpoint.writeBootstrap(log, voters, records, nowMs);
  }
}
