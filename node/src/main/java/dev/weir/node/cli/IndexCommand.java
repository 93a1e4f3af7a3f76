package dev.weir.node.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code weir index}: creates, lists, describes, deletes and fills indexes. */
@Command(
    name = "index",
    description = "Create, list, describe, delete or fill an index.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
public final class IndexCommand {
  /** One request of a load; large enough to amortise it, far below the body limit. */
  private static final int LOAD_CHARS = 4 << 20;

  private static final JsonMapper MAPPER = new JsonMapper();

  @Spec private CommandSpec spec;

  @Command(name = "create", description = "Create an index.", mixinStandardHelpOptions = true)
  int create(
      @Mixin HttpOptions http,
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--shards", defaultValue = "1", description = "default: ${DEFAULT-VALUE}")
          int shards,
      @Option(
              names = {"-f", "--file"},
              paramLabel = "FILE",
              description = "settings and mappings as JSON")
          @Nullable Path file)
      throws IOException {
    ObjectNode body =
        file == null
            ? MAPPER.createObjectNode()
            : (ObjectNode) MAPPER.readTree(Files.readString(file, StandardCharsets.UTF_8));
    if (file == null) {
      body.putObject("settings").put("index.number_of_shards", shards);
    }
    out().println(http.send("PUT", pathOf(name), MAPPER.writeValueAsString(body)));
    return 0;
  }

  @Command(name = "list", description = "List all indexes.", mixinStandardHelpOptions = true)
  int list(@Mixin HttpOptions http) {
    out().print(http.send("GET", "/_cat/indices?v"));
    out().flush();
    return 0;
  }

  @Command(
      name = "describe",
      description = "Show an index's settings and mappings.",
      mixinStandardHelpOptions = true)
  int describe(@Mixin HttpOptions http, @Parameters(paramLabel = "NAME") String name) {
    out().println(http.send("GET", pathOf(name) + "?pretty").strip());
    return 0;
  }

  @Command(name = "delete", description = "Delete an index.", mixinStandardHelpOptions = true)
  int delete(@Mixin HttpOptions http, @Parameters(paramLabel = "NAME") String name) {
    out().println(http.send("DELETE", pathOf(name)));
    return 0;
  }

  @Command(
      name = "load",
      description = "Index the JSON documents of a file, one a line, gzipped or not.",
      mixinStandardHelpOptions = true)
  int load(
      @Mixin HttpOptions http,
      @Parameters(paramLabel = "NAME") String name,
      @Parameters(paramLabel = "FILE") Path file,
      @Option(
              names = "--id",
              paramLabel = "FIELD",
              defaultValue = "_id",
              description = "the field that holds the id (default: ${DEFAULT-VALUE})")
          String idField)
      throws IOException {
    InputFile.require("FILE", file);
    long count = 0;
    try (BufferedReader lines = open(file)) {
      StringBuilder batch = new StringBuilder();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          count++;
          appendTo(batch, line, idField, count);
        }
        if (batch.length() >= LOAD_CHARS) {
          send(http, name, batch);
        }
      }
      send(http, name, batch);
    }
    http.send("POST", pathOf(name) + "/_refresh");
    out().println("indexed " + count + " document(s) into " + name);
    return 0;
  }

  private static BufferedReader open(Path file) throws IOException {
    InputStream bytes = Files.newInputStream(file);
    if (file.toString().endsWith(".gz")) {
      bytes = new GZIPInputStream(bytes);
    }
    return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
  }

  private static void appendTo(StringBuilder batch, String line, String idField, long number) {
    try {
      ObjectNode document = (ObjectNode) MAPPER.readTree(line);
      ObjectNode action = MAPPER.createObjectNode();
      ObjectNode target = action.putObject("index");
      Optional.ofNullable(document.remove(idField))
          .map(JsonNode::asString)
          .ifPresent(id -> target.put("_id", id));
      batch.append(action).append('\n').append(document).append('\n');
    } catch (JacksonException | ClassCastException e) {
      throw new CommandFailure("document " + number + " is no JSON object: " + line, e);
    }
  }

  private static void send(HttpOptions http, String name, StringBuilder batch) {
    if (batch.isEmpty()) {
      return;
    }
    JsonNode answer = MAPPER.readTree(http.send("POST", pathOf(name) + "/_bulk", batch.toString()));
    batch.setLength(0);
    if (answer.path("errors").asBoolean()) {
      for (JsonNode item : answer.path("items")) {
        JsonNode error = item.path("index").path("error");
        if (!error.isMissingNode()) {
          throw new CommandFailure(
              "document '" + item.path("index").path("_id").asString() + "' was refused: " + error);
        }
      }
    }
  }

  private static String pathOf(String name) {
    return "/" + SearchCommand.encoded(name);
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
