package dev.weir.metadata.config;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One configuration name.
 *
 * @param defaultValue as text; null where there is none until somebody sets one
 * @param synonyms node properties that set the default, the strongest first
 * @param visibility whether users are told of it
 */
public record ConfigDefinition(
    String name,
    ConfigType type,
    @Nullable String defaultValue,
    Constraint constraint,
    List<Synonym> synonyms,
    Visibility visibility,
    String documentation) {

  /** Whether DescribeConfigs lists a name that is not set. */
  public enum Visibility {
    PUBLIC,
    INTERNAL
  }

  /**
   * A node property that sets this configuration's default.
   *
   * @param factor by which the property's value is multiplied: it may have a coarser unit
   */
  public record Synonym(String property, long factor) {

    /** The property's value in this configuration's unit. Text that is no number stays. */
    public String convert(String value) {
      if (factor == 1) {
        return value;
      }
      try {
        long number = Long.parseLong(value.trim());
        // Negative means "no limit" in every unit.
        return Long.toString(number < 0 ? -1 : Math.multiplyExact(number, factor));
      } catch (NumberFormatException e) {
        return value;
      } catch (ArithmeticException e) {
        return Long.toString(Long.MAX_VALUE);
      }
    }
  }

  public ConfigDefinition {
    synonyms = List.copyOf(synonyms);
  }

  /** Why a value is refused, as a whole sentence; nothing where it is accepted. */
  public Optional<String> refusal(String value) {
    String trimmed = value.trim();
    return type.refusal(trimmed)
        .or(() -> constraint.refusal(trimmed))
        .map(reason -> "Invalid value " + value + " for configuration " + name + ": " + reason);
  }
}
