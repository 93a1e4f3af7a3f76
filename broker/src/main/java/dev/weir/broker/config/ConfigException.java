package dev.weir.broker.config;

/** A property cannot be accepted; the message names the property, its value and the remedy. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message);
  }
}
