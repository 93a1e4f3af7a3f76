package dev.weir.broker.partition;

import dev.weir.log.Refusal;
import dev.weir.protocol.ErrorCode;

/** The one table from why the log refused an append to what the client is told. */
public final class AppendErrors {
  private AppendErrors() {}

  public static ErrorCode codeOf(Refusal reason) {
    return switch (reason) {
      case CORRUPT_BATCH -> ErrorCode.CORRUPT_MESSAGE;
      case UNSUPPORTED_FORMAT -> ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT;
      case RECORD_TOO_LARGE -> ErrorCode.MESSAGE_TOO_LARGE;
      case BATCHES_TOO_LARGE -> ErrorCode.RECORD_LIST_TOO_LARGE;
      case INVALID_RECORD, KEY_REQUIRED -> ErrorCode.INVALID_RECORD;
      case INVALID_TIMESTAMP -> ErrorCode.INVALID_TIMESTAMP;
      case OUT_OF_ORDER_SEQUENCE -> ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER;
      case FENCED_EPOCH -> ErrorCode.INVALID_PRODUCER_EPOCH;
      case FENCED_COORDINATOR -> ErrorCode.TRANSACTION_COORDINATOR_FENCED;
      case INVALID_TRANSACTION_STATE -> ErrorCode.INVALID_TXN_STATE;
      case OFFSET_GAP -> ErrorCode.UNKNOWN_SERVER_ERROR;
    };
  }
}
