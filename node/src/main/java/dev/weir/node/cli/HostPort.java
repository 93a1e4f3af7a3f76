package dev.weir.node.cli;

import java.net.InetSocketAddress;

/**
 * An address as a user writes it.
 *
 * @param host name or address; an IPv6 address without its brackets
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {
  private static final int PORT_MAX = 65_535;

  /** Refuses ports that do not exist. */
  public HostPort {
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("port " + port + " is not within 0.." + PORT_MAX);
    }
  }

  /**
   * Reads {@code HOST:PORT} or {@code [IPV6]:PORT}.
   *
   * @throws IllegalArgumentException if the text is no such address
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new IllegalArgumentException("'" + text + "' is no HOST:PORT");
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      return new HostPort(host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no HOST:PORT: the port is no number", e);
    }
  }

  /** The address to bind or connect to; resolves the name. */
  public InetSocketAddress resolve() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
