package dev.weir.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopicNamesTest {
  static String[] names() {
    return new String[] {
      "",
      ".",
      "..",
      "...",
      "a",
      "A.b_c-9",
      "a b",
      "a/b",
      "ä",
      "a\u0000",
      "x".repeat(249),
      "x".repeat(250),
      "__consumer_offsets",
      "a:b",
      "a\\b",
      "-"
    };
  }

  @ParameterizedTest
  @MethodSource("names")
  void namesAreLegalWhereTheClientLibrarySaysSo(String name) {
    assertThat(TopicNames.refusal(name).isEmpty()).isEqualTo(legalForKafka(name));
  }

  @ParameterizedTest
  @MethodSource("names")
  void internalNamesAreThoseOfTheClientLibrary(String name) {
    assertThat(TopicNames.isInternal(name)).isEqualTo(Topic.isInternal(name));
  }

  private static boolean legalForKafka(String name) {
    try {
      Topic.validate(name);
      return true;
    } catch (InvalidTopicException e) {
      return false;
    }
  }
}
