package dev.weir.conformance;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Many connections that all send one large request at the same time, from one thread and out of one
 * buffer, so that the flood costs the sender little.
 */
final class RequestFlood {
  /** Kept small, so that what waits lies here and not in the kernel. */
  private static final int SOCKET_BUFFER_BYTES = 32 << 10;

  /** Of a Kafka answer, length and correlation id and more; of HTTP, up to the status. */
  private static final int ANSWER_HEAD_BYTES = 12;

  private static final long STALL_MS_MAX = 60_000;

  private final InetSocketAddress address;
  private final ByteBuffer request;

  /** One connection: what is left to send, and what has come back. */
  private static final class Sender {
    private final ByteBuffer rest;
    private final ByteBuffer answerHead = ByteBuffer.allocate(ANSWER_HEAD_BYTES);

    private Sender(ByteBuffer request) {
      this.rest = request.duplicate();
    }
  }

  /**
   * @param request as it goes over the wire
   */
  RequestFlood(String address, ByteBuffer request) {
    int colon = address.lastIndexOf(':');
    this.address =
        new InetSocketAddress(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    this.request = ByteBuffer.allocateDirect(request.remaining()).put(request).flip();
  }

  /**
   * Sends over all connections at once and waits for the heads of all answers.
   *
   * @return the first bytes of each answer
   */
  List<ByteBuffer> send(int connections) throws IOException {
    List<ByteBuffer> answers = new ArrayList<>();
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < connections; i++) {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
        channel.connect(address);
        channel.configureBlocking(false);
        var _ = channel.register(selector, SelectionKey.OP_WRITE, new Sender(request));
      }
      int open = connections;
      while (open > 0) {
        if (selector.select(STALL_MS_MAX) == 0) {
          throw new AssertionError(open + " of " + connections + " requests have no answer");
        }
        Set<SelectionKey> ready = selector.selectedKeys();
        for (SelectionKey key : ready) {
          if (goOn(key)) {
            answers.add(((Sender) key.attachment()).answerHead.flip());
            key.channel().close();
            open--;
          }
        }
        ready.clear();
      }
    }
    return answers;
  }

  /** Sends or receives; true when the head of the answer is there. */
  private static boolean goOn(SelectionKey key) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    Sender sender = (Sender) key.attachment();
    if (sender.rest.hasRemaining()) {
      var _ = channel.write(sender.rest);
      if (!sender.rest.hasRemaining()) {
        key.interestOps(SelectionKey.OP_READ);
      }
      return false;
    }
    if (channel.read(sender.answerHead) < 0) {
      throw new EOFException("the node closed a connection instead of answering");
    }
    return !sender.answerHead.hasRemaining();
  }
}
