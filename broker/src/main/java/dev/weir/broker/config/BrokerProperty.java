package dev.weir.broker.config;

import java.util.List;
import java.util.Optional;

/**
 * What is known of one property of the broker.
 *
 * @param defaultText the value when none is given, as text; empty when there is none
 */
public record BrokerProperty(
    String name, Type type, Optional<String> defaultText, Range range, Effect effect) {

  /** The type of a value, as DescribeConfigs reports it. */
  public enum Type {
    BOOLEAN,
    STRING,
    INT,
    SHORT,
    LONG,
    DOUBLE,
    LIST,
    CLASS,
    PASSWORD
  }

  /** What setting a property does. */
  public enum Effect {
    /** It works as in Kafka. */
    USED,
    /** A property of Kafka that is accepted and changes nothing here. */
    IDLE,
    /** A property of Kafka whose neglect would mislead: refused unless it has its default. */
    ABSENT
  }

  /** Which values are accepted beyond what the type says. */
  public sealed interface Range {
    /** Every value of the type. */
    record Any() implements Range {}

    /** Numbers from {@code least} to {@code greatest}, both included. */
    record Between(long least, long greatest) implements Range {}

    /** One of these words, or several of them in a list. */
    record OneOf(List<String> words) implements Range {
      public OneOf {
        words = List.copyOf(words);
      }
    }
  }

  /**
   * Refuses a value that does not fit the type or the range.
   *
   * @throws ConfigException naming the property, the value and what is accepted
   */
  void check(String value) {
    switch (type) {
      case BOOLEAN -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw refused(value, "true or false");
        }
      }
      case INT -> checkWithin(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case SHORT -> checkWithin(value, Short.MIN_VALUE, Short.MAX_VALUE);
      case LONG -> checkWithin(value, Long.MIN_VALUE, Long.MAX_VALUE);
      case DOUBLE -> checkDouble(value);
      case STRING -> checkWord(value);
      case LIST -> {
        for (String word : BrokerConfig.splitList(value)) {
          checkWord(word);
        }
      }
      case CLASS, PASSWORD -> {}
    }
    if (effect == Effect.ABSENT && !value.equals(defaultText.orElse(""))) {
      throw new ConfigException(
          "property "
              + name
              + "="
              + value
              + " asks for something that is not supported here; "
              + "remove it"
              + defaultText.map(text -> " or set it to \"" + text + "\"").orElse(""));
    }
  }

  private void checkWithin(String value, long typeLeast, long typeGreatest) {
    long least = typeLeast;
    long greatest = typeGreatest;
    if (range instanceof Range.Between(long rangeLeast, long rangeGreatest)) {
      least = Math.max(least, rangeLeast);
      greatest = Math.min(greatest, rangeGreatest);
    }
    String expected = "a whole number from " + least + " to " + greatest;
    try {
      long number = Long.parseLong(value);
      if (number < least || number > greatest) {
        throw refused(value, expected);
      }
    } catch (NumberFormatException _) {
      throw refused(value, expected);
    }
  }

  private void checkDouble(String value) {
    try {
      double number = Double.parseDouble(value);
      if (Double.isNaN(number) || number < 0) {
        throw refused(value, "a number of at least 0");
      }
    } catch (NumberFormatException _) {
      throw refused(value, "a number of at least 0");
    }
  }

  private void checkWord(String word) {
    if (range instanceof Range.OneOf(List<String> words) && !words.contains(word)) {
      throw refused(word, "one of " + String.join(", ", words));
    }
  }

  private ConfigException refused(String value, String expected) {
    return new ConfigException("property " + name + " is \"" + value + "\", expected " + expected);
  }
}
