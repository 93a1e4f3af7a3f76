package dev.weir.conformance;

import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.message.RequestHeader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractResponse;

/**
 * A connection to a node's Kafka face, byte by byte: requests are written by our own messages,
 * responses are read by the client library's, so that an error in one of them shows.
 */
final class RawConnection implements AutoCloseable {
  private static final String CLIENT_ID = "conformance";
  private static final int CONNECT_MS_MAX = 20_000;
  private static final int LENGTH_BYTES = 4;

  private final Socket socket;
  private final DataInputStream in;
  private int lastCorrelationId;

  private RawConnection(Socket socket, DataInputStream in) {
    this.socket = socket;
    this.in = in;
  }

  /** Connects to HOST:PORT. */
  static RawConnection to(String address) {
    int colon = address.lastIndexOf(':');
    try {
      Socket socket = new Socket();
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Math.toIntExact(Eventually.PATIENCE.toMillis()));
      socket.connect(
          new InetSocketAddress(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
          CONNECT_MS_MAX);
      return new RawConnection(socket, new DataInputStream(socket.getInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot connect to " + address, e);
    }
  }

  /**
   * Sends one request and reads its response.
   *
   * @throws AssertionError if the node closes the connection instead, or the response has bytes
   *     that the client library does not know
   */
  <T extends AbstractResponse> T ask(RequestMessage request, int version, Class<T> type) {
    send(frame(request, version));
    ByteBuffer frame =
        receive()
            .orElseThrow(
                () ->
                    new AssertionError(
                        "connection closed on " + request.apiKey() + " version " + version));
    T response = type.cast(parse(frame, request.apiKey().id(), (short) version));
    if (frame.hasRemaining()) {
      throw new AssertionError(
          frame.remaining() + " bytes too many after " + request.apiKey() + " version " + version);
    }
    return response;
  }

  /** The bytes of a request, with its length, under the next correlation id. */
  ByteBuffer frame(RequestMessage request, int version) {
    short apiVersion = (short) version;
    ByteWriter out = new ByteWriter();
    out.writeInt32(0);
    new RequestHeader(request.apiKey().id(), apiVersion, ++lastCorrelationId, CLIENT_ID)
        .write(out, request.apiKey().requestHeaderVersion(apiVersion));
    request.write(out, apiVersion);
    ByteBuffer frame = out.toBuffer();
    ByteBuffer whole = ByteBuffer.allocate(frame.remaining()).put(frame).flip();
    return whole.putInt(0, whole.remaining() - LENGTH_BYTES);
  }

  /** Reads the body of a response with the client library, header and correlation id included. */
  AbstractResponse parse(ByteBuffer frame, short apiKey, short version) {
    return AbstractResponse.parseResponse(
        frame,
        new org.apache.kafka.common.requests.RequestHeader(
            ApiKeys.forId(apiKey), version, CLIENT_ID, lastCorrelationId));
  }

  void send(ByteBuffer bytes) {
    try {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      socket.getOutputStream().write(copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells the node that nothing more will come. */
  void endSending() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next response without its length; empty when the node has closed the connection. */
  Optional<ByteBuffer> receive() {
    try {
      byte[] frame = new byte[in.readInt()];
      in.readFully(frame);
      return Optional.of(ByteBuffer.wrap(frame));
    } catch (EOFException | SocketException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
