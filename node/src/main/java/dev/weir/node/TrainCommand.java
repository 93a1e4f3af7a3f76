package dev.weir.node;

import dev.weir.node.cli.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Runs a node through what a first user does, in a directory of its own on free ports, and stops.
 * The launcher runs it once after a build, so that the virtual machine can write down which classes
 * a start needs; that halves the time of every later start.
 */
@Command(name = "train", hidden = true, description = "Exercise a node for the start-up cache.")
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
final class TrainCommand implements Callable<Integer> {
  private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

  private static final String MAPPING =
      """
      {"settings": {"index.knn": true},
       "mappings": {"properties": {
         "text": {"type": "text"}, "tag": {"type": "keyword"},
         "vector": {"type": "knn_vector", "dimension": 2, "space_type": "l2"}}}}
      """;

  private static final String DOCUMENTS =
      """
      {"_id": "1", "text": "a weir is built of logs", "tag": "a", "vector": [1, 0]}
      {"_id": "2", "text": "and it filters", "tag": "b", "vector": [0, 1], "number": 1}
      """;

  private static final String HYBRID =
      """
      {"query": {"hybrid": {
        "queries": [{"match": {"text": "logs"}}, {"knn": {"vector": {"vector": [1, 0], "k": 2}}}],
        "filter": {"term": {"tag": "a"}}}}}
      """;

  private final InstantSource clock;

  @Spec private CommandSpec spec;

  TrainCommand(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    Path data = Files.createTempDirectory("weir-train");
    try (Node node =
        Node.start(
            NodeConfig.of(
                new NodeConfig.CommandLineOptions(
                    Optional.of(data),
                    Optional.of(ANY_PORT),
                    Optional.of(ANY_PORT),
                    Optional.empty())),
            clock,
            () -> {
              throw new IllegalStateException("the node lost its metadata log in training");
            })) {
      Rehearsal rehearsal = new Rehearsal(node.kafkaAddress(), node.httpAddress(), clock);
      rehearsal.topicIsWrittenAndRead();
      rehearsal.indexIsFilledAndSearched(MAPPING, DOCUMENTS, HYBRID);
    } finally {
      delete(data);
    }
    spec.commandLine().getOut().println("trained");
    return 0;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
