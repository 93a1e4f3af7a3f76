package dev.weir.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** What a terminal is sent. */
final class ProgressBarTest {
  private final StringWriter sent = new StringWriter();

  private ProgressBar bar(long sizeBytes) {
    return new ProgressBar(new PrintWriter(sent), "x.log", sizeBytes);
  }

  @Test
  void isDrawnInPlaceOnceAPercentAndTakenOff() {
    try (ProgressBar bar = bar(1000)) {
      bar.moveTo(0);
      bar.moveTo(9);
      bar.moveTo(505);
    }
    assertThat(sent)
        .hasToString(
            "\rx.log [--------------------] 0%"
                + "\rx.log [##########----------] 50%"
                + "\r"
                + " ".repeat(32)
                + "\r");
  }

  @Test
  void fileThatGrowsMeanwhileIsNeverAboveAll() {
    bar(Long.MAX_VALUE / 2).moveTo(Long.MAX_VALUE);
    assertThat(sent).hasToString("\rx.log [####################] 100%");
  }

  @Test
  void nothingIsSentBeforeTheFirstMove() {
    bar(1000).close();
    assertThat(sent.toString()).isEmpty();
  }

  @Test
  void launcherNamesTheTerminals() {
    assertThat(Terminal.named("")).isEmpty();
    assertThat(Terminal.named("out")).containsExactly(Terminal.OUT);
    assertThat(Terminal.named(",err")).containsExactly(Terminal.ERR);
    assertThat(Terminal.named("out,err")).isEqualTo(EnumSet.allOf(Terminal.class));
  }
}
