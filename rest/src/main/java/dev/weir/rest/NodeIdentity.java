package dev.weir.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Properties;

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
   * @param revision what it was built from; {@code unknown} where the build was not told
   * @param time of the release or of its sources, the same for every build of them
   */
  public record Build(String version, String revision, Instant time) {
    /** This build, as the properties beside this class tell it, under a version's name. */
    public static Build of(String version) {
      Properties build = new Properties();
      try (InputStream in = NodeIdentity.class.getResourceAsStream("build.properties")) {
        build.load(Objects.requireNonNull(in, "build.properties of the HTTP face"));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read build.properties of the HTTP face", e);
      }
      return new Build(
          version,
          build.getProperty("revision", "unknown"),
          Instant.parse(build.getProperty("time", "")));
    }

    /** Whether it is on the way to a release. */
    public boolean isSnapshot() {
      return version.endsWith("-SNAPSHOT");
    }
  }
}
