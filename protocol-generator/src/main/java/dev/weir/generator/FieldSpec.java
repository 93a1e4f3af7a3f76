package dev.weir.generator;

import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One field of a structure, with its ranges already cut down to the versions of the structure.
 *
 * @param name as the specification spells it, in camel case of either kind
 * @param versions in which the field exists, tagged or not
 * @param nullable in which it may be null
 * @param tagged in which it is a tagged field
 * @param tag set exactly if {@code tagged} is not empty
 * @param defaultText the default as written; null if there is none
 * @param ignorable whether a version that lacks the field drops a value other than the default
 * @param flexible in which lengths are varints
 */
record FieldSpec(
    String name,
    FieldType type,
    VersionRange versions,
    VersionRange nullable,
    VersionRange tagged,
    OptionalInt tag,
    @Nullable String defaultText,
    boolean ignorable,
    VersionRange flexible,
    String about) {

  /** Names that the emitted methods use for themselves. */
  private static final Set<String> TAKEN = Set.of("in", "out", "version", "flexible");

  FieldSpec {
    if (tag.isPresent() == tagged.isEmpty()) {
      throw new InvalidSpecificationException(
          "field " + name + ": tag=" + tag + " does not go with taggedVersions=" + tagged);
    }
  }

  /** The name of the record component. */
  String component() {
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  /** The name as the tail of a method's name. */
  String capitalized() {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  /** The name of a local variable for the component inside an emitted method. */
  String local() {
    return TAKEN.contains(component()) ? component() + "0" : component();
  }

  /** Whether the component may be null in some version. */
  boolean mayBeNull() {
    return !nullable.isEmpty();
  }

  String declaredType() {
    return mayBeNull() ? "@Nullable " + type.javaType() : type.javaType();
  }
}
