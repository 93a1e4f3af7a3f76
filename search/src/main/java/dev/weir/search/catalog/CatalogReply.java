package dev.weir.search.catalog;

import dev.weir.search.error.ErrorCause;

/** What a command came to. */
public sealed interface CatalogReply {

  /** It holds, whether it changed anything or not. */
  record Accepted() implements CatalogReply {}

  /** It does not, and nothing was changed. */
  record Refused(ErrorCause error) implements CatalogReply {}

  /** The one acceptance. */
  CatalogReply ACCEPTED = new Accepted();
}
