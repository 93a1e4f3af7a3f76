package dev.weir.search.catalog;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** The rules for names of indexes, and the topics that they stand for. */
public final class IndexName {

  /** Ending of the topic that takes an index's unreadable records. */
  public static final String DEAD_LETTERS = ".dlq";

  /** Longest index name, in bytes of UTF-8; OpenSearch's bound. */
  private static final int BYTES_MAX = 255;

  /** Longest topic name that leaves room for {@link #DEAD_LETTERS}; Kafka's bound is 249. */
  private static final int TOPIC_CHARS_MAX = 249 - DEAD_LETTERS.length();

  /** Kept of a name that is too long, before its hash. */
  private static final int TOPIC_PREFIX_CHARS = TOPIC_CHARS_MAX - 65;

  private static final String FORBIDDEN = "\\/*?\"<>| ,";

  private IndexName() {}

  /**
   * Checks a name for a new index.
   *
   * @throws SearchException with 400 {@code invalid_index_name_exception}
   */
  public static void require(String name) {
    brokenRule(name)
        .ifPresent(
            rule -> {
              throw invalid(name, rule);
            });
    if (!name.toLowerCase(Locale.ROOT).equals(name)) {
      throw invalid(name, "must be lowercase");
    }
    if (name.endsWith(DEAD_LETTERS)) {
      throw invalid(
          name, "must not end with '" + DEAD_LETTERS + "', which names an index's unread records");
    }
  }

  /**
   * Checks a name for an alias, which may have capitals: no topic is named by it.
   *
   * @throws SearchException with 400 {@code invalid_alias_name_exception}
   */
  public static void requireAlias(String name) {
    brokenRule(name)
        .ifPresent(
            rule -> {
              throw new SearchException(
                  ErrorCause.of(
                      ErrorType.INVALID_ALIAS_NAME, "Invalid alias name [" + name + "], " + rule));
            });
  }

  /** The rule for names of both kinds that a name breaks; empty if it breaks none. */
  private static Optional<String> brokenRule(String name) {
    if (name.isEmpty()) {
      return Optional.of("must not be empty");
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        // Names stand in log lines, and a line feed would begin one of its own.
        return Optional.of("must not contain control characters, found one at position " + i);
      }
      if (FORBIDDEN.indexOf(name.charAt(i)) >= 0) {
        return Optional.of(
            "must not contain the following characters [ , \", *, \\, <, |, ,, >, /, ?]");
      }
    }
    if (name.contains("#")) {
      return Optional.of("must not contain '#'");
    }
    if (name.contains(":")) {
      return Optional.of("must not contain ':'");
    }
    if (name.charAt(0) == '_' || name.charAt(0) == '-' || name.charAt(0) == '+') {
      return Optional.of("must not start with '_', '-', or '+'");
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > BYTES_MAX) {
      return Optional.of("index name is too long, (" + bytes + " > " + BYTES_MAX + ")");
    }
    if (name.equals(".") || name.equals("..")) {
      return Optional.of("must not be '.' or '..'");
    }
    return Optional.empty();
  }

  /**
   * The topic behind an index: its name, if that is legal for a topic. Else each byte (UTF-8) of a
   * character other than {@code a-z 0-9 . _ -} becomes {@code X} and two upper-case hex digits; a
   * result that is too long is cut, and {@code H} and the SHA-256 of the name in hex follow. Index
   * names have no capitals, so no two names meet.
   */
  public static String topic(String name) {
    StringBuilder topic = new StringBuilder(name.length());
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-') {
        topic.append(c);
      } else {
        topic.append('X').append(HexFormat.of().withUpperCase().toHexDigits(each));
      }
    }
    if (topic.length() > TOPIC_CHARS_MAX) {
      topic.setLength(TOPIC_PREFIX_CHARS);
      topic.append('H').append(HexFormat.of().formatHex(sha256(name)));
    }
    return topic.toString();
  }

  private static byte[] sha256(String name) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private static SearchException invalid(String name, String rule) {
    return new SearchException(
        ErrorCause.of(ErrorType.INVALID_INDEX_NAME, "Invalid index name [" + name + "], " + rule)
            .with("index", name)
            .with("index_uuid", "_na_"));
  }
}
