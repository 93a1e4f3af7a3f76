package dev.weir.metadata;

import java.util.Optional;
import java.util.Set;

/** The rules for names of topics. */
public final class TopicNames {
  /** A partition's directory is the name, a dash and up to 5 digits, and file names end at 255. */
  public static final int NAME_CHARS_MAX = 249;

  public static final String CONSUMER_OFFSETS = "__consumer_offsets";
  public static final String TRANSACTION_STATE = "__transaction_state";
  public static final String SHARE_GROUP_STATE = "__share_group_state";

  /** The metadata log. It is no topic that could be created. */
  public static final String CLUSTER_METADATA = "__cluster_metadata";

  /** The definitions of indexes, written by the search engine alone. */
  public static final String WEIR_CATALOG = "__weir_catalog";

  private static final Set<String> INTERNAL =
      Set.of(CONSUMER_OFFSETS, TRANSACTION_STATE, SHARE_GROUP_STATE, WEIR_CATALOG);

  private TopicNames() {}

  /** Whether clients are told that the topic is internal, and kept from writing to it. */
  public static boolean isInternal(String name) {
    return INTERNAL.contains(name);
  }

  /** Why a name is no legal name of a topic; nothing where it is one. */
  public static Optional<String> refusal(String name) {
    if (name.isEmpty()) {
      return Optional.of("Topic name is invalid: it is empty");
    }
    if (name.equals(".") || name.equals("..")) {
      return Optional.of("Topic name is invalid: '" + name + "' names a directory");
    }
    if (name.length() > NAME_CHARS_MAX) {
      return Optional.of(
          "Topic name is invalid: it has "
              + name.length()
              + " characters, at most "
              + NAME_CHARS_MAX
              + " are allowed");
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isLegal(name.charAt(i))) {
        return Optional.of(
            "Topic name is invalid: '"
                + name
                + "' has a character other than ASCII alphanumerics, '.', '_' and '-' at position "
                + i);
      }
    }
    return Optional.empty();
  }

  /**
   * What two names have in common that collide: metrics replace '.' with '_', so that only one of
   * them may exist.
   */
  public static String collisionKey(String name) {
    return name.replace('.', '_');
  }

  private static boolean isLegal(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }
}
