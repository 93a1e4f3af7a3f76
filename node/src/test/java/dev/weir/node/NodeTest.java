package dev.weir.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.node.NodeConfig.CommandLineOptions;
import dev.weir.node.cli.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeTest {
  private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

  private final Clock clock = Clock.systemUTC();

  @TempDir Path folder;

  @Test
  void aFirstSessionWorksAndSurvivesARestart() throws IOException {
    Path data = folder.resolve("data");
    try (Node node = start(config(data, ANY_PORT, ANY_PORT))) {
      Rehearsal rehearsal = new Rehearsal(node.kafkaAddress(), node.httpAddress(), clock);
      rehearsal.topicIsWrittenAndRead();
      rehearsal.indexIsFilledAndSearched(
          "{\"settings\": {\"number_of_shards\": 2}}",
          "{\"_id\": \"1\", \"text\": \"a weir\"}\n",
          "{\"query\": {\"match\": {\"text\": \"weir\"}}}");
    }
    try (Node node = start(config(data, ANY_PORT, ANY_PORT))) {
      Rehearsal rehearsal = new Rehearsal(node.kafkaAddress(), node.httpAddress(), clock);
      assertThat(rehearsal.search("{\"query\": {\"match\": {\"text\": \"weir\"}}}"))
          .contains("\"_id\" : \"1\"");
    }
  }

  @Test
  void aFormatThatWasCutShortBeginsAgain() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.createDirectory(data.resolve("__cluster_metadata-0"));
    Files.writeString(data.resolve("meta.properties.tmp"), "version=1");
    DataDirectory opened =
        DataDirectory.open(
            config(data, ANY_PORT, ANY_PORT), clock, new Identities(), Descriptors.ofProcess());
    assertThat(opened.directory().metaProperties()).contains(opened.identity());
    opened.directory().close();
  }

  @Test
  void aTakenPortIsNamedAndNothingIsWritten() throws IOException {
    Path data = folder.resolve("data");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      HostPort address = new HostPort("127.0.0.1", taken.getLocalPort());
      assertThatThrownBy(() -> start(config(data, address, ANY_PORT)))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining(address.toString())
          .hasMessageContaining("--kafka");
      assertThatThrownBy(() -> start(config(data, ANY_PORT, address)))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining(address.toString())
          .hasMessageContaining("--http");
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void aDirectoryInUseIsRefused() {
    Path data = folder.resolve("data");
    try (Node _ = start(config(data, ANY_PORT, ANY_PORT))) {
      assertThatThrownBy(() -> start(config(data, ANY_PORT, ANY_PORT)))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("in use by another node");
    }
  }

  @Test
  void aDirectoryOfSomethingElseIsRefusedAndLeftAlone() throws IOException {
    Path data = Files.createDirectory(folder.resolve("photos"));
    Files.writeString(data.resolve("cat.txt"), "meow");
    assertThatThrownBy(() -> start(config(data, ANY_PORT, ANY_PORT)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("cat.txt");
    assertThat(data).isDirectoryNotContaining("glob:**.lock");
  }

  @Test
  void aDirectoryOfANewerFormatIsRefused() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(
        data.resolve("meta.properties"),
        "version=7\ncluster.id=x\nnode.id=1\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAQ\n");
    assertThatThrownBy(() -> start(config(data, ANY_PORT, ANY_PORT)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("newer format");
  }

  private Node start(NodeConfig config) {
    return Node.start(
        config,
        clock,
        () -> {
          throw new AssertionError("the node lost its metadata log");
        });
  }

  private static NodeConfig config(Path data, HostPort kafka, HostPort http) {
    return NodeConfig.of(
        new CommandLineOptions(
            Optional.of(data), Optional.of(kafka), Optional.of(http), Optional.empty()));
  }
}
