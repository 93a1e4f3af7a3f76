package dev.weir.search.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.document.IngestRuns.Bounds;
import dev.weir.search.error.SearchException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is admitted of the writes that go through pipelines, and what is refused. */
final class IngestRunsTest {
  private static final Duration CLOSE_MAX = Duration.ofMillis(50);

  private final Queue<Runnable> tasks = new ArrayDeque<>();

  private IngestRuns runs(int runsMax, long bytesMax) {
    return new IngestRuns(tasks::add, new Bounds(runsMax, bytesMax, 4096), CLOSE_MAX);
  }

  private static String refusal(CompletableFuture<?> run) {
    assertThat(run).isCompletedExceptionally();
    return run.exceptionNow() instanceof SearchException refused
        ? refused.status() + " " + refused.error().reason()
        : run.exceptionNow().toString();
  }

  @Test
  void oneMoreThanTheBoundIsRefusedUntilOneIsOver() {
    IngestRuns runs = runs(2, 1000);
    CompletableFuture<String> first = runs.run(1, () -> "first");
    CompletableFuture<String> second = runs.run(1, () -> "second");
    assertThat(refusal(runs.run(1, () -> "third")))
        .isEqualTo(
            "429 too many requests go through ingest pipelines: 2 of 2, with 2 of 1000 bytes;"
                + " send this one again later");
    tasks.remove().run();
    assertThat(first).isCompletedWithValue("first");
    assertThat(second).isNotDone();
    assertThat(runs.run(1, () -> "fourth")).isNotDone();
  }

  @Test
  void bytesBeyondTheBoundAreRefusedUntilOthersAreOver() {
    IngestRuns runs = runs(10, 1000);
    assertThat(runs.run(600, () -> "first")).isNotDone();
    assertThat(refusal(runs.run(401, () -> "second"))).startsWith("429 ");
    assertThat(runs.run(400, () -> "third")).isNotDone();
    tasks.remove().run();
    assertThat(runs.run(600, () -> "fourth")).isNotDone();
  }

  @Test
  void requestThatIsLargerThanTheBoundIsAdmittedAlone() {
    IngestRuns runs = runs(10, 1000);
    assertThat(runs.run(1001, () -> "large")).isNotDone();
    assertThat(refusal(runs.run(1, () -> "small"))).startsWith("429 ");
    tasks.remove().run();
    assertThat(runs.run(1, () -> "small")).isNotDone();
  }

  @Test
  void runThatGetsNoThreadMakesRoomToo() {
    Queue<Throwable> failures =
        new ArrayDeque<>(
            List.of(new RejectedExecutionException("full"), new OutOfMemoryError("no thread")));
    IngestRuns runs =
        new IngestRuns(
            task -> {
              switch (failures.poll()) {
                case RuntimeException refused -> throw refused;
                case Error error -> throw error;
                case null, default -> tasks.add(task);
              }
            },
            new Bounds(1, 1000, 4096),
            CLOSE_MAX);
    assertThatThrownBy(() -> runs.run(1000, () -> "refused"))
        .isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> runs.run(1000, () -> "failed")).isInstanceOf(OutOfMemoryError.class);
    CompletableFuture<String> next = runs.run(1000, () -> "next"); // there is room for one only
    tasks.remove().run();
    assertThat(next).isCompletedWithValue("next");
    runs.close();
  }

  @Test
  void runThatFailsMakesRoomToo() {
    IngestRuns runs = runs(1, 1000);
    CompletableFuture<String> failing =
        runs.run(
            1,
            () -> {
              throw SearchException.illegalArgument("no");
            });
    tasks.remove().run();
    assertThat(failing).isCompletedExceptionally();
    assertThat(runs.run(1, () -> "next")).isNotDone();
  }

  @Test
  void treesBeyondTheBoundWaitForOthers() throws InterruptedException {
    IngestRuns runs = IngestRuns.onVirtualThreads(new Bounds(10, 1 << 20, 4096), CLOSE_MAX);
    List<String> order = new ArrayList<>(); // guarded by the trees: one window has them all
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Void> first =
        runs.run(
            1,
            () -> {
              runs.withTrees(
                  1 << 20, // more than there may be, so it takes all
                  () -> {
                    inside.countDown();
                    await(release);
                    order.add("first");
                  });
              return null;
            });
    assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Void> second =
        runs.run(
            1,
            () -> {
              runs.withTrees(1, () -> order.add("second"));
              return null;
            });
    release.countDown();
    CompletableFuture.allOf(first, second).orTimeout(10, TimeUnit.SECONDS).join();
    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void nothingIsAdmittedAtTheEndAndWhatRunsIsLeftAfterTheBound() {
    IngestRuns runs = runs(10, 1000);
    assertThat(runs.run(1, () -> "stuck")).isNotDone();
    runs.close();
    assertThat(refusal(runs.run(1, () -> "late"))).isEqualTo("503 the node is stopping");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
