package dev.weir.broker.network;

import dev.weir.broker.timing.LoopTask;
import dev.weir.broker.timing.LoopTimers;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ResponseMessage;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request that waits for its answer, with what its handler may need to know of where it came
 * from. It ends with the first call of {@link #reply}, {@link #endWithoutReply} or {@link #close},
 * or when the client goes; what comes after that is ignored.
 */
public final class Exchange {
  private final Connection connection;
  private final RequestHead head;

  // What follows is owned by the event loop.
  private boolean ended;
  private @Nullable ResponseMessage response;
  private @Nullable Runnable onClientGone;

  Exchange(Connection connection, RequestHead head) {
    this.connection = connection;
    this.head = head;
  }

  public ApiKey apiKey() {
    return head.apiKey();
  }

  public short apiVersion() {
    return head.apiVersion();
  }

  /** As the client named itself; empty when it did not. */
  public String clientId() {
    return head.clientId();
  }

  /** The event loop of the connection. */
  public EventLoop loop() {
    return connection.loop();
  }

  /** The timers of {@link #loop()}. */
  public LoopTimers timers() {
    return connection.timers();
  }

  /** The listener that the client came in by. */
  public String listener() {
    return connection.listener();
  }

  /** The address of this node that the client came in by. */
  public InetSocketAddress localAddress() {
    return connection.localAddress();
  }

  public InetSocketAddress clientAddress() {
    return connection.clientAddress();
  }

  /**
   * Has {@code hook} run on the event loop should the client go before the exchange has ended, so
   * that what waits for it can be taken back. To be called on the event loop.
   */
  public void whenClientGone(Runnable hook) {
    assert loop().inEventLoop();
    onClientGone = hook;
  }

  /**
   * Has the connection begin its next request while this one still waits: what had to come before
   * is done. Answers keep their order. To be called on the event loop.
   */
  public void letNextBegin() {
    assert loop().inEventLoop();
    connection.letNextBegin(this);
  }

  /**
   * What is kept of the connection under a type, made by {@code fresh} the first time. It ends with
   * the connection. To be called on the event loop, within {@link RequestHandler#handle}.
   */
  public <S extends ConnectionState> S connectionState(Class<S> type, Supplier<S> fresh) {
    assert loop().inEventLoop();
    return connection.state(type, fresh);
  }

  /** Sends the response and ends the exchange. Any thread. */
  public void reply(ResponseMessage response) {
    onLoop(() -> end(response));
  }

  /** Sends the response once there is one; closes the connection should there never be one. */
  public void replyWith(CompletionStage<? extends ResponseMessage> response) {
    response.whenComplete(
        (message, failure) -> {
          if (message != null) {
            reply(message);
          } else {
            connection.failed(this, failure);
            close();
          }
        });
  }

  /** Ends the exchange of a request that is not answered, as a produce with acks=0. Any thread. */
  public void endWithoutReply() {
    onLoop(() -> end(null));
  }

  /** Ends the connection, and the exchange with it. Any thread. */
  public void close() {
    onLoop(
        () -> {
          if (!ended) {
            connection.close();
          }
        });
  }

  /** The client has gone, or the connection is being closed. */
  void abandon() {
    if (!ended) {
      ended = true;
      Runnable hook = onClientGone;
      if (hook != null) {
        hook.run();
      }
    }
  }

  RequestHead head() {
    return head;
  }

  boolean hasEnded() {
    return ended;
  }

  /** What to send, once it has ended; null where nothing is sent. */
  @Nullable ResponseMessage response() {
    return response;
  }

  private void end(@Nullable ResponseMessage answer) {
    if (!ended) {
      ended = true;
      onClientGone = null;
      response = answer;
      connection.onEnded(this);
    }
  }

  private void onLoop(Runnable act) {
    if (loop().inEventLoop()) {
      act.run();
    } else {
      loop().execute(new LoopTask(act));
    }
  }

  @Override
  public String toString() {
    return "Exchange[" + head + ", client=" + connection.clientAddress() + "]";
  }
}
