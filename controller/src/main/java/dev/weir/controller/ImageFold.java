package dev.weir.controller;

import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.ImageRecords;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.raft.MetadataFold;
import java.util.function.Consumer;

/** The cluster's metadata as what a snapshot of the metadata log holds. One thread. */
public final class ImageFold implements MetadataFold {
  private ClusterImage image = ClusterImage.EMPTY;

  @Override
  public void add(MetadataRecord record) {
    image = image.apply(record);
  }

  @Override
  public void forEachRecord(Consumer<MetadataRecord> into) {
    ImageRecords.forEach(image, into);
  }
}
