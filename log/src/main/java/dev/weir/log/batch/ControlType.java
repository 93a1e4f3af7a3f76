package dev.weir.log.batch;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Kinds of control records. The key of a control record is version (int16, 0) and kind (int16). */
public enum ControlType {
  ABORT(0),
  COMMIT(1),
  LEADER_CHANGE(2),
  SNAPSHOT_HEADER(3),
  SNAPSHOT_FOOTER(4),
  KRAFT_VERSION(5),
  KRAFT_VOTERS(6);

  private static final int KEY_BYTES = 4;
  private static final ControlType[] BY_ID = values();

  private final short id;

  ControlType(int id) {
    this.id = (short) id;
  }

  /** The kind's number. */
  public short id() {
    return id;
  }

  /** The key of a control record of this kind. */
  public ByteBuffer key() {
    return ByteBuffer.allocate(KEY_BYTES).putShort((short) 0).putShort(id()).flip();
  }

  /** The kind that a control record's key names; empty if it is none of these. */
  public static Optional<ControlType> ofKey(ByteBuffer key) {
    if (key.remaining() < KEY_BYTES) {
      return Optional.empty();
    }
    int id = key.getShort(key.position() + 2);
    return id >= 0 && id < BY_ID.length ? Optional.of(BY_ID[id]) : Optional.empty();
  }
}
