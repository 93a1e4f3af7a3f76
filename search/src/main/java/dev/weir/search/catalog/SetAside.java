package dev.weir.search.catalog;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;

/**
 * A definition in the catalog's log that this version cannot read: a later rule refuses it, a newer
 * version wrote it, or its bytes are damaged. Nothing can be done with it but to delete it or to
 * put it anew; until then its record stays in the log as it is.
 *
 * @param key of its record, as {@code index/NAME}
 * @param value of its record, byte for byte; not to be changed
 * @param uuid of the index, if at least that can be read: names the folder of its files
 * @param reason why it cannot be read
 */
public record SetAside(String key, ByteBuffer value, Optional<UUID> uuid, String reason) {

  /** Takes a copy of the bytes, which may be a view of a buffer that is used again. */
  public SetAside {
    byte[] copy = new byte[value.remaining()];
    value.duplicate().get(copy);
    value = ByteBuffer.wrap(copy).asReadOnlyBuffer();
  }

  /** The name after the kind. */
  public String name() {
    return key.substring(key.indexOf('/') + 1);
  }

  /** What a request for it is answered with: 503. */
  public SearchException unavailable() {
    boolean index = key.startsWith(CatalogRecordCodec.INDEX);
    String kind = index ? "index" : "search pipeline";
    ErrorCause error =
        ErrorCause.of(
            ErrorType.UNAVAILABLE,
            "the definition of "
                + kind
                + " ["
                + name()
                + "] cannot be read by this version: "
                + reason
                + "; delete the "
                + kind
                + ", or put it again"
                + (index ? " (its documents stay and are indexed anew)" : ""));
    return new SearchException(
        index
            ? error
                .with("index", name())
                .with("index_uuid", uuid.map(IndexDefinition::uuidText).orElse("_na_"))
            : error);
  }
}
