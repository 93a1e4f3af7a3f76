package dev.weir.coordinator.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plays the scripts and compares all that comes of them. In a script a line {@code == title} begins
 * anew, {@code > command} is played, {@code #} comments, and what follows a command came of it.
 * With {@code -Drewrite=true} the scripts are written anew: review the difference.
 */
class ScriptTest {
  private static final Path SCRIPTS =
      Path.of("src/test/resources/dev/weir/coordinator/group/script");

  @ParameterizedTest
  @ValueSource(
      strings = {"joining", "rebalance", "static-members", "errors", "offsets", "expiry", "admin"})
  void everythingHappensAsWritten(String name) throws IOException {
    Path file = SCRIPTS.resolve(name + ".txt");
    List<String> expected = Files.readAllLines(file);
    List<String> actual = play(expected);
    if (Boolean.getBoolean("rewrite")) {
      Files.write(file, actual);
    } else {
      assertThat(String.join("\n", actual)).isEqualTo(String.join("\n", expected));
    }
  }

  private static List<String> play(List<String> lines) {
    GroupSettings settings = GroupSettings.DEFAULT.withGroupSizeMax(3);
    List<String> result = new ArrayList<>();
    Script script = new Script(settings);
    for (String line : lines) {
      if (line.startsWith("==")) {
        script = new Script(settings);
      }
      if (line.isEmpty() || line.startsWith("=") || line.startsWith("#")) {
        result.add(line);
      } else if (line.startsWith("> ")) {
        result.add(line);
        result.addAll(script.play(line.substring(2)));
      }
    }
    return result;
  }
}
