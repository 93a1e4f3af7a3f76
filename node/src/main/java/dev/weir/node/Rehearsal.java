package dev.weir.node;

import dev.weir.node.cli.ConsumeCommand;
import dev.weir.node.cli.HostPort;
import dev.weir.node.cli.IndexCommand;
import dev.weir.node.cli.ProduceCommand;
import dev.weir.node.cli.SearchCommand;
import dev.weir.node.cli.TopicCommand;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import picocli.CommandLine;

/** A first user's session against a running node, through the very commands a user types. */
final class Rehearsal {
  private static final String NAME = "rehearsal";

  private final String kafka;
  private final String http;
  private final InstantSource clock;

  Rehearsal(HostPort kafka, HostPort http, InstantSource clock) {
    this.kafka = kafka.toString();
    this.http = http.toString();
    this.clock = clock;
  }

  void topicIsWrittenAndRead() {
    run(new TopicCommand(), "create", NAME + "-topic", "--kafka", kafka);
    InputStream lines = new ByteArrayInputStream("a:1\nb:2\n".getBytes(StandardCharsets.UTF_8));
    run(new ProduceCommand(clock, lines), NAME + "-topic", "-K", ":", "--kafka", kafka);
    run(new ConsumeCommand(), NAME + "-topic", "--count", "2", "--kafka", kafka);
    run(new TopicCommand(), "describe", NAME + "-topic", "--kafka", kafka);
  }

  void indexIsFilledAndSearched(String definition, String documents, String search)
      throws IOException {
    Path file = Files.createTempFile(NAME, ".json");
    try {
      Files.writeString(file, definition);
      run(new IndexCommand(), "create", NAME, "-f", file.toString(), "--http", http);
      Files.writeString(file, documents);
      run(new IndexCommand(), "load", NAME, file.toString(), "--http", http);
      search(search);
      run(new IndexCommand(), "list", "--http", http);
    } finally {
      Files.delete(file);
    }
  }

  /** Searches the index that was filled before, and gives what a user would see. */
  String search(String body) {
    return run(new SearchCommand(), NAME, body, "--http", http);
  }

  private static String run(Object command, String... arguments) {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(command)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(Writer.nullWriter()))
            .setExecutionExceptionHandler(
                (failure, _, _) -> {
                  throw failure;
                })
            .execute(arguments);
    if (code != 0) {
      throw new IllegalStateException(
          String.join(" ", arguments) + " ended with exit code " + code);
    }
    return out.toString();
  }
}
