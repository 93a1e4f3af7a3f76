package dev.weir.metadata.config;

import java.util.Locale;
import java.util.Optional;

/** The type of a configuration value, with its code in DescribeConfigs responses. */
public enum ConfigType {
  BOOLEAN(1),
  STRING(2),
  INT(3),
  SHORT(4),
  LONG(5),
  DOUBLE(6),
  LIST(7);

  private final byte code;

  ConfigType(int code) {
    this.code = (byte) code;
  }

  /** The code on the wire, KIP-569. */
  public byte code() {
    return code;
  }

  /** What is wrong with a text as a value of this type, or nothing. */
  Optional<String> refusal(String value) {
    try {
      switch (this) {
        case BOOLEAN -> {
          String lower = value.toLowerCase(Locale.ROOT);
          if (!lower.equals("true") && !lower.equals("false")) {
            return Optional.of("expected true or false");
          }
        }
        case INT -> Integer.parseInt(value);
        case SHORT -> Short.parseShort(value);
        case LONG -> Long.parseLong(value);
        case DOUBLE -> Double.parseDouble(value);
        case STRING, LIST -> {}
      }
      return Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.of("expected a number of type " + name().toLowerCase(Locale.ROOT));
    }
  }
}
