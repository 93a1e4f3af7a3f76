package dev.weir.search.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternTest {
  private static final int CASES = 20_000;

  @ParameterizedTest
  @CsvSource({
    "logs, logs, true",
    "logs, logs2, false",
    "logs*, logs, true",
    "*, anything, true",
    "a*a, a, false",
    "a*a, aa, true",
    "a*b*c, abc, true",
    "a*b*c, acb, false",
    "*ab*ab, abab, true",
    "*ab*ab, ab, false",
    "a.b, aXb, false",
  })
  void matchesWhatItSays(String pattern, String name, boolean expected) {
    assertThat(NamePattern.of(pattern).matches(name)).isEqualTo(expected);
  }

  @Test
  void agreesWithTheRegularExpressionOfTheSameMeaning() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      String pattern = text(random, "ab*");
      String name = text(random, "ab");
      boolean expected = Pattern.matches(pattern.replace("*", ".*"), name);
      assertThat(NamePattern.of(pattern).matches(name))
          .as(pattern + " on " + name + ", -Dweir.seed=" + seed)
          .isEqualTo(expected);
    }
  }

  @Test
  void manyStarsOnALongNameEndAtOnce() {
    NamePattern pattern = NamePattern.of("a*".repeat(100) + "b");
    String name = "a".repeat(10_000);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertThat(pattern.matches(name)).isFalse());
  }

  private static String text(Random random, String letters) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(8);
    for (int i = 0; i < length; i++) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }
}
