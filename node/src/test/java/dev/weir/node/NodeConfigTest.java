package dev.weir.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.node.NodeConfig.CommandLineOptions;
import dev.weir.node.cli.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeConfigTest {
  @TempDir Path folder;

  @Test
  void withoutOptionsTheNodeListensOnLoopbackOnly() {
    NodeConfig config = NodeConfig.of(options(Optional.empty()));
    assertThat(config.http()).isEqualTo(new HostPort("127.0.0.1", 9200));
    assertThat(config.broker().listeners())
        .singleElement()
        .satisfies(
            listener -> {
              assertThat(listener.host()).isEqualTo("127.0.0.1");
              assertThat(listener.port()).isEqualTo(9092);
            });
    assertThat(config.data()).isEqualTo(Path.of("data"));
  }

  @Test
  void theCommandLineGoesBeforeTheFile() throws IOException {
    Path file = file("log.dirs=/from/the/file\nweir.http.listener=127.0.0.1:1\n");
    NodeConfig config =
        NodeConfig.of(
            new CommandLineOptions(
                Optional.of(Path.of("/from/the/line")),
                Optional.empty(),
                Optional.of(new HostPort("127.0.0.1", 2)),
                Optional.of(file)));
    assertThat(config.data()).isEqualTo(Path.of("/from/the/line"));
    assertThat(config.http().port()).isEqualTo(2);
  }

  @Test
  void anUnknownPropertyIsNamedWithItsFile() throws IOException {
    Path file = file("num.partitons=3\n");
    assertThatThrownBy(() -> NodeConfig.of(options(Optional.of(file))))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("num.partitons")
        .hasMessageContaining("num.partitions")
        .hasMessageContaining(file.toString());
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = folder.resolve("missing.properties");
    assertThatThrownBy(() -> NodeConfig.of(options(Optional.of(missing))))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(missing.toString());
  }

  @Test
  void severalDataDirectoriesAreRefused() throws IOException {
    Path file = file("log.dirs=/a,/b\n");
    assertThatThrownBy(() -> NodeConfig.of(options(Optional.of(file))))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("/a,/b");
  }

  private static CommandLineOptions options(Optional<Path> file) {
    return new CommandLineOptions(Optional.empty(), Optional.empty(), Optional.empty(), file);
  }

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("node.properties"), content);
  }
}
