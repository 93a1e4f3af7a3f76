package dev.weir.log.batch;

import java.util.Optional;

/** Compression codec of a record batch: bits 0 to 2 of its attributes. */
public enum Compression {
  NONE(0, "none"),
  GZIP(1, "gzip"),
  SNAPPY(2, "snappy"),
  LZ4(3, "lz4"),
  ZSTD(4, "zstd");

  private static final Compression[] BY_ID = values();

  private final int id;
  private final String text;

  Compression(int id, String text) {
    this.id = id;
    this.text = text;
  }

  /** The codec's number in the attributes. */
  public int id() {
    return id;
  }

  /** The codec's name in configuration. */
  public String text() {
    return text;
  }

  /** The codec of this number, if there is one. */
  public static Optional<Compression> ofId(int id) {
    return id >= 0 && id < BY_ID.length ? Optional.of(BY_ID[id]) : Optional.empty();
  }

  /** The codec of this name, if there is one. */
  public static Optional<Compression> ofName(String name) {
    for (Compression compression : BY_ID) {
      if (compression.text.equals(name)) {
        return Optional.of(compression);
      }
    }
    return Optional.empty();
  }
}
