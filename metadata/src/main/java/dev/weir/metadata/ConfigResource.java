package dev.weir.metadata;

/**
 * What a configuration belongs to.
 *
 * @param name of the topic, group or subscription; a broker's id in decimal, or empty for the
 *     default of all brokers
 */
public record ConfigResource(Type type, String name) {

  /** Kinds of resources with their codes on the wire. */
  public enum Type {
    UNKNOWN(0),
    TOPIC(2),
    BROKER(4),
    BROKER_LOGGER(8),
    CLIENT_METRICS(16),
    GROUP(32);

    private final byte code;

    Type(int code) {
      this.code = (byte) code;
    }

    public byte code() {
      return code;
    }

    /** {@link #UNKNOWN} for codes without a meaning. */
    public static Type ofCode(byte code) {
      for (Type type : values()) {
        if (type.code == code) {
          return type;
        }
      }
      return UNKNOWN;
    }
  }

  public static ConfigResource topic(String name) {
    return new ConfigResource(Type.TOPIC, name);
  }

  public static ConfigResource broker(int id) {
    return new ConfigResource(Type.BROKER, Integer.toString(id));
  }

  /** The default of all brokers. */
  public static ConfigResource allBrokers() {
    return new ConfigResource(Type.BROKER, "");
  }
}
