package dev.weir.log.producer;

/**
 * What is remembered of one appended batch.
 *
 * @param lastSequence sequence of its last record
 * @param lastOffset offset of its last record
 * @param offsetDelta last offset minus first offset
 * @param timestampMs its largest timestamp
 */
record BatchMark(int lastSequence, long lastOffset, int offsetDelta, long timestampMs) {
  int firstSequence() {
    return Sequences.minus(lastSequence, offsetDelta);
  }

  long firstOffset() {
    return lastOffset - offsetDelta;
  }
}
