package dev.weir.broker.fetch;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.timing.Timeout;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request of a session until it is answered. While it waits it is woken by marks, and looks at
 * what was marked. Owned by the event loop of the connection.
 */
final class SessionWait {
  private final Exchange exchange;
  private final FetchSession session;
  private final SessionTurn turn;
  private final IntSupplier onEnd;
  private @Nullable Timeout timeout;

  /**
   * @param onEnd called when the turn is over, before the answer leaves or when the client has
   *     gone; gives the session id that the answer tells
   */
  SessionWait(Exchange exchange, FetchSession session, SessionTurn turn, IntSupplier onEnd) {
    this.exchange = exchange;
    this.session = session;
    this.turn = turn;
    this.onEnd = onEnd;
  }

  /** Answers at once or waits up to {@code maxWaitMs}. */
  void begin(int maxWaitMs) {
    if (turn.begin() || maxWaitMs <= 0) {
      finish();
      return;
    }
    exchange.whenClientGone(this::abandon);
    timeout = exchange.timers().afterPatience(maxWaitMs, this::finish);
    await();
  }

  private void await() {
    while (!session.awaitMark(this::onMark)) {
      // What was marked meanwhile may have told nobody.
      if (turn.goOn()) {
        finish();
        return;
      }
    }
  }

  private void onMark() {
    if (turn.goOn()) {
      finish();
    } else {
      await();
    }
  }

  private void finish() {
    stop();
    var news = turn.answer();
    exchange.reply(FetchAnswer.of(onEnd.getAsInt(), news));
  }

  private void abandon() {
    stop();
    int _ = onEnd.getAsInt();
  }

  private void stop() {
    session.stopWaiting();
    Timeout running = timeout;
    if (running != null) {
      running.cancel();
    }
  }
}
