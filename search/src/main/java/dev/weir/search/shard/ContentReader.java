package dev.weir.search.shard;

import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.DocumentParse;
import dev.weir.search.mapping.DocumentParser;
import dev.weir.search.mapping.Mapping;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * Reads documents under the current mapping of an index, and teaches the mapping their unknown
 * fields first. Safe for use by any thread.
 */
public final class ContentReader {

  /** Others may change the mapping between two readings; more often than this is a defect. */
  private static final int READINGS_MAX = 10;

  private final DocumentParser parser;
  private final LiveDefinition definition;

  /** A reader for the index with this mapping. */
  public ContentReader(DocumentParser parser, LiveDefinition definition) {
    this.parser = parser;
    this.definition = definition;
  }

  /**
   * Reads a document. Waits for the catalog to commit where the document has unknown fields.
   *
   * @throws SearchException if the document is refused
   */
  public Content read(String id, ByteBuffer source) {
    for (int i = 0; i < READINGS_MAX; i++) {
      Mapping known = definition.mapping();
      switch (parser.parse(known, id, source, definition.nestedObjectsMax())) {
        case DocumentParse.Fields(var fields, var nested, var semantics) -> {
          return new Content(source, fields, nested, semantics, known);
        }
        case DocumentParse.UnknownFields(Mapping addition) -> learn(addition);
      }
    }
    throw SearchException.unexpected(
        "document [" + id + "] has unknown fields after " + READINGS_MAX + " mapping updates",
        new IllegalStateException("mapping=" + definition.mapping()));
  }

  /**
   * Reads a document without waiting.
   *
   * @return empty if the mapping has to learn fields first, which {@link #read} waits for
   * @throws SearchException if the document is refused
   */
  Optional<Content> readAtOnce(String id, ByteBuffer source) {
    Mapping known = definition.mapping();
    return switch (parser.parse(known, id, source, definition.nestedObjectsMax())) {
      case DocumentParse.Fields(var fields, var nested, var semantics) ->
          Optional.of(new Content(source, fields, nested, semantics, known));
      case DocumentParse.UnknownFields _ -> Optional.empty();
    };
  }

  /** Whether the document was read under the mapping that holds now. */
  boolean isCurrent(Content content) {
    return content.mapping().equals(definition.mapping());
  }

  private void learn(Mapping addition) {
    try {
      definition.add(addition).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof SearchException refused) {
        throw refused;
      }
      throw e;
    }
  }
}
