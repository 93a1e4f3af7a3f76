package dev.weir.node;

import dev.weir.controller.Formatter;
import dev.weir.log.DirectoryLockedException;
import dev.weir.log.FormatTooNewException;
import dev.weir.log.LogDirectory;
import dev.weir.log.LogException;
import dev.weir.log.MetaProperties;
import dev.weir.protocol.Uuids;
import dev.weir.raft.Voter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The data directory of a node: locked, and formatted or found to be the right one. */
final class DataDirectory {
  /** Name of the listener by which voters would reach each other; a lone voter opens none. */
  private static final String CONTROLLER_LISTENER = "CONTROLLER";

  private final LogDirectory directory;
  private final MetaProperties identity;

  private DataDirectory(LogDirectory directory, MetaProperties identity) {
    this.directory = directory;
    this.identity = identity;
  }

  LogDirectory directory() {
    return directory;
  }

  MetaProperties identity() {
    return identity;
  }

  /**
   * Locks the directory and formats it on first use.
   *
   * @throws StartFailure if it is locked, not writable, foreign, of another cluster or too new
   */
  static DataDirectory open(
      NodeConfig config, InstantSource clock, Identities ids, Descriptors descriptors) {
    Path path = config.data();
    requireOursOrEmpty(path);
    requireRightIdentity(config); // before the lock, which leaves a file behind
    LogDirectory directory;
    try {
      directory = LogDirectory.open(path, clock, descriptors.logFilesMax());
    } catch (DirectoryLockedException e) {
      throw new StartFailure(
          "data directory "
              + path
              + " is in use by another node: stop that node, or choose another with --data DIR",
          e);
    } catch (LogException e) {
      throw new StartFailure(
          "data directory "
              + path
              + " is not writable ("
              + rootMessage(e)
              + "): mend its permissions, or choose another with --data DIR",
          e);
    }
    try {
      return new DataDirectory(directory, identified(directory, config, clock, ids));
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  private static MetaProperties identified(
      LogDirectory directory, NodeConfig config, InstantSource clock, Identities ids) {
    Optional<MetaProperties> found = directory.metaProperties();
    if (found.isPresent()) {
      return found.get();
    }
    MetaProperties fresh =
        new MetaProperties(
            config.clusterId().orElseGet(() -> Uuids.toText(ids.next())),
            config.broker().nodeId(),
            ids.next());
    Formatter.format(
        directory, fresh, new Voter.Endpoint(CONTROLLER_LISTENER, "127.0.0.1", 0), clock.millis());
    return fresh;
  }

  private static void requireRightIdentity(NodeConfig config) {
    Optional<MetaProperties> found;
    try {
      found = MetaProperties.read(config.data());
    } catch (FormatTooNewException e) {
      throw new StartFailure(
          "data directory "
              + config.data()
              + " has a newer format ("
              + e.getMessage()
              + "): start it with the version that wrote it, or choose another with --data DIR",
          e);
    } catch (LogException e) {
      throw new StartFailure(
          "data directory "
              + config.data()
              + " does not say whose it is ("
              + e.getMessage()
              + "): restore that file, or choose another with --data DIR",
          e);
    }
    found.ifPresent(identity -> requireRight(identity, config));
  }

  private static void requireRight(MetaProperties identity, NodeConfig config) {
    Optional<String> wantedCluster = config.clusterId();
    if (wantedCluster.isPresent() && !wantedCluster.get().equals(identity.clusterId())) {
      throw new StartFailure(
          "data directory "
              + config.data()
              + " belongs to cluster "
              + identity.clusterId()
              + ", not to "
              + NodeConfig.CLUSTER_ID
              + "="
              + wantedCluster.get()
              + ": name that cluster, or choose another directory with --data DIR");
    }
    if (identity.nodeId() != config.broker().nodeId()) {
      throw new StartFailure(
          "data directory "
              + config.data()
              + " belongs to node.id="
              + identity.nodeId()
              + ", not to node.id="
              + config.broker().nodeId()
              + ": set that id, or choose another directory with --data DIR");
    }
  }

  /** A directory with strange files is more likely a typing mistake than a wish. */
  private static void requireOursOrEmpty(Path path) {
    if (!Files.exists(path) || Files.exists(path.resolve(MetaProperties.FILE_NAME))) {
      return;
    }
    if (!Files.isDirectory(path)) {
      throw new StartFailure(
          "data directory " + path + " is a file: choose a directory with --data DIR");
    }
    List<String> names;
    try (Stream<Path> entries = Files.list(path)) {
      names =
          entries
              .map(entry -> String.valueOf(entry.getFileName()))
              .filter(name -> !DIRECTORY_LEFTOVERS.contains(name))
              .limit(1)
              .toList();
    } catch (IOException e) {
      throw new StartFailure(
          "data directory "
              + path
              + " is not readable ("
              + e
              + "): mend its permissions, or choose another with --data DIR",
          e);
    }
    if (!names.isEmpty()) {
      throw new StartFailure(
          "data directory "
              + path
              + " is neither empty nor a node's (it holds '"
              + names.getFirst()
              + "' and no "
              + MetaProperties.FILE_NAME
              + "): choose another with --data DIR");
    }
  }

  /** What a format that was cut short leaves, and what file systems put into an empty directory. */
  private static final List<String> DIRECTORY_LEFTOVERS =
      List.of(
          ".lock",
          "__cluster_metadata-0",
          MetaProperties.FILE_NAME + ".tmp",
          "lost+found",
          "bootstrap.checkpoint");

  static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.toString();
  }
}
