package dev.weir.search.document;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.random.RandomGenerator;

/** Makes up ids, and checks given ones. Safe for use by any thread. */
final class DocumentIds {

  /** 15 bytes are 20 characters of base 64: none is cut off, and 120 bits never meet again. */
  private static final int RANDOM_BYTES = 15;

  /** Longest id, in bytes of UTF-8. */
  private static final int BYTES_MAX = 512;

  private final RandomGenerator random; // guarded by this

  DocumentIds(RandomGenerator random) {
    this.random = random;
  }

  /** A new id: 20 URL-safe characters. */
  synchronized String next() {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Checks an id that a request gives.
   *
   * @throws SearchException with 400
   */
  static String require(String id) {
    if (id.isEmpty()) {
      throw SearchException.illegalArgument("if _id is specified it must not be empty");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(id)) {
      // The record's key would be another id than the one that is answered.
      throw SearchException.illegalArgument("_id has half of a surrogate pair, which is no text");
    }
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > BYTES_MAX) {
      throw new SearchException(
          ErrorType.REQUEST_VALIDATION,
          "Validation Failed: 1: id ["
              + id
              + "] is too long, must be no longer than "
              + BYTES_MAX
              + " bytes but was: "
              + bytes
              + ";");
    }
    return id;
  }
}
