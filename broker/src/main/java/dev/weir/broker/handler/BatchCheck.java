package dev.weir.broker.handler;

import dev.weir.protocol.BufferRecords;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.Records;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a produce request must have in a partition's records before the log looks at them: exactly
 * one whole batch of format 2, in a compression that the version of the request knows. Reads a few
 * bytes of the batch's header in place: int32 length at 8 (bytes after itself), int8 magic at 16,
 * int16 attributes at 21, of which the lowest three bits are the compression and the fifth says
 * transactional.
 */
final class BatchCheck {
  /** Why the records are refused. */
  record Fault(ErrorCode error, String message) {}

  private static final int LENGTH_AT = 8;
  private static final int AFTER_LENGTH = 12;
  private static final int MAGIC_AT = 16;
  private static final int ATTRIBUTES_AT = 21;
  private static final int HEADER_BYTES = 61;
  private static final byte MAGIC = 2;
  private static final int COMPRESSION_MASK = 7;
  private static final int COMPRESSION_ZSTD = 4;
  private static final int TRANSACTIONAL = 1 << 4;

  /** The first version of the request that knows zstd (KIP-110). */
  private static final short ZSTD_SINCE = 7;

  private BatchCheck() {}

  static Optional<Fault> fault(
      @Nullable Records records, short apiVersion, @Nullable String transactionalId) {
    if (!(records instanceof BufferRecords(ByteBuffer batch)) || batch.remaining() < HEADER_BYTES) {
      return invalid("the request holds no record batch for this partition");
    }
    int start = batch.position();
    if (batch.get(start + MAGIC_AT) != MAGIC) {
      return invalid(
          "record batch has magic " + batch.get(start + MAGIC_AT) + ", expected " + MAGIC);
    }
    long size = AFTER_LENGTH + (long) batch.getInt(start + LENGTH_AT);
    if (size > batch.remaining()) {
      return invalid(
          "record batch says it has " + size + " bytes, the request holds " + batch.remaining());
    }
    if (size < batch.remaining() && size >= HEADER_BYTES) {
      return invalid("the request holds more than one record batch for this partition");
    }
    int attributes = batch.getShort(start + ATTRIBUTES_AT);
    if ((attributes & COMPRESSION_MASK) == COMPRESSION_ZSTD && apiVersion < ZSTD_SINCE) {
      return Optional.of(
          new Fault(
              ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
              "zstd needs version " + ZSTD_SINCE + " of the request, this is " + apiVersion));
    }
    if (transactionalId != null || (attributes & TRANSACTIONAL) != 0) {
      return Optional.of(
          new Fault(
              ErrorCode.INVALID_TXN_STATE, "transactions are not served by this broker version"));
    }
    return Optional.empty();
  }

  private static Optional<Fault> invalid(String message) {
    return Optional.of(new Fault(ErrorCode.INVALID_RECORD, message));
  }
}
