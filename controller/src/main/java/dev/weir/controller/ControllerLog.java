package dev.weir.controller;

import dev.weir.machine.BatchTooLargeException;
import dev.weir.machine.MachineLog;
import dev.weir.machine.NotLeaderException;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.raft.MetadataAppend;
import dev.weir.raft.MetadataLog;
import java.util.List;
import java.util.function.Consumer;

/** The metadata log as the log of the controller's machine. */
public final class ControllerLog implements MachineLog<MetadataRecord> {
  private final MetadataLog log;

  /** The log must lead before the machine is loaded. */
  public ControllerLog(MetadataLog log) {
    this.log = log;
  }

  @Override
  public long append(List<MetadataRecord> records) {
    return switch (log.append(records)) {
      case MetadataAppend.Appended(long endOffset) -> endOffset;
      case MetadataAppend.TooLarge(int sizeBytes, int sizeBytesMax) ->
          throw new BatchTooLargeException(
              "the command's records have sizeBytes="
                  + sizeBytes
                  + ", a batch of the metadata log at most "
                  + sizeBytesMax
                  + "; split the command");
      case MetadataAppend.NotLeader(String reason) -> throw new NotLeaderException(reason);
    };
  }

  @Override
  public void whenCommitted(long endOffset, Runnable done) {
    log.whenCommitted(endOffset, done);
  }

  @Override
  public void whenLost(Consumer<String> lost) {
    log.whenLost(lost);
  }

  @Override
  public void replay(Consumer<MetadataRecord> into) {
    log.replay(into);
  }
}
