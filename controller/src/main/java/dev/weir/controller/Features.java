package dev.weir.controller;

import dev.weir.metadata.BrokerImage.SupportedFeature;
import dev.weir.metadata.ClusterImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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

  /** Why this node can't work on a cluster with these levels; nothing where it can. */
  static Optional<String> refusal(ClusterImage image) {
    Short level = image.featureLevels().get(METADATA_VERSION);
    return level == null || (level >= METADATA_4_3_IV0 && level <= METADATA_4_4_IV2)
        ? Optional.empty()
        : Optional.of(
            METADATA_VERSION
                + " is "
                + level
                + ", this node serves "
                + METADATA_4_3_IV0
                + " to "
                + METADATA_4_4_IV2
                + "; change it with kafka-features while the node that wrote it runs");
  }

  /** Finalized levels whose behaviour this node has not got: other software finalized them. */
  static Map<String, Short> unserved(ClusterImage image) {
    Map<String, Short> unserved = new TreeMap<>(image.featureLevels());
    unserved
        .entrySet()
        .removeIf(
            feature ->
                served(feature.getKey())
                    .filter(known -> feature.getValue() <= known.greatest())
                    .isPresent());
    return unserved;
  }

  public static Optional<SupportedFeature> served(String name) {
    return SERVED.stream().filter(feature -> feature.name().equals(name)).findFirst();
  }
}
