package dev.weir.node.cli;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir search}: runs a search, given as JSON, and prints the answer. */
@Command(
    name = "search",
    description = "Run a search and print the answer.",
    subcommands = TuneCommand.class,
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
public final class SearchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HttpOptions http;

  // Not required by the parser, which would ask for it beside a subcommand too.
  @Parameters(index = "0", arity = "0..1", paramLabel = "INDEX")
  private Optional<String> index = Optional.empty();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "JSON",
      description = "the body of the search; without it everything is found")
  private Optional<String> json = Optional.empty();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "read the body from this file")
  private Optional<Path> file = Optional.empty();

  @Option(names = "--pipeline", paramLabel = "NAME", description = "the search pipeline to use")
  private Optional<String> pipeline = Optional.empty();

  @Override
  public Integer call() throws IOException {
    String name =
        index.orElseThrow(
            () ->
                new ParameterException(spec.commandLine(), "Missing required parameter: 'INDEX'"));
    file.ifPresent(named -> InputFile.require("--file", named));
    String body =
        file.isPresent() ? Files.readString(file.get(), StandardCharsets.UTF_8) : json.orElse("{}");
    String path =
        "/"
            + encoded(name)
            + "/_search?pretty"
            + pipeline.map(id -> "&search_pipeline=" + encoded(id)).orElse("");
    spec.commandLine().getOut().println(http.send("POST", path, body).strip());
    return 0;
  }

  static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
