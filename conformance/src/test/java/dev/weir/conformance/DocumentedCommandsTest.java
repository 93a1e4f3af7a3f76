package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands of the documentation, pasted in order on a fresh node: a page with one that fails is
 * worse than a page without. Blocks of {@code sh} are run. A comment before a block says why it is
 * not ({@code <!-- not run: reason -->}), or which status it shows ({@code <!-- status: 404 -->}).
 */
final class DocumentedCommandsTest {
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?:^<!-- (?<key>not run|status): (?<value>.+?) -->\\n)?^```sh\\n(?<commands>.*?)^```",
          Pattern.MULTILINE | Pattern.DOTALL);

  private static final int FIRST_ERROR_STATUS = 400;
  private static final long PAGE_SECONDS_MAX = 120;

  /** Hands on to curl, and notes the status and whether writes in the answer were refused. */
  private static final String CURL =
      """
      #!/bin/sh
      body=$(mktemp)
      status=$(/usr/bin/curl -sS -o "$body" -w '%{http_code}' "$@")
      code=$?
      cat "$body"
      refused=
      grep -Eq '"errors" ?: ?true' "$body" && refused=refused
      rm -f "$body"
      echo "$status $refused $(printf '%s ' "$@" | tr '\\n' ' ' | cut -c1-200)" >>"$STATUSES"
      exit $code
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/rest.md",
        "docs/compaction.md",
        "docs/vectors.md",
        "docs/ingest.md",
        "docs/models.md",
        "docs/relevance.md"
      })
  void everyCommandOfThePageWorks(String page) throws IOException, InterruptedException {
    ForeignProcess.assumeWanted("curl");
    Path root = Path.of(System.getProperty("weir.root"));
    Matcher blocks = BLOCK.matcher(Files.readString(root.resolve(page), StandardCharsets.UTF_8));
    List<String> wrong = new ArrayList<>();
    int run = 0;
    try (NodeProcess node = NodeProcess.start(folder.resolve("data"))) {
      Path work = workplace(node);
      while (blocks.find()) {
        if (!"not run".equals(blocks.group("key"))) {
          wrong.addAll(failures(work, node, blocks.group("commands"), blocks.group("value")));
          run++;
        }
      }
    }
    assertThat(wrong).as("commands of " + page + " that do not work").isEmpty();
    assertThat(run).as("blocks of " + page).isPositive();
  }

  private Path workplace(NodeProcess node) throws IOException {
    Path work = Files.createDirectory(folder.resolve("pasted"));
    Path examples = Path.of(System.getProperty("weir.root")).resolve("examples");
    Files.createSymbolicLink(work.resolve("examples"), examples.toAbsolutePath());
    program(work.resolve("curl"), CURL);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    program(
        work.resolve("weir"),
        """
        #!/bin/sh
        case "$1" in
          index|search) address="--http %s" ;;
          *) address="--kafka %s" ;;
        esac
        exec "%s" -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
          -cp "%s" dev.weir.node.Main "$@" $address
        """
            .formatted(node.http(), node.kafka(), java, NodeProcess.classPath()));
    return work;
  }

  private static void program(Path file, String text) throws IOException {
    Files.writeString(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
  }

  private static List<String> failures(
      Path work, NodeProcess node, String commands, String announced)
      throws IOException, InterruptedException {
    String here =
        commands
            .replaceAll("(127\\.0\\.0\\.1|localhost):9200", node.http())
            .replaceAll("(127\\.0\\.0\\.1|localhost):9092", node.kafka());
    Path statuses = Files.createTempFile(work, "statuses", ".txt");
    Path output = Files.createTempFile(work, "output", ".txt");
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", here)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    shell.environment().merge("PATH", work.toString(), (path, own) -> own + ":" + path);
    shell.environment().put("STATUSES", statuses.toString());
    Process process = shell.start();
    List<String> wrong = new ArrayList<>();
    if (!process.waitFor(PAGE_SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      wrong.add("does not end: " + commands);
    } else if (process.exitValue() != 0) {
      wrong.add("ends with " + process.exitValue() + ": " + commands + Files.readString(output));
    }
    for (String line : Files.readAllLines(statuses)) {
      String[] parts = line.split(" ", 3);
      boolean isAnnounced = parts[0].equals(announced);
      if ((Integer.parseInt(parts[0]) >= FIRST_ERROR_STATUS || !parts[1].isEmpty())
          && !isAnnounced) {
        wrong.add("status " + line + ": " + Files.readString(output));
      }
    }
    return wrong;
  }
}
