package dev.weir.log;

/** Why an append was refused; nothing was written. */
public enum Refusal {
  /** The bytes are no whole batch, or its checksum does not match. */
  CORRUPT_BATCH,
  /** A message format older or newer than 2. */
  UNSUPPORTED_FORMAT,
  /** One batch is larger than {@code max.message.bytes}. */
  RECORD_TOO_LARGE,
  /** All batches together are larger than a log segment. */
  BATCHES_TOO_LARGE,
  /** The header contradicts itself, or a client sent a control batch. */
  INVALID_RECORD,
  /** A timestamp is outside the bounds of the topic. */
  INVALID_TIMESTAMP,
  /** A record without a key was sent to a compacted topic. */
  KEY_REQUIRED,
  /** A producer's sequence number does not follow its last one. */
  OUT_OF_ORDER_SEQUENCE,
  /** A producer with a newer epoch has written since. */
  FENCED_EPOCH,
  /** The transaction marker comes from an older coordinator. */
  FENCED_COORDINATOR,
  /** A batch outside of its producer's open transaction. */
  INVALID_TRANSACTION_STATE,
  /** A replicated batch does not continue the log. */
  OFFSET_GAP
}
