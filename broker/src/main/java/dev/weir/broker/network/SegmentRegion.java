package dev.weir.broker.network;

import dev.weir.log.LogSlice;
import io.netty.channel.DefaultFileRegion;

/**
 * A range of a log segment on its way to a socket, by {@code sendfile} where the transport can. The
 * channel belongs to the segment and serves all its readers: the region holds it open, and gives it
 * back when it is released.
 */
final class SegmentRegion extends DefaultFileRegion {
  private final LogSlice.Lease lease;

  SegmentRegion(LogSlice.Lease lease, long position, long sizeBytes) {
    super(lease.channel(), position, sizeBytes);
    this.lease = lease;
  }

  @Override
  protected void deallocate() {
    // Overridden to keep the shared channel open.
    lease.close();
  }
}
