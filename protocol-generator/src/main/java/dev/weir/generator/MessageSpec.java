package dev.weir.generator;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One specification file.
 *
 * @param apiKey of requests and responses; the record type of metadata and coordinator records
 * @param versions empty for an API that was removed
 * @param nested all structures declared in the file, common ones included
 * @param listeners of a request: on which kinds of node it is served
 */
record MessageSpec(
    Kind kind,
    OptionalInt apiKey,
    VersionRange versions,
    VersionRange flexible,
    StructSpec root,
    List<StructSpec> nested,
    Set<String> listeners,
    boolean latestVersionUnstable) {

  /** The {@code type} of a specification. */
  enum Kind {
    REQUEST("request"),
    RESPONSE("response"),
    HEADER("header"),
    DATA("data"),
    METADATA("metadata"),
    COORDINATOR_KEY("coordinator-key"),
    COORDINATOR_VALUE("coordinator-value");

    private final String specName;

    Kind(String specName) {
      this.specName = specName;
    }

    static Kind parse(String text) {
      for (Kind kind : values()) {
        if (kind.specName.equals(text)) {
          return kind;
        }
      }
      throw new InvalidSpecificationException("unknown message type \"" + text + "\"");
    }
  }

  MessageSpec {
    nested = List.copyOf(nested);
    listeners = Set.copyOf(listeners);
  }

  String name() {
    return root.name();
  }

  StructSpec struct(String name) {
    return nested.stream()
        .filter(struct -> struct.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new InvalidSpecificationException(name() + " has no structure " + name));
  }
}
