package dev.weir.raft;

import dev.weir.protocol.metadata.AbortTransactionRecord;
import dev.weir.protocol.metadata.BeginTransactionRecord;
import dev.weir.protocol.metadata.EndTransactionRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the records of a metadata transaction back until its end, KIP-868: an aborted one's are
 * never seen. One thread.
 */
final class TransactionFilter implements Consumer<MetadataRecord> {
  private final Consumer<MetadataRecord> into;
  private @Nullable List<MetadataRecord> open;

  TransactionFilter(Consumer<MetadataRecord> into) {
    this.into = into;
  }

  @Override
  public void accept(MetadataRecord record) {
    List<MetadataRecord> held = open;
    switch (record) {
      case BeginTransactionRecord _ -> open = new ArrayList<>();
      case AbortTransactionRecord _ -> open = null;
      case EndTransactionRecord _ -> {
        open = null;
        if (held != null) {
          held.forEach(into);
        }
      }
      default -> {
        if (held == null) {
          into.accept(record);
        } else {
          held.add(record);
        }
      }
    }
  }

  /** Whether a transaction has begun and not ended. */
  boolean isOpen() {
    return open != null;
  }
}
