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

  /**
   * Reads one document in a single pass.
   *
   * @param id for messages only
   * @param source one JSON object; the position stays
   * @throws SearchException with 400 {@code mapper_parsing_exception}, detail in the cause, or
   *     {@code strict_dynamic_mapping_exception}
   */
  public DocumentParse parse(Mapping mapping, String id, ByteBuffer source) {
    if (!source.hasRemaining()) {
      throw new SearchException(
          ErrorCause.of(ErrorType.MAPPER_PARSING, "failed to parse, document is empty"));
    }
    return new DocumentReader(mapping, id, source, new DocumentFields(analyzers)).read();
  }
}
