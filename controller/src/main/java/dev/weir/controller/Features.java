package dev.weir.controller;

import dev.weir.metadata.BrokerImage.SupportedFeature;
import java.util.List;
import java.util.Optional;

/**
 * The features that this node serves, with their levels. The greatest level is one whose behaviour
 * exists, since clients and other nodes act on what is finalized; a fresh directory is formatted
 * with it.
 */
public final class Features {
  public static final String METADATA_VERSION = "metadata.version";
  public static final String KRAFT_VERSION = "kraft.version";

  /** 4.3-IV0: from here on all metadata records have the layouts that are written. */
  private static final short METADATA_4_3_IV0 = 30;

  private static final short METADATA_4_4_IV2 = 33;

  private static final List<SupportedFeature> SERVED =
      List.of(
          new SupportedFeature(METADATA_VERSION, METADATA_4_3_IV0, METADATA_4_4_IV2),
          new SupportedFeature(KRAFT_VERSION, (short) 0, (short) 1),
          new SupportedFeature("eligible.leader.replicas.version", (short) 0, (short) 0),
          new SupportedFeature("group.version", (short) 0, (short) 0),
          new SupportedFeature("share.version", (short) 0, (short) 0),
          new SupportedFeature("streams.version", (short) 0, (short) 0),
          new SupportedFeature("transaction.version", (short) 0, (short) 0));

  private Features() {}

  /** All features that this node knows, by name. */
  public static List<SupportedFeature> served() {
    return SERVED;
  }

  public static Optional<SupportedFeature> served(String name) {
    return SERVED.stream().filter(feature -> feature.name().equals(name)).findFirst();
  }
}
