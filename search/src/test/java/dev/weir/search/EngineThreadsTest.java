package dev.weir.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
}
