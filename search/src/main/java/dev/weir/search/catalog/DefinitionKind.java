package dev.weir.search.catalog;

import java.util.Optional;

/** What a definition that the catalog keeps as it was given, by its name, is of. */
public enum DefinitionKind {
  /** A model that was registered. */
  MODEL("model", "model"),
  /** What is done to documents before they are written. */
  INGEST_PIPELINE("ingest-pipeline", "pipeline");

  private final String key;
  private final String noun;

  DefinitionKind(String key, String noun) {
    this.key = key;
    this.noun = noun;
  }

  /** The key of the record of a definition; part of the format, never changed. */
  String key(String name) {
    return key + "/" + name;
  }

  /** The name in a key, if the key is of this kind. */
  Optional<String> name(String ofRecord) {
    return ofRecord.startsWith(key + "/")
        ? Optional.of(ofRecord.substring(key.length() + 1))
        : Optional.empty();
  }

  /** What a message calls it. */
  String noun() {
    return noun;
  }
}
