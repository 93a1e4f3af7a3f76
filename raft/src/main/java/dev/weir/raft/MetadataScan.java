package dev.weir.raft;

import dev.weir.log.batch.ControlType;
import dev.weir.log.batch.RecordBatchView;
import dev.weir.protocol.metadata.MetadataRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * What the files of the metadata log say before they are replayed.
 *
 * @param voters the newest that are said; none where the quorum is a static one
 * @param bootstrap the records that the log has to begin with: those of the bootstrap checkpoint,
 *     where the log has no records yet. As in Kafka, they are copied into the log by its first
 *     leader, and it is the log that is replayed from then on.
 * @param logBytes of the log behind the newest checkpoint
 */
record MetadataScan(List<Voter> voters, List<MetadataRecord> bootstrap, long logBytes) {
  MetadataScan {
    voters = List.copyOf(voters);
    bootstrap = List.copyOf(bootstrap);
  }

  /**
   * Reads the newest checkpoint, and the log behind it below an offset.
   *
   * @throws dev.weir.log.LogException if a file can't be read or is corrupt
   */
  static MetadataScan of(MetadataHistory history, long endOffset) {
    Reading reading = new Reading();
    history
        .checkpoint()
        .ifPresent(
            snapshot ->
                snapshot.forEachBatch(
                    batch -> {
                      if (batch.isControl()) {
                        reading.voters(batch);
                      } else if (snapshot.isBootstrap()) {
                        MetadataBatches.decode(batch, reading.bootstrap::add);
                      }
                    }));
    history.forEachLogBatch(
        endOffset,
        batch -> {
          reading.logBytes += batch.sizeInBytes();
          if (batch.isControl()) {
            reading.voters(batch);
          } else {
            reading.bootstrap.clear();
          }
        });
    return new MetadataScan(reading.voters, reading.bootstrap, reading.logBytes);
  }

  /** What was found so far. */
  private static final class Reading {
    private final List<Voter> voters = new ArrayList<>();
    private final List<MetadataRecord> bootstrap = new ArrayList<>();
    private long logBytes;

    void voters(RecordBatchView batch) {
      ControlRecords.forEach(
          batch,
          (type, value) -> {
            if (type == ControlType.KRAFT_VOTERS) {
              voters.clear();
              voters.addAll(ControlRecords.readVoters(value));
            }
          });
    }
  }
}
