package dev.weir.generator;

import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The specifications that make up one package.
 *
 * @param packageName of the emitted messages
 * @param prefix of the emitted type enum and interfaces, for example {@code Group}
 */
record SpecSet(String packageName, String prefix, List<MessageSpec> messages) {
  SpecSet {
    messages = List.copyOf(messages);
  }

  /** The messages of these kinds that still have a version, by key. */
  List<MessageSpec> living(MessageSpec.Kind... kinds) {
    Set<MessageSpec.Kind> wanted = Set.of(kinds);
    return messages.stream()
        .filter(message -> wanted.contains(message.kind()) && !message.versions().isEmpty())
        .sorted(Comparator.comparingInt(message -> message.apiKey().orElse(-1)))
        .toList();
  }

  String typeEnum() {
    return prefix + "RecordType";
  }

  String recordInterface() {
    return prefix + "Record";
  }

  String keyInterface() {
    return prefix + "RecordKey";
  }

  String valueInterface() {
    return prefix + "RecordValue";
  }
}
