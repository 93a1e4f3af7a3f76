package dev.weir.node.cli;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.ResponseMessage;
import dev.weir.protocol.message.RequestHeader;
import dev.weir.protocol.message.ResponseHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One connection that sends a request and waits for its answer. Speaks the highest stable version
 * of each request, since it comes with the node that it talks to. Used by one thread.
 */
final class KafkaConnection implements AutoCloseable {
  private static final String CLIENT_ID = "weir";
  private static final int CONNECT_TIMEOUT_MS = 5_000;

  /** Above any wait that a request of ours asks the server for. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  /** Above what is asked for at once; the text of another protocol claims more. */
  private static final int ANSWER_BYTES_MAX = 128 << 20;

  private final HostPort address;
  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private int correlationId;

  private KafkaConnection(HostPort address, Socket socket) throws IOException {
    this.address = address;
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /**
   * Connects.
   *
   * @throws CommandFailure if nobody listens there
   */
  static KafkaConnection to(HostPort address) {
    Socket socket = new Socket();
    try {
      socket.connect(address.resolve(), CONNECT_TIMEOUT_MS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) ANSWER_TIMEOUT.toMillis());
      return new KafkaConnection(address, socket);
    } catch (IOException e) {
      try {
        socket.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw new CommandFailure(
          "cannot reach a node at "
              + address
              + " ("
              + e.getMessage()
              + "); start one with './weir start' or name its address with --kafka HOST:PORT",
          e);
    }
  }

  /**
   * Sends a request and gives its answer.
   *
   * @throws CommandFailure if the connection breaks or the answer belongs to another request
   */
  <T extends ResponseMessage> T call(RequestMessage request, Class<T> answerType) {
    ApiKey api = request.apiKey();
    short version = api.highestStableVersion();
    int id = ++correlationId;
    ByteWriter writer = new ByteWriter();
    writer.writeInt32(0);
    new RequestHeader(api.id(), version, id, CLIENT_ID)
        .write(writer, api.requestHeaderVersion(version));
    request.write(writer, version);
    ByteBuffer frame = writer.toBuffer();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    ByteBuffer.wrap(bytes).putInt(0, bytes.length - Integer.BYTES);
    try {
      out.write(bytes);
      out.flush();
      byte[] answer = new byte[answerBytes(in.readInt())];
      in.readFully(answer);
      ByteReader reader = new ByteReader(ByteBuffer.wrap(answer));
      ResponseHeader header = ResponseHeader.read(reader, api.responseHeaderVersion(version));
      if (header.correlationId() != id) {
        throw new CommandFailure(
            address + " answered request " + header.correlationId() + " instead of " + id);
      }
      return answerType.cast(api.readResponse(reader, version));
    } catch (IOException e) {
      throw new CommandFailure("lost the connection to " + address + " during " + api, e);
    }
  }

  private int answerBytes(int claimed) {
    if (claimed < 0 || claimed > ANSWER_BYTES_MAX) {
      throw new CommandFailure(
          address + " does not speak Kafka's protocol; name a node's Kafka address with --kafka");
    }
    return claimed;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new CommandFailure("cannot close the connection to " + address, e);
    }
  }
}
