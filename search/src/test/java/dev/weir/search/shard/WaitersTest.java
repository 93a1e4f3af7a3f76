package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WaitersTest {
  @Test
  void whatIsReachedCompletesAndTheRestWaits() {
    Waiters waiters = new Waiters(5);
    CompletableFuture<Void> far = waiters.await(9);
    assertThat(waiters.await(5)).isCompleted();
    waiters.reached(8);
    assertThat(far).isNotDone();
    waiters.reached(9);
    assertThat(far).isCompleted();
  }

  @Test
  void nobodyWaitsForAShardThatHasStopped() {
    Waiters waiters = new Waiters(5);
    CompletableFuture<Void> before = waiters.await(9);
    waiters.fail(new IllegalStateException("stopped"));
    assertThat(before).isCompletedExceptionally();
    assertThat(waiters.await(9)).isCompletedExceptionally();
    assertThat(waiters.await(5)).isCompleted();
  }
}
