package dev.weir.node;

import dev.weir.broker.config.BrokerConfig;
import dev.weir.broker.config.ConfigException;
import dev.weir.node.cli.HostPort;
import dev.weir.search.document.Documents.AutoCreation;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * How a node is set up: from a file of properties under Kafka's names, with the command line going
 * before the file.
 *
 * @param data the data directory
 * @param http where the HTTP face listens
 * @param clusterId the cluster that the directory must belong to, or is formatted for
 * @param autoCreation whether writing to an index that does not exist makes it
 * @param models how models are run
 * @param broker the rest, checked
 */
record NodeConfig(
    Path data,
    HostPort http,
    Optional<String> clusterId,
    AutoCreation autoCreation,
    ModelConfig models,
    BrokerConfig broker) {
  static final HostPort DEFAULT_KAFKA = new HostPort("127.0.0.1", 9092);
  static final HostPort DEFAULT_HTTP = new HostPort("127.0.0.1", 9200);
  static final Path DEFAULT_DATA = Path.of("data");

  private static final String LOG_DIRS = "log.dirs";
  private static final String LOG_DIR = "log.dir";
  private static final String LISTENERS = "listeners";
  private static final String HTTP_LISTENER = "weir.http.listener";

  /** Property that names the cluster; without it a new directory gets a random one. */
  static final String CLUSTER_ID = "weir.cluster.id";

  /** Kafka's own name for it; there it is for the Kafka face alone. */
  static final String REQUEST_MEMORY = "queued.max.request.bytes";

  /** Kafka's default, which means no bound there, and here one that follows from the JVM's. */
  private static final long REQUEST_MEMORY_UNSET = -1;

  /**
   * A request is copied once or twice while it is handled, and there is more than requests: so of
   * the heap, and of the memory outside it, one part in so many is for requests.
   */
  private static final int REQUEST_MEMORY_PART = 4;

  /** OpenSearch's own name for it. */
  private static final String AUTO_CREATE_INDEX = "action.auto_create_index";

  /**
   * What the command line says; empty where it says nothing.
   *
   * @param file a file of properties
   */
  record CommandLineOptions(
      Optional<Path> data,
      Optional<HostPort> kafka,
      Optional<HostPort> http,
      Optional<Path> file) {}

  /**
   * Reads and checks the configuration.
   *
   * @throws StartFailure if the file cannot be read, or a property is unknown or wrong
   */
  static NodeConfig of(CommandLineOptions options) {
    Map<String, String> properties = new HashMap<>();
    options.file().ifPresent(file -> properties.putAll(read(file)));
    options.data().ifPresent(data -> properties.put(LOG_DIRS, data.toString()));
    options.kafka().ifPresent(kafka -> properties.put(LISTENERS, "PLAINTEXT://" + kafka));
    properties.putIfAbsent(LISTENERS, "PLAINTEXT://" + DEFAULT_KAFKA);
    HostPort http =
        options
            .http()
            .or(() -> Optional.ofNullable(properties.get(HTTP_LISTENER)).map(NodeConfig::address))
            .orElse(DEFAULT_HTTP);
    properties.remove(HTTP_LISTENER);
    Optional<String> clusterId = Optional.ofNullable(properties.remove(CLUSTER_ID));
    AutoCreation autoCreation = autoCreation(properties.remove(AUTO_CREATE_INDEX));
    ModelConfig models = ModelConfig.taken(properties);
    try {
      NodeConfig config =
          new NodeConfig(
              dataDirectory(properties),
              http,
              clusterId,
              autoCreation,
              models,
              BrokerConfig.parse(properties));
      config.checkRequestMemory();
      return config;
    } catch (ConfigException e) {
      String where = options.file().map(file -> " (in " + file + ")").orElse("");
      throw new StartFailure(e.getMessage() + where, e);
    }
  }

  /** Bytes of requests that come in, of both faces together. */
  long requestMemoryBytes() {
    long given = givenRequestMemory();
    if (given != REQUEST_MEMORY_UNSET) {
      return given;
    }
    long least = Math.min(Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory());
    return Math.max(least / REQUEST_MEMORY_PART, RequestMemoryPool.BYTES_MIN);
  }

  private long givenRequestMemory() {
    return broker.value(REQUEST_MEMORY).map(Long::parseLong).orElse(REQUEST_MEMORY_UNSET);
  }

  private void checkRequestMemory() {
    long given = givenRequestMemory();
    if (given != REQUEST_MEMORY_UNSET && given < RequestMemoryPool.BYTES_MIN) {
      throw new ConfigException(
          "property "
              + REQUEST_MEMORY
              + " is "
              + given
              + ", expected at least "
              + RequestMemoryPool.BYTES_MIN
              + ", or -1 for a part of the heap");
    }
  }

  private static Path dataDirectory(Map<String, String> properties) {
    String directories = properties.getOrDefault(LOG_DIRS, properties.get(LOG_DIR));
    if (directories == null) {
      return DEFAULT_DATA;
    }
    if (directories.contains(",")) {
      throw new StartFailure(
          LOG_DIRS + "=" + directories + " names several directories; a node has one, name that");
    }
    return Path.of(directories);
  }

  private static AutoCreation autoCreation(@Nullable String value) {
    return switch (value) {
      case null -> AutoCreation.ON;
      case "true" -> AutoCreation.ON;
      case "false" -> AutoCreation.OFF;
      default ->
          throw new StartFailure(
              AUTO_CREATE_INDEX
                  + "="
                  + value
                  + " is neither true nor false; patterns are not served");
    };
  }

  private static HostPort address(String text) {
    try {
      return HostPort.parse(text);
    } catch (IllegalArgumentException e) {
      throw new StartFailure(HTTP_LISTENER + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, String> read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new StartFailure("there is no file " + file + "; check the path of --config", e);
    } catch (IOException | IllegalArgumentException e) {
      throw new StartFailure(
          "cannot read the properties in " + file + " (" + e + "); check the path and its content",
          e);
    }
    Map<String, String> read = new HashMap<>();
    properties.stringPropertyNames().forEach(name -> read.put(name, properties.getProperty(name)));
    return read;
  }
}
