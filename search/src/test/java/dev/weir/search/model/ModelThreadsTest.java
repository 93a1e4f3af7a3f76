package dev.weir.search.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import dev.weir.search.model.ModelThreads.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries go before ingest; one thread for models, whose order is therefore seen. */
@Timeout(60)
final class ModelThreadsTest {
  private static final int CALLS_MAX = 4;

  private final ModelThreads threads =
      new ModelThreads(new ModelBounds(1, CALLS_MAX, /* timeoutMs= */ 60_000, 1 << 20, 2));
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  @AfterEach
  void stop() {
    open.countDown();
    callers.shutdownNow();
    threads.close();
  }

  private ModelThreads.Work<String> named(String name) {
    return (item, _) -> {
      entered.countDown();
      try {
        assertThat(open.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      done.add(name + item);
      return name + item;
    };
  }

  private Future<List<String>> begin(Purpose purpose, String name, int count) {
    return callers.submit(() -> threads.run(purpose, count, named(name)));
  }

  /** Begins a call, and returns when its caller waits for the result. */
  private Thread waiting(Purpose purpose, String name, int count) {
    Thread caller = new Thread(() -> threads.run(purpose, count, named(name)), name);
    caller.start();
    while (caller.getState() != Thread.State.TIMED_WAITING) {
      assertThat(caller.isAlive()).as("refused: " + name).isTrue();
      Thread.onSpinWait();
    }
    return caller;
  }

  @Test
  void queryGoesBeforeTheNextTextOfACallThatIndexes() throws Exception {
    Future<List<String>> ingest = begin(Purpose.INGEST, "ingest", 3);
    entered.await();
    Thread query = waiting(Purpose.QUERY, "query", 2);
    open.countDown();
    query.join();
    assertThat(ingest.get()).containsExactly("ingest0", "ingest1", "ingest2");
    assertThat(done).containsExactly("ingest0", "query0", "query1", "ingest1", "ingest2");
  }

  @Test
  void callsThatIndexLeaveQueriesRoomToWaitIn() throws Exception {
    Future<List<String>> first = begin(Purpose.INGEST, "first", 1);
    entered.await();
    for (int i = 0; i < CALLS_MAX / 2; i++) {
      waiting(Purpose.INGEST, "more" + i, 1);
    }
    assertThatThrownBy(() -> threads.run(Purpose.INGEST, 1, named("refused")))
        .extracting(e -> ((SearchException) e).status())
        .isEqualTo(429);
    Thread query = waiting(Purpose.QUERY, "query", 1);
    open.countDown();
    query.join();
    first.get();
    assertThat(done).startsWith("first0", "query0");
  }

  /** Each query is done by the thread that indexes, so its place in the queue is never reached. */
  @Test
  void queriesThatAreAnsweredTakeNoPlaces() throws Exception {
    open.countDown();
    int texts = 3 * CALLS_MAX;
    List<Thread> queries = new ArrayList<>();
    List<String> made =
        threads.run(
            Purpose.INGEST,
            texts,
            (item, _) -> {
              if (item > 0) {
                join(queries.getLast());
              }
              queries.add(waiting(Purpose.QUERY, "query" + item + "-", 1));
              done.add("ingest" + item);
              return "ingest" + item;
            });
    join(queries.getLast());
    assertThat(made).hasSize(texts);
    List<String> order = new ArrayList<>();
    for (int i = 0; i < texts; i++) {
      order.add("ingest" + i);
      order.add("query" + i + "-0");
    }
    assertThat(done).containsExactlyElementsOf(order);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
