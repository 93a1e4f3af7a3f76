package dev.weir.broker.partition;

import dev.weir.broker.config.BrokerConfig.HousekeepingSettings;
import dev.weir.log.LogException;
import dev.weir.machine.MachineHost;
import dev.weir.machine.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the logs now and then: deletes and compacts what need not be kept, and notes on the
 * disk how far they are known to be whole, so that a crash costs little at the next start. An idle
 * broker writes nothing. The work waits on the disk, so it is done on threads of its own.
 */
public final class Housekeeping implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

  private final Partitions partitions;
  private final HousekeepingSettings settings;
  private final MachineHost host;

  // Guarded by this object's monitor.
  private Timers.Cancellable nextRetention = () -> {};
  private Timers.Cancellable nextCheckpoints = () -> {};
  private boolean closed;

  /** Sum of the logs' ends and starts at the last checkpoint: unchanged, there is nothing new. */
  private long checkpointed = -1;

  private Housekeeping(Partitions partitions, HousekeepingSettings settings, MachineHost host) {
    this.partitions = partitions;
    this.settings = settings;
    this.host = host;
  }

  /** Begins to look after the logs. */
  public static Housekeeping begin(
      Partitions partitions, HousekeepingSettings settings, MachineHost host) {
    Housekeeping housekeeping = new Housekeeping(partitions, settings, host);
    housekeeping.scheduleRetention();
    housekeeping.scheduleCheckpoints();
    return housekeeping;
  }

  @Override
  public synchronized void close() {
    closed = true;
    nextRetention.cancel();
    nextCheckpoints.cancel();
  }

  /** Deletes the segments that are too old or too many, and compacts. */
  void retain() {
    partitions.lookAfter(host.clock().millis());
  }

  /** Writes the checkpoints where a log has moved since the last time. */
  void checkpoint() {
    long moved = 0;
    for (Partition partition : partitions.all()) {
      moved += partition.log().logEndOffset() + partition.log().logStartOffset();
    }
    if (moved != checkpointed) {
      try {
        partitions.directory().writeCheckpoints();
        checkpointed = moved;
      } catch (LogException e) {
        LOG.error("checkpoints could not be written", e);
      }
    }
  }

  private synchronized void scheduleRetention() {
    if (!closed) {
      nextRetention = after(settings.retentionCheckMs(), this::retain, this::scheduleRetention);
    }
  }

  private synchronized void scheduleCheckpoints() {
    if (!closed) {
      nextCheckpoints = after(settings.checkpointMs(), this::checkpoint, this::scheduleCheckpoints);
    }
  }

  private Timers.Cancellable after(long delayMs, Runnable work, Runnable andThen) {
    return host.timers()
        .at(
            host.clock().millis() + delayMs,
            () ->
                Thread.ofVirtual()
                    .name("weir-housekeeping")
                    .start(
                        () -> {
                          try {
                            work.run();
                          } catch (RuntimeException e) {
                            LOG.error("logs were not looked after; the next round tries again", e);
                          }
                          andThen.run();
                        }));
  }
}
