package dev.weir.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import dev.weir.log.batch.RecordHeader;
import dev.weir.node.NodeConfig.CommandLineOptions;
import dev.weir.node.cli.HostPort;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code weir dump-log} prints, and what it ends with. */
final class DumpLogCommandTest {
  private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);
  private static final String SEGMENT = "00000000000000000000.log";
  private static final JsonMapper MAPPER = new JsonMapper();

  @TempDir private Path folder;

  /** How a command ended, and what it printed to each stream. */
  private record Outcome(int exitCode, String out, String err) {}

  private static Outcome run(InputStream input, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Main.commandLine(Clock.systemUTC(), input)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private static Outcome dump(String... arguments) {
    List<String> line = new ArrayList<>(List.of("dump-log"));
    line.addAll(List.of(arguments));
    return run(InputStream.nullInputStream(), line.toArray(String[]::new));
  }

  private static @Nullable ByteBuffer bytes(@Nullable String text) {
    return text == null ? null : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private String segment(RecordBatchBuilder batch) throws IOException {
    ByteBuffer built = batch.build();
    byte[] copy = new byte[built.remaining()];
    built.get(copy);
    return Files.write(folder.resolve(SEGMENT), copy).toString();
  }

  private String oneRecord(@Nullable String key, @Nullable String value) throws IOException {
    return segment(
        RecordBatchBuilder.data(Compression.NONE).leaderEpoch(0).add(9, bytes(key), bytes(value)));
  }

  @Test
  void batchIsALineAndItsRecordsAreLinesBelowIt() throws IOException {
    String file =
        segment(
            RecordBatchBuilder.data(Compression.NONE)
                .leaderEpoch(2)
                .add(1000, bytes("k"), bytes("say \"hi\"\n"))
                .add(1001, null, null, List.of(new RecordHeader("h", bytes("v")))));
    assertThat(dump("--deep", file))
        .isEqualTo(
            new Outcome(
                0,
                """
                batch position=0 size=89 base_offset=0 last_offset=1 records=2 leader_epoch=2 \
                codec=none base_timestamp=1000 max_timestamp=1001 crc=%s
                  record offset=0 timestamp=1000 key="k" value="say \\"hi\\"\\n"
                  record offset=1 timestamp=1001 key=null value=null headers=["h":"v"]
                """
                    .formatted(crc(file)),
                ""));
    assertThat(dump(file).out().lines()).hasSize(1);
  }

  private static String crc(String file) throws IOException {
    ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(Path.of(file)));
    return Long.toString(content.getInt(17) & 0xffff_ffffL);
  }

  @Test
  void bytesThatAreNoTextOrCouldDriveATerminalAreBase64() throws IOException {
    assertThat(dump("--deep", oneRecord("\u001b[2J", "a\u0085b")).out())
        .contains("key=base64:G1sySg== value=base64:YcKFYg==");
  }

  @Test
  void longValueIsCutBetweenCharactersAndItsSizeTold() throws IOException {
    String file = oneRecord("k", "é".repeat(300));
    assertThat(dump("--deep", "--bytes", "5", file).out())
        .contains("key=\"k\" value=\"éé\"...(600 bytes)");
    JsonNode value = json(dump("--deep", "--json", "--bytes", "5", file)).get(1).path("value");
    assertThat(value.path("text").asString()).isEqualTo("éé");
    assertThat(value.path("size").asInt()).isEqualTo(600);
    assertThat(dump("--deep", file).out()).contains("é".repeat(128) + "\"...(600 bytes)");
  }

  private static List<JsonNode> json(Outcome outcome) {
    return outcome.out().lines().map(MAPPER::readTree).toList();
  }

  @Test
  void damageIsToldWithItsPositionAndExitCode1() throws IOException {
    String file = oneRecord("k", "v");
    try (RandomAccessFile damaged = new RandomAccessFile(file, "rw")) {
      damaged.seek(damaged.length() - 2);
      damaged.write('w');
    }
    Outcome outcome = dump("--verify", "--json", file);
    assertThat(outcome.exitCode()).isEqualTo(1);
    List<JsonNode> lines = json(outcome);
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst().path("type").asString()).isEqualTo("problem");
    assertThat(lines.getFirst().path("file").asString()).isEqualTo(file);
    assertThat(lines.getFirst().path("position").asLong(-1)).isZero();
    assertThat(lines.getFirst().path("text").asString())
        .startsWith("checksum is ")
        .contains("the batch says " + crc(file));
    assertThat(lines.getLast().path("problems").asLong()).isEqualTo(1);
    assertThat(dump(file).exitCode()).as("the checksum is not looked at").isZero();
  }

  @Test
  void missingOrUnknownFileIsOneLineAndExitCode2AndNothingIsPrintedBefore() throws IOException {
    String file = oneRecord("k", "v");
    String missing = folder.resolve("1.log").toString();
    assertThat(dump(file, missing))
        .isEqualTo(new Outcome(2, "", "weir: FILE names " + missing + ": there is no such file\n"));
    Path unknown = Files.createFile(folder.resolve("notes.txt"));
    Outcome outcome = dump(unknown.toString());
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("weir: " + unknown + " is no file of a log; known are *.log, *.index, ")
        .hasLineCount(1);
    assertThat(dump("--bytes", "-1", file).err())
        .isEqualTo("weir: --bytes is -1, expected 0..1048576\n");
  }

  @Test
  void everyFileOfARunningNodeIsSoundAndItsJsonIsParsed() throws IOException {
    Path data = folder.resolve("data");
    NodeConfig config =
        NodeConfig.of(
            new CommandLineOptions(
                Optional.of(data), Optional.of(ANY_PORT), Optional.of(ANY_PORT), Optional.empty()));
    try (Node node =
        Node.start(
            config,
            Clock.systemUTC(),
            () -> {
              throw new AssertionError("the node lost its metadata log");
            })) {
      String address = node.kafkaAddress().toString();
      run(InputStream.nullInputStream(), "topic", "create", "greetings", "--kafka", address);
      InputStream lines =
          new ByteArrayInputStream("en:hello\nfr:bonjour\n".getBytes(StandardCharsets.UTF_8));
      assertThat(run(lines, "produce", "greetings", "-K", ":", "--kafka", address).exitCode())
          .isZero();

      assertThat(dump("--deep", data.resolve("greetings-0").resolve(SEGMENT).toString()).out())
          .contains("key=\"en\" value=\"hello\"")
          .contains("key=\"fr\" value=\"bonjour\"");
      String metadata = data.resolve("__cluster_metadata-0").resolve(SEGMENT).toString();
      assertThat(dump("--deep", metadata).out())
          .contains("metadata=\"TopicRecord[name=greetings, topicId=")
          .contains("control=LEADER_CHANGE");
      List<String> arguments = new ArrayList<>(List.of("--verify", "--deep", "--json"));
      arguments.addAll(knownFiles(data));
      Outcome outcome = dump(arguments.toArray(String[]::new));
      assertThat(outcome.exitCode()).as(outcome.out()).isZero();
      assertThat(json(outcome))
          .filteredOn(line -> line.path("type").asString().equals("verified"))
          .hasSize(arguments.size() - 3)
          .allMatch(line -> line.path("problems").asLong(-1) == 0);
    }
  }

  private static List<String> knownFiles(Path data) throws IOException {
    try (var files = Files.walk(data)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.toString().contains(".weir-indexes"))
          .filter(file -> dev.weir.log.dump.FileKind.of(file).isPresent())
          .map(Path::toString)
          .toList();
    }
  }

  @Test
  void helpNamesTheExitCodes() {
    CommandLine all = Main.commandLine(Clock.systemUTC(), InputStream.nullInputStream());
    assertThat(requireNonNull(all.getSubcommands().get("dump-log")).getUsageMessage())
        .contains("Exit codes: 0 all is well, 1 a file is damaged");
  }
}
