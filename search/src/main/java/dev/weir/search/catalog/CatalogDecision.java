package dev.weir.search.catalog;

import java.util.List;

/**
 * The records that a command makes, and its reply.
 *
 * @param records to be appended as one unit; none if the command is refused or changes nothing
 */
public record CatalogDecision(List<CatalogRecord> records, CatalogReply reply) {
  /** Takes an unmodifiable copy of the records. */
  public CatalogDecision {
    records = List.copyOf(records);
  }
}
