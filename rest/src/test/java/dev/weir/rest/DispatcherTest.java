package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.IncomingRequest.Reception;
import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.memory.AnswerPart;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DispatcherTest {
  private static final int BODY_BYTES_MAX = 100;

  private final Router router = new Router();
  private final AnswerMemory memory = new AnswerMemory(1 << 20);
  private final List<RestResponse> answers = new ArrayList<>();

  private void take(RestResponse answer, AnswerBudget held) {
    answers.add(answer);
    held.close();
  }

  @AfterEach
  void nothingIsHeldAfterTheAnswers() {
    assertThat(memory.figures().heldBytes()).isZero();
  }

  @Test
  void aRequestThatFindsNoThreadIsToldToTryLater() {
    Dispatcher dispatcher =
        new Dispatcher(
            router,
            _ -> {
              throw new RejectedExecutionException("full");
            },
            BODY_BYTES_MAX,
            new HttpCounters(),
            memory);
    dispatcher.dispatch(request("/", 0), this::take);
    assertThat(answers).singleElement().satisfies(answer -> is(answer, 429, "rejected_execution"));
  }

  @Test
  void aRefusalThatComesLaterIsAnsweredAsOneThatComesAtOnce() {
    CompletableFuture<RestResponse> pending = new CompletableFuture<>();
    router.addPending(Method.POST, "/late", Set.of(), _ -> pending.thenApply(answer -> answer));
    new Dispatcher(router, Runnable::run, BODY_BYTES_MAX, new HttpCounters(), memory)
        .dispatch(request("/late", 0), this::take);
    pending.completeExceptionally(SearchException.indexNotFound("books"));
    assertThat(answers).singleElement().satisfies(answer -> is(answer, 404, "index_not_found"));
  }

  @Test
  void aPoolThatIsFullBehindTheHandlerIsToldAsSuch() {
    router.add(
        Method.POST,
        "/full",
        Set.of(),
        _ -> {
          throw new RejectedExecutionException("full");
        });
    new Dispatcher(router, Runnable::run, BODY_BYTES_MAX, new HttpCounters(), memory)
        .dispatch(request("/full", 0), this::take);
    assertThat(answers).singleElement().satisfies(answer -> is(answer, 429, "rejected_execution"));
  }

  @Test
  void aPoolThatIsFullInTheMiddleOfAnAnswerGivesBackWhatItHeld() {
    router.add(
        Method.POST,
        "/half",
        Set.of(),
        request -> {
          request.budget().take(AnswerPart.DOCUMENTS, 500_000);
          throw new RejectedExecutionException("full");
        });
    Dispatcher dispatcher =
        new Dispatcher(router, Runnable::run, BODY_BYTES_MAX, new HttpCounters(), memory);
    for (int i = 0; i < 5; i++) {
      dispatcher.dispatch(request("/half", 0), this::take);
      assertThat(memory.figures().heldBytes()).isZero();
    }
    assertThat(answers).hasSize(5).allSatisfy(answer -> is(answer, 429, "rejected_execution"));
  }

  @Test
  void anErrorOnTheWayOutReachesWhoEndsTheProcess() {
    List<Throwable> defects = new ArrayList<>();
    Thread thread = Thread.currentThread();
    var before = thread.getUncaughtExceptionHandler();
    thread.setUncaughtExceptionHandler((_, defect) -> defects.add(defect));
    try {
      Dispatcher dispatcher =
          new Dispatcher(router, Runnable::run, BODY_BYTES_MAX, new HttpCounters(), memory);
      BodyCollector collector = new BodyCollector(BODY_BYTES_MAX, new FakeRequestMemory(1_000));
      EmbeddedChannel channel =
          new EmbeddedChannel(collector, new HttpConnection(dispatcher, collector));
      channel.pipeline().fireExceptionCaught(new OutOfMemoryError("heap"));
      assertThat(channel.isOpen()).isFalse();
    } finally {
      thread.setUncaughtExceptionHandler(before);
    }
    assertThat(defects).singleElement().isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void whoStopsWaitsForWhatIsInHandAndTakesNothingMore() throws Exception {
    CompletableFuture<RestResponse> pending = new CompletableFuture<>();
    router.addPending(Method.POST, "/slow", Set.of(), _ -> pending);
    Dispatcher dispatcher =
        new Dispatcher(router, Runnable::run, BODY_BYTES_MAX, new HttpCounters(), memory);
    dispatcher.dispatch(request("/slow", 0), this::take);
    dispatcher.stop(Duration.ZERO);
    assertThat(answers).isEmpty();

    dispatcher.dispatch(request("/slow", 0), this::take);
    assertThat(answers).singleElement().satisfies(answer -> is(answer, 503, "stopping"));
    pending.complete(RestResponse.text(200, "done"));
    dispatcher.stop(Duration.ofDays(1));
    assertThat(answers.getLast().status()).isEqualTo(200);
  }

  @Test
  void aDefectIsAnswered500() {
    router.add(
        Method.POST,
        "/broken",
        Set.of(),
        _ -> {
          throw new IllegalStateException("broken");
        });
    new Dispatcher(router, Runnable::run, BODY_BYTES_MAX, new HttpCounters(), memory)
        .dispatch(request("/broken", 0), this::take);
    assertThat(answers).singleElement().satisfies(answer -> is(answer, 500, "broken"));
  }

  @Test
  void aFalseAssertionBehindAFutureReachesWhoEndsTheProcess() {
    router.addPending(
        Method.POST,
        "/false",
        Set.of(),
        _ -> CompletableFuture.failedFuture(new AssertionError("false")));
    assertThat(defectsOf("/false")).singleElement().isInstanceOf(AssertionError.class);
    assertThat(answers).singleElement().satisfies(answer -> is(answer, 500, "false"));
  }

  @Test
  void memoryThatAnotherThreadOfTheRequestLackedReachesWhoEndsTheProcess() {
    router.add(
        Method.POST,
        "/full",
        Set.of(),
        _ -> {
          throw new CompletionException(new OutOfMemoryError("heap"));
        });
    assertThat(defectsOf("/full")).singleElement().isInstanceOf(OutOfMemoryError.class);
    assertThat(answers).singleElement().satisfies(answer -> is(answer, 500, "heap"));
  }

  private List<Throwable> defectsOf(String uri) {
    List<Throwable> defects = new ArrayList<>();
    Thread thread = Thread.currentThread();
    var before = thread.getUncaughtExceptionHandler();
    thread.setUncaughtExceptionHandler((_, defect) -> defects.add(defect));
    try {
      new Dispatcher(router, Runnable::run, BODY_BYTES_MAX, new HttpCounters(), memory)
          .dispatch(request(uri, 0), this::take);
    } finally {
      thread.setUncaughtExceptionHandler(before);
    }
    return defects;
  }

  private static void is(RestResponse answer, int status, String part) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(new String(answer.body().bytes(), StandardCharsets.UTF_8)).contains(part);
  }

  private static IncomingRequest request(String uri, int bodyBytes) {
    return new IncomingRequest(
        "POST",
        uri,
        List.of(),
        new byte[bodyBytes],
        Reception.WHOLE,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
  }
}
