package dev.weir.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class EngineThreadsTest {

  @Test
  void tasksThatRunBeyondTheBoundAreNotInterruptedAtTheEnd() throws InterruptedException {
    EngineThreads threads = new EngineThreads(1, Duration.ofMillis(20));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    threads
        .applying()
        .execute(
            () -> {
              begun.countDown();
              try {
                release.await();
                interrupted.complete(Thread.currentThread().isInterrupted());
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    begun.await();
    threads.applying().execute(() -> interrupted.complete(true)); // waits, and is dropped
    threads.close();
    release.countDown();
    assertThat(interrupted.join()).isFalse();
  }

  @Test
  void nobodyWaitsInTheQueueOfRequestsToHelp() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (EngineThreads threads = new EngineThreads(1)) {
      threads
          .helping()
          .execute(
              () -> {
                begun.countDown();
                awaited(release);
              });
      begun.await();
      assertThatThrownBy(() -> threads.helping().execute(() -> {}))
          .isInstanceOf(RejectedExecutionException.class);
      CompletableFuture<Void> request = CompletableFuture.runAsync(() -> {}, threads.requests());
      release.countDown();
      assertThat(request).succeedsWithin(Duration.ofSeconds(10));
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
