package dev.weir.broker.network;

import io.netty.channel.DefaultFileRegion;
import java.nio.channels.FileChannel;

/**
 * A range of a log segment on its way to a socket, by {@code sendfile} where the transport can. The
 * channel belongs to the segment and serves all its readers: it stays open when the region is done.
 */
final class SegmentRegion extends DefaultFileRegion {
  SegmentRegion(FileChannel segment, long position, long sizeBytes) {
    super(segment, position, sizeBytes);
  }

  @Override
  protected void deallocate() {
    // Overridden to keep the shared channel open.
  }
}
