package dev.weir.broker;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.ResponseMessage;
import dev.weir.protocol.message.RequestHeader;
import dev.weir.protocol.message.ResponseHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** Speaks the protocol over a socket, in any version. */
final class WireClient implements AutoCloseable {
  private final Socket socket = new Socket();
  private int correlationId;

  WireClient(int port) {
    try {
      socket.setSoTimeout(20_000);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a request and reads its answer. */
  ResponseMessage ask(RequestMessage request, int version) {
    send(request, version);
    return receive(request.apiKey(), version);
  }

  /** Sends a request and reads its answer as what it must be. */
  <A extends ResponseMessage> A ask(RequestMessage request, int version, Class<A> type) {
    return type.cast(ask(request, version));
  }

  void send(RequestMessage request, int version) {
    ByteWriter out = new ByteWriter();
    out.writeInt32(0);
    correlationId++;
    RequestHeader.DEFAULT
        .withRequestApiKey(request.apiKey().id())
        .withRequestApiVersion((short) version)
        .withCorrelationId(correlationId)
        .withClientId("wire")
        .write(out, request.apiKey().requestHeaderVersion((short) version));
    request.write(out, (short) version);
    ByteBuffer frame = out.toBuffer();
    frame.putInt(0, frame.remaining() - 4);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ResponseMessage receive(ApiKey key, int version) {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] frame = new byte[in.readInt()];
      in.readFully(frame);
      ByteReader reader = new ByteReader(ByteBuffer.wrap(frame));
      ResponseHeader header =
          ResponseHeader.read(reader, key.responseHeaderVersion((short) version));
      if (header.correlationId() != correlationId) {
        throw new AssertionError(
            "answer to " + header.correlationId() + ", expected to " + correlationId);
      }
      ResponseMessage response = key.readResponse(reader, (short) version);
      if (reader.remaining() != 0) {
        throw new AssertionError(reader.remaining() + " bytes are left of " + response);
      }
      return response;
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
