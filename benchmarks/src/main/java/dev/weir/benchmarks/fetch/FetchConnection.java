package dev.weir.benchmarks.fetch;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.ResponseMessage;
import dev.weir.protocol.message.RequestHeader;
import dev.weir.protocol.message.ResponseHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** One connection to a broker; one request at a time. */
final class FetchConnection implements AutoCloseable {
  private final Socket socket = new Socket();
  private final DataInputStream in;
  private int correlationId;

  FetchConnection(InetSocketAddress broker) throws IOException {
    socket.connect(broker);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
  }

  <A extends ResponseMessage> A ask(RequestMessage request, int version, Class<A> type)
      throws IOException {
    send(request, (short) version);
    return type.cast(receive(request.apiKey(), (short) version));
  }

  private void send(RequestMessage request, short version) throws IOException {
    ByteWriter out = new ByteWriter();
    out.writeInt32(0);
    correlationId++;
    RequestHeader.DEFAULT
        .withRequestApiKey(request.apiKey().id())
        .withRequestApiVersion(version)
        .withCorrelationId(correlationId)
        .withClientId("idle")
        .write(out, request.apiKey().requestHeaderVersion(version));
    request.write(out, version);
    ByteBuffer frame = out.toBuffer();
    frame.putInt(0, frame.remaining() - Integer.BYTES);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    socket.getOutputStream().write(bytes);
  }

  private ResponseMessage receive(ApiKey key, short version) throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    ByteReader reader = new ByteReader(ByteBuffer.wrap(frame));
    ResponseHeader header = ResponseHeader.read(reader, key.responseHeaderVersion(version));
    if (header.correlationId() != correlationId) {
      throw new IOException("answer to " + header.correlationId() + ", not to " + correlationId);
    }
    return key.readResponse(reader, version);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
