package dev.weir.broker.network;

import dev.weir.log.LogSlice;
import dev.weir.protocol.Records;
import io.netty.channel.FileRegion;

/** Records that lie in a log segment and are sent from there. */
public record SegmentRecords(LogSlice slice) implements Records {
  @Override
  public int sizeInBytes() {
    return slice.sizeBytes();
  }

  /** Holds the segment open until the region is released. */
  FileRegion toRegion() {
    return new SegmentRegion(slice.lease(), slice.position(), slice.sizeBytes());
  }
}
