package dev.weir.broker.config;

/**
 * Where a listener listens, or what clients are told of it.
 *
 * @param listener the listener's name, as in {@code listener.security.protocol.map}
 * @param host a name or address; empty: all addresses of the machine
 * @param port 0: any free port
 */
public record Endpoint(String listener, String host, int port) {
  private static final String SEPARATOR = "://";
  private static final int PORT_MAX = 65_535;

  public Endpoint {
    if (port < 0 || port > PORT_MAX) {
      throw new ConfigException("port is " + port + ", expected 0.." + PORT_MAX);
    }
  }

  /**
   * Reads {@code NAME://host:port}; an IPv6 address stands in brackets.
   *
   * @throws ConfigException if {@code text} is not of that form
   */
  static Endpoint parse(String property, String text) {
    int separator = text.indexOf(SEPARATOR);
    int colon = text.lastIndexOf(':');
    if (separator <= 0 || colon < separator + SEPARATOR.length()) {
      throw malformed(property, text);
    }
    String host = text.substring(separator + SEPARATOR.length(), colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      return new Endpoint(
          text.substring(0, separator), host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException _) {
      throw malformed(property, text);
    }
  }

  private static ConfigException malformed(String property, String text) {
    return new ConfigException(
        "property "
            + property
            + " contains \""
            + text
            + "\", expected NAME://host:port, "
            + "for example PLAINTEXT://127.0.0.1:9092");
  }

  /** In the form that {@link #parse} reads. */
  @Override
  public String toString() {
    return listener + SEPARATOR + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
