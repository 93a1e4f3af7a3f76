package dev.weir.controller;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of one configuration.
 *
 * @param value to set, append or subtract; null to delete
 */
public record ConfigChange(Operation operation, String name, @Nullable String value) {

  /** What to do, with the code of IncrementalAlterConfigs. */
  public enum Operation {
    SET,
    DELETE,
    APPEND,
    SUBTRACT;

    /** The operation with a code of the wire, 0 to 3. */
    public static Optional<Operation> ofCode(byte code) {
      return code >= 0 && code < values().length ? Optional.of(values()[code]) : Optional.empty();
    }
  }

  public static ConfigChange set(String name, String value) {
    return new ConfigChange(Operation.SET, name, value);
  }

  public static ConfigChange delete(String name) {
    return new ConfigChange(Operation.DELETE, name, null);
  }
}
