package dev.weir.rest;

import java.time.Instant;

/**
 * Who answers, as the root and cluster APIs tell it.
 *
 * @param name the node's name
 * @param id the node's id in the cluster
 * @param clusterName name of the cluster
 * @param clusterUuid id of the cluster, as the log knows it
 * @param build which build of Weir this is
 */
public record NodeIdentity(
    String name, String id, String clusterName, String clusterUuid, Build build) {

  /**
   * A build of Weir.
   *
   * @param version Weir's own version
   * @param revision what it was built from; {@code unknown} where the build did not say
   * @param time when it was built; the epoch where the build did not say
   */
  public record Build(String version, String revision, Instant time) {
    /** A build that tells nothing but its version. */
    public static Build of(String version) {
      return new Build(version, "unknown", Instant.EPOCH);
    }

    /** Whether it is on the way to a release. */
    public boolean isSnapshot() {
      return version.endsWith("-SNAPSHOT");
    }
  }
}
