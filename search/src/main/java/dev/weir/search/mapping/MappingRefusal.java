package dev.weir.search.mapping;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;

/** The refusals of mappings, in OpenSearch's words for those that clients branch on. */
final class MappingRefusal {

  private MappingRefusal() {}

  /** A mapping definition is not accepted: 400, with the detail as the cause. */
  static SearchException definition(String detail) {
    return new SearchException(
        ErrorCause.of(ErrorType.MAPPER_PARSING, "Failed to parse mapping [_doc]: " + detail)
            .because(ErrorCause.of(ErrorType.MAPPER_PARSING, detail)));
  }
}
