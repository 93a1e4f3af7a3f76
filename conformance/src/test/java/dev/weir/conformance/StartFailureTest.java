package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.conformance.NodeProcess.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that cannot start says why and what helps, in one line, ends with an exit code that is not
 * zero, and leaves the disk as it was.
 */
final class StartFailureTest {
  private static final String ANY_PORT = "127.0.0.1:0";
  private static final int USAGE = 2;

  /** What the JVM says whenever a module is on its way to become a standard one; not ours. */
  private static final String JVM_NOTICE = "WARNING: Using incubator modules";

  @TempDir private Path folder;
  private Path data;

  @BeforeEach
  void nameData() {
    data = folder.resolve("data");
  }

  @Test
  void portInUse() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertRefused(NodeProcess.startRefused(data, address, ANY_PORT), address, "--kafka");
      assertRefused(NodeProcess.startRefused(data, ANY_PORT, address), address, "--http");
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void directoryLockedByAnotherNode() {
    try (NodeProcess _ = NodeProcess.start(data)) {
      Refusal second = NodeProcess.startRefused(data, ANY_PORT, ANY_PORT);
      assertRefused(second, data.toString(), "in use by another node", "--data");
    }
  }

  @Test
  void directoryThatCannotBeMade() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "not a directory");
    Path below = file.resolve("data");
    assertRefused(NodeProcess.startRefused(below, ANY_PORT, ANY_PORT), below.toString(), "--data");
    assertRefused(NodeProcess.startRefused(file, ANY_PORT, ANY_PORT), file.toString(), "--data");
    assertThat(file).hasContent("not a directory");
  }

  @Test
  void directoryOfSomethingElse() throws IOException {
    Files.createDirectory(data);
    Files.writeString(data.resolve("holiday.txt"), "sea");
    Map<Path, FileTime> before = filesOf(folder);
    Refusal refusal = NodeProcess.startRefused(data, ANY_PORT, ANY_PORT);
    assertRefused(refusal, "holiday.txt", "--data");
    assertThat(filesOf(folder)).isEqualTo(before);
  }

  @Test
  void directoryOfAnotherCluster() throws IOException {
    try (NodeProcess node = NodeProcess.start(data)) {
      assertThat(node.terminate()).isEqualTo(NodeProcess.ENDED_BY_SIGTERM);
    }
    Path config =
        Files.writeString(folder.resolve("c"), "weir.cluster.id=AAAAAAAAAAAAAAAAAAAAAQ\n");
    Map<Path, FileTime> before = filesOf(data);
    Refusal refusal =
        NodeProcess.startRefused(data, ANY_PORT, ANY_PORT, "--config", config.toString());
    assertRefused(refusal, "belongs to cluster", "AAAAAAAAAAAAAAAAAAAAAQ", "--data");
    assertThat(filesOf(data)).isEqualTo(before);
  }

  @Test
  void directoryOfANewerFormat() throws IOException {
    assertIdentityRefused(/* version= */ 2, /* nodeId= */ 1, "newer format", "version is 2");
  }

  @Test
  void directoryOfAnotherNode() throws IOException {
    assertIdentityRefused(/* version= */ 1, /* nodeId= */ 7, "belongs to node.id=7", "set that id");
  }

  private void assertIdentityRefused(int version, int nodeId, String reason, String more)
      throws IOException {
    Files.createDirectory(data);
    Files.writeString(
        data.resolve("meta.properties"),
        "version="
            + version
            + "\ncluster.id=AAAAAAAAAAAAAAAAAAAAAQ\nnode.id="
            + nodeId
            + "\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAg\n");
    Map<Path, FileTime> before = filesOf(data);
    assertRefused(NodeProcess.startRefused(data, ANY_PORT, ANY_PORT), reason, more, "--data");
    assertThat(filesOf(data)).isEqualTo(before);
  }

  @Test
  void damagedIdentity() throws IOException {
    Files.createDirectory(data);
    Files.writeString(data.resolve("meta.properties"), "version=1\nnode.id=1\n");
    Refusal refusal = NodeProcess.startRefused(data, ANY_PORT, ANY_PORT);
    assertRefused(refusal, "cluster.id is missing", "meta.properties", "--data");
  }

  @Test
  void unknownOption() {
    Refusal refusal = NodeProcess.startRefused(data, ANY_PORT, ANY_PORT, "--dta");
    assertThat(refusal.output()).contains("--dta");
    assertThat(refusal.exitCode()).isEqualTo(USAGE);
    assertThat(data).doesNotExist();
  }

  @Test
  void addressThatIsNone() {
    Refusal refusal = NodeProcess.startRefused(data, "nine thousand", ANY_PORT);
    assertThat(refusal.output()).contains("nine thousand", "HOST:PORT");
    assertThat(refusal.exitCode()).isEqualTo(USAGE);
    assertThat(data).doesNotExist();
  }

  @Test
  void unknownProperty() throws IOException {
    Path config = Files.writeString(folder.resolve("c"), "num.partitons=3\n");
    Refusal refusal =
        NodeProcess.startRefused(data, ANY_PORT, ANY_PORT, "--config", config.toString());
    assertRefused(refusal, "num.partitons", "num.partitions", config.toString());
    assertThat(data).doesNotExist();
  }

  @Test
  void propertyWithAnImpossibleValue() throws IOException {
    Path config = Files.writeString(folder.resolve("c"), "num.partitions=many\n");
    Refusal refusal =
        NodeProcess.startRefused(data, ANY_PORT, ANY_PORT, "--config", config.toString());
    assertRefused(refusal, "num.partitions", "many", "a whole number");
    assertThat(data).doesNotExist();
  }

  @Test
  void configThatIsNotThere() {
    Path absent = folder.resolve("absent.properties");
    Refusal refusal =
        NodeProcess.startRefused(data, ANY_PORT, ANY_PORT, "--config", absent.toString());
    assertRefused(refusal, absent.toString(), "check the path");
    assertThat(data).doesNotExist();
  }

  private static void assertRefused(Refusal refusal, String... words) {
    assertThat(refusal.output()).contains(words);
    assertThat(refusal.output().lines().filter(line -> !line.startsWith(JVM_NOTICE)))
        .as(refusal.output())
        .hasSize(1);
    assertThat(refusal.exitCode()).isEqualTo(1);
  }

  /** All files with the time of their last change. */
  private static Map<Path, FileTime> filesOf(Path directory) throws IOException {
    Map<Path, FileTime> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(file, Files.getLastModifiedTime(file));
      }
    }
    return files;
  }
}
