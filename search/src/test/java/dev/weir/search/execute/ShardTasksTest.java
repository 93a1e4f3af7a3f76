package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Parts of a request side by side, and what comes of one that fails. */
class ShardTasksTest {
  private static final Executor FULL =
      _ -> {
        throw new RejectedExecutionException("full");
      };

  @Test
  void resultsComeInTheOrderOfTheTasksWhoeverDoesThem() {
    List<Supplier<Integer>> tasks = List.of(() -> 1, () -> 2, () -> 3);
    assertThat(ShardTasks.run(FULL, tasks)).containsExactly(1, 2, 3);
    try (var threads = Executors.newCachedThreadPool()) {
      assertThat(ShardTasks.run(threads, tasks)).containsExactly(1, 2, 3);
    }
  }

  @Test
  void anErrorOfATaskComesAsWhatItIs() {
    OutOfMemoryError full = new OutOfMemoryError("heap");
    List<Supplier<Integer>> tasks =
        List.of(
            () -> 1,
            () -> {
              throw full;
            });
    assertThatThrownBy(() -> ShardTasks.run(FULL, tasks)).isSameAs(full);
  }

  @Test
  void anExceptionOfATaskIsWrapped() {
    List<Supplier<Integer>> tasks =
        List.of(
            () -> {
              throw new IllegalStateException("broken");
            });
    assertThatThrownBy(() -> ShardTasks.run(FULL, tasks))
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("broken");
  }
}
