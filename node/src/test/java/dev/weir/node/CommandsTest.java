package dev.weir.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.NodeConfig.CommandLineOptions;
import dev.weir.node.cli.HostPort;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a user is told by the commands, where it is not what they hoped for. */
final class CommandsTest {
  /** The topic of dead letters is made beside everything else. */
  private static final int TRIES_MAX = 200;

  private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

  @TempDir private static Path folder;
  private static Node node;

  @BeforeAll
  static void start() {
    NodeConfig config =
        NodeConfig.of(
            new CommandLineOptions(
                Optional.of(folder.resolve("data")),
                Optional.of(ANY_PORT),
                Optional.of(ANY_PORT),
                Optional.empty()));
    node =
        Node.start(
            config,
            Clock.systemUTC(),
            () -> {
              throw new AssertionError("the node lost its metadata log");
            });
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** How a command ended, and what it printed to both streams together. */
  private record Outcome(int exitCode, String text) {}

  private static Outcome kafka(String input, String... arguments) {
    return run(input, "--kafka", node.kafkaAddress(), arguments);
  }

  private static Outcome http(String... arguments) {
    return run("", "--http", node.httpAddress(), arguments);
  }

  private static Outcome run(String input, String option, HostPort address, String... arguments) {
    StringWriter printed = new StringWriter();
    List<String> line = new ArrayList<>(List.of(arguments));
    line.add(option);
    line.add(address.toString());
    CommandLine commands =
        Main.commandLine(
            Clock.systemUTC(), new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    int exitCode =
        commands
            .setOut(new PrintWriter(printed))
            .setErr(new PrintWriter(printed))
            .execute(line.toArray(String[]::new));
    return new Outcome(exitCode, printed.toString().strip());
  }

  @Test
  void lineWithoutASeparatorIsNumberedAndWhatStandsBeforeItIsWritten() {
    kafka("", "topic", "create", "lines");
    assertThat(kafka("a:1\nb:2\nc3\nd:4\n", "produce", "lines", "-K", ":"))
        .isEqualTo(
            new Outcome(
                1,
                "weir: line 3 has no key separator ':': c3 (2 record(s) before it were produced to"
                    + " lines)"));
    assertThat(kafka("", "consume", "lines", "-K", "=", "--exit"))
        .isEqualTo(new Outcome(0, "a=1" + System.lineSeparator() + "b=2"));
  }

  @Test
  void topicThatIsNotThereIsAnsweredWithTheCommandThatMakesIt() {
    Outcome missing =
        new Outcome(
            1,
            "weir: there is no topic 'nope'; './weir topic create nope' makes it, './weir topic"
                + " list' shows those that there are");
    assertThat(kafka("", "consume", "nope")).isEqualTo(missing);
    assertThat(kafka("a\n", "produce", "nope")).isEqualTo(missing);
  }

  @Test
  void deadLetterIsPrintedWithItsReason() throws IOException {
    Path nothing = Files.createFile(folder.resolve("nothing.ndjson"));
    http("index", "create", "books");
    kafka("1:no document\n", "produce", "books", "-K", ":");
    Outcome letters = new Outcome(1, "not asked yet");
    for (int i = 0; i < TRIES_MAX && letters.exitCode() != 0; i++) {
      http("index", "load", "books", nothing.toString()); // refreshes, so the record is looked at
      letters = kafka("", "consume", "books.dlq", "--count", "1", "-K", ":");
    }
    assertThat(letters.exitCode()).isZero();
    assertThat(letters.text().lines().toList()).hasSize(2).last().isEqualTo("1:no document");
    assertThat(letters.text()).startsWith("[weir.error.type=").contains("weir.error.reason=");
  }

  @Test
  void headersOfOtherTopicsArePrintedWhenAskedFor() {
    kafka("", "topic", "create", "plain");
    kafka("a\n", "produce", "plain");
    assertThat(kafka("", "consume", "plain", "--exit").text()).isEqualTo("a");
    assertThat(kafka("", "consume", "plain", "--exit", "--headers").text())
        .isEqualTo("[]" + System.lineSeparator() + "a");
  }

  @Test
  void filesOfATuningAreLookedAtBeforeAnythingElse() throws IOException {
    Path there = Files.writeString(folder.resolve("there.json"), "{}");
    Path missing = folder.resolve("missing.json");
    assertThat(tune("books", missing, there))
        .isEqualTo(new Outcome(2, "weir: --query names " + missing + ": there is no such file"));
    assertThat(tune("books", there, folder))
        .isEqualTo(new Outcome(2, "weir: --questions names " + folder + ": that is a folder"));
  }

  @Test
  void indexThatIsNotThereIsNoticedBeforeATuningBegins() throws IOException {
    Path there = Files.writeString(folder.resolve("query.json"), "{}");
    assertThat(tune("nope", there, there))
        .isEqualTo(
            new Outcome(
                2,
                "weir: there is no index 'nope'; './weir index list' shows those that there are"));
  }

  @Test
  void queryThatIsNoJsonIsToldWithItsPlace() throws IOException {
    http("index", "create", "notes");
    Path broken = Files.writeString(folder.resolve("broken.json"), "{\"query\":\n [1");
    assertThat(tune("notes", broken, broken).text())
        .startsWith("weir: " + broken + " is no JSON at line 2, column ")
        .endsWith("Unexpected end-of-input: an array is not closed where the text ends");
  }

  @Test
  void queryWithMoreBehindItIsToldInWordsOfOurs() throws IOException {
    http("index", "create", "notes");
    Path two = Files.writeString(folder.resolve("two.json"), "{\"query\": {}}\n{}");
    assertThat(tune("notes", two, two).text())
        .isEqualTo(
            "weir: "
                + two
                + " is no JSON at line 2, column 1: more follows after the end of the JSON value");
  }

  @Test
  void nothingIsChosenWhereNoSettingFindsAJudgedDocument() throws IOException {
    http("index", "create", "plays");
    Path query =
        Files.writeString(
            folder.resolve("hybrid.json"),
            "{\"query\":{\"hybrid\":{\"queries\":[{\"match\":{\"t\":\"{{q}}\"}},"
                + "{\"match\":{\"u\":\"{{q}}\"}}]}}}");
    StringBuilder questions = new StringBuilder();
    StringBuilder judgements = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      questions.append("{\"query_id\":\"").append(i).append("\",\"q\":\"a\"}\n");
      judgements.append("{\"query_id\":\"").append(i).append("\",\"_id\":\"z\",\"rating\":1}\n");
    }
    Outcome outcome =
        tune(
            "plays",
            query,
            Files.writeString(folder.resolve("questions.ndjson"), questions),
            Files.writeString(folder.resolve("judgements.ndjson"), judgements),
            "--save",
            "none",
            "--out",
            folder.resolve("curves").toString());
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.text()).contains("nothing is stored: are the _id of --judgements");
  }

  private static Outcome tune(String index, Path query, Path questions) {
    return tune(index, query, questions, questions);
  }

  private static Outcome tune(
      String index, Path query, Path questions, Path judgements, String... more) {
    List<String> line =
        new ArrayList<>(
            List.of(
                "search",
                "tune",
                index,
                "--query",
                query.toString(),
                "--questions",
                questions.toString(),
                "--judgements",
                judgements.toString()));
    line.addAll(List.of(more));
    return http(line.toArray(String[]::new));
  }

  @Test
  void fileOfASearchThatIsNotThereIsToldInOneLine() {
    Path missing = folder.resolve("missing.json");
    assertThat(http("search", "books", "--file", missing.toString()))
        .isEqualTo(new Outcome(2, "weir: --file names " + missing + ": there is no such file"));
  }
}
