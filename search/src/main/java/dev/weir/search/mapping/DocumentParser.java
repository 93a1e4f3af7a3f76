package dev.weir.search.mapping;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.nio.ByteBuffer;

/** Reads documents under a mapping. Safe for use by any thread; no state between documents. */
public final class DocumentParser {

  private final Analyzers analyzers;

  /** A parser whose text fields use these analysers. */
  public DocumentParser(Analyzers analyzers) {
    this.analyzers = analyzers;
  }

  /** Reads one document, with as many nested ones as an index takes that says nothing of it. */
  public DocumentParse parse(Mapping mapping, String id, ByteBuffer source) {
    return parse(mapping, id, source, MappingBounds.NESTED_OBJECTS_DEFAULT);
  }

  /**
   * Reads one document in a single pass.
   *
   * @param id for messages only
   * @param source one JSON object; the position stays
   * @param nestedMax how many nested documents it may have, at all levels together
   * @throws SearchException with 400 {@code mapper_parsing_exception}, detail in the cause, or
   *     {@code strict_dynamic_mapping_exception}
   */
  public DocumentParse parse(Mapping mapping, String id, ByteBuffer source, int nestedMax) {
    if (!source.hasRemaining()) {
      throw new SearchException(
          ErrorCause.of(ErrorType.MAPPER_PARSING, "failed to parse, document is empty"));
    }
    DocumentBlock block = new DocumentBlock(analyzers, nestedMax);
    return new DocumentReader(mapping, id, source, block).read();
  }
}
