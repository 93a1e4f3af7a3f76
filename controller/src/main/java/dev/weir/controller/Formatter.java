package dev.weir.controller;

import dev.weir.log.LogDirectory;
import dev.weir.log.MetaProperties;
import dev.weir.metadata.BrokerImage.SupportedFeature;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.raft.MetadataFormat;
import dev.weir.raft.Voter;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes an empty data directory the first one of a new cluster: a quorum of this one voter, with
 * the greatest feature levels that are served.
 */
public final class Formatter {
  private Formatter() {}

  /**
   * Formats a locked directory. {@code meta.properties} is written last: until then the directory
   * counts as unformatted, and formatting may begin again.
   *
   * @param controllerEndpoint where other voters would reach this one
   * @throws IllegalStateException if the directory is formatted
   * @throws dev.weir.log.LogException if it can't be written
   */
  public static void format(
      LogDirectory directory,
      MetaProperties identity,
      Voter.Endpoint controllerEndpoint,
      long nowMs) {
    if (directory.metaProperties().isPresent()) {
      throw new IllegalStateException("directory=" + directory.path() + " is formatted already");
    }
    Voter voter = new Voter(identity.nodeId(), identity.directoryId(), List.of(controllerEndpoint));
    MetadataFormat.write(directory, List.of(voter), features(), nowMs);
    directory.format(identity);
  }

  /** metadata.version comes first: it says how to read the others. */
  private static List<MetadataRecord> features() {
    List<MetadataRecord> records = new ArrayList<>();
    for (SupportedFeature feature : Features.served()) {
      // The quorum's own version has a control record.
      if (feature.greatest() > 0 && !feature.name().equals(Features.KRAFT_VERSION)) {
        records.add(
            FeatureLevelRecord.DEFAULT
                .withName(feature.name())
                .withFeatureLevel(feature.greatest()));
      }
    }
    return records;
  }
}
