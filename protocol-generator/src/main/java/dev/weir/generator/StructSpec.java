package dev.weir.generator;

import java.util.Comparator;
import java.util.List;

/**
 * A structure: the message itself or one nested in it.
 *
 * @param versions in which the structure can occur
 */
record StructSpec(String name, VersionRange versions, List<FieldSpec> fields) {
  StructSpec {
    fields = List.copyOf(fields);
  }

  List<FieldSpec> taggedFields() {
    return fields.stream()
        .filter(field -> !field.tagged().isEmpty())
        .sorted(Comparator.comparingInt(field -> field.tag().orElseThrow()))
        .toList();
  }
}
