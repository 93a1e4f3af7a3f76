package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.error.SearchException;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.memory.AnswerPart;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpFaceTest {
  private static final int BODY_BYTES_MAX = 1_000;
  private static final int ANSWER_BYTES_MAX = 100_000_000;
  private static final int LARGE_BYTES = 40_000_000;
  private static final int MEDIUM_BYTES = 43_000;
  private static final int DEAF = 10;
  private static final int PIPELINED = 500;
  private static final int THREADS = 2;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final HttpClient client = HttpClient.newHttpClient();
  private final FakeRequestMemory memory = new FakeRequestMemory(BODY_BYTES_MAX * 10);
  private final HttpCounters counters = new HttpCounters();
  private final AnswerMemory answers = new AnswerMemory(ANSWER_BYTES_MAX);
  private final BlockingQueue<AnswerBudget> waiting = new LinkedBlockingQueue<>();
  private final BlockingQueue<SearchException> ended = new LinkedBlockingQueue<>();
  private HttpFace face;

  @BeforeEach
  void start() throws IOException {
    face =
        HttpFace.start(
            new HttpFace.Config(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                BODY_BYTES_MAX,
                THREADS),
            loops,
            NioServerSocketChannel.class,
            memory,
            answers,
            router(),
            counters);
  }

  private Router router() {
    Router router = new Router();
    router.add(
        Method.GET,
        "/",
        Set.of(),
        _ ->
            RestResponse.json(
                200,
                json -> {
                  json.writeStartObject();
                  json.writeStringProperty("name", "n");
                  json.writeName("version");
                  json.writeStartObject();
                  json.writeStringProperty("number", "3.9.0");
                  json.writeStringProperty("distribution", "opensearch");
                  json.writeEndObject();
                  json.writeEndObject();
                }));
    router.add(
        Method.POST,
        "/echo",
        Set.of(),
        request -> RestResponse.text(200, new String(request.body(), StandardCharsets.UTF_8)));
    router.add(
        Method.GET,
        "/large",
        Set.of(),
        request ->
            RestResponse.json(
                request.budget(), 200, json -> json.writeString("x".repeat(LARGE_BYTES))));
    router.add(
        Method.GET,
        "/medium",
        Set.of(),
        _ -> RestResponse.json(200, json -> json.writeString("x".repeat(MEDIUM_BYTES))));
    router.add(
        Method.GET,
        "/wait",
        Set.of(),
        request -> {
          request.budget().take(AnswerPart.JSON, MEDIUM_BYTES);
          waiting.add(request.budget());
          try {
            request.budget().await(new CompletableFuture<>(), Duration.ofDays(1));
            throw new AssertionError("nobody completes what is awaited");
          } catch (SearchException abandoned) {
            ended.add(abandoned);
            throw abandoned;
          } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
          }
        });
    router.add(Method.GET, "/broken", Set.of(), _ -> broken());
    return router;
  }

  private static RestResponse broken() {
    return new RestResponse(200, RestResponse.TEXT, Map.of("x", "a\r\nb"), AnswerBody.empty());
  }

  @AfterEach
  void stop() {
    client.close();
    face.close();
    loops.close();
    assertThat(memory.used()).isZero();
    assertThat(memory.isAwaited()).isFalse();
    assertThat(answers.figures().heldBytes()).isZero();
  }

  @Test
  void anAnswerHasItsTypeAndBody() throws Exception {
    HttpResponse<String> answer = send("GET", "/", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).hasValue(RestResponse.JSON);
    assertThat(answer.body())
        .contains("\"distribution\":\"opensearch\"")
        .contains("\"number\":\"3.9.0\"");
  }

  @Test
  void anUnknownParameterIsRefusedByName() throws Exception {
    HttpResponse<String> answer = send("GET", "/?prety=true", "");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("illegal_argument_exception").contains("[prety]");
  }

  @Test
  void anUnknownRouteIsAPlainStringError() throws Exception {
    HttpResponse<String> answer = send("GET", "/_nothing/here/at/all", "");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .isEqualTo(
            "{\"error\":\"no handler found for uri [/_nothing/here/at/all] and method [GET]\"}");
  }

  @Test
  void aWrongMethodNamesTheAllowedOnes() throws Exception {
    HttpResponse<String> answer = send("DELETE", "/", "");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).hasValue("GET");
  }

  @Test
  void aBodyOverTheLimitIsRefusedInTheErrorShape() throws Exception {
    HttpResponse<String> answer = send("GET", "/", "x".repeat(BODY_BYTES_MAX + 1));
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("content_too_long_exception");
  }

  /**
   * The body is far larger than what sockets buffer: the client still writes when it is refused.
   */
  @Test
  void theRefusalOfALargeBodyReachesAClientThatIsStillSending() throws Exception {
    int bytes = 20_000_000;
    try (Socket socket = connected()) {
      var out = socket.getOutputStream();
      out.write(head("POST /echo", "Content-Length: " + bytes));
      byte[] piece = new byte[100_000];
      for (int sent = 0; sent < bytes; sent += piece.length) {
        out.write(piece);
      }
      assertThat(allOf(socket)).startsWith("HTTP/1.1 413").contains("content_too_long_exception");
    }
  }

  @Test
  void aClientThatAsksFirstIsRefusedInTheErrorShapeToo() throws Exception {
    try (Socket socket = connected()) {
      socket
          .getOutputStream()
          .write(head("POST /echo", "Content-Length: 2000", "Expect: 100-continue"));
      assertThat(allOf(socket)).startsWith("HTTP/1.1 413").contains("content_too_long_exception");
    }
  }

  @Test
  void theRefusalOfALargeBodyWaitsForTheAnswersBeforeIt() throws Exception {
    try (Socket socket = connected()) {
      String both =
          new String(head("GET /"), StandardCharsets.US_ASCII)
              + new String(head("POST /echo", "Content-Length: 2000"), StandardCharsets.US_ASCII);
      socket.getOutputStream().write(both.getBytes(StandardCharsets.US_ASCII));
      String all = allOf(socket);
      assertThat(all).startsWith("HTTP/1.1 200");
      assertThat(all.indexOf("HTTP/1.1 413")).isPositive();
    }
  }

  @Test
  void anUnknownContentTypeIsNotAcceptable() throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(uri("/"))
                .header("Content-Type", "text/html")
                .method("GET", HttpRequest.BodyPublishers.ofString("{}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(406);
  }

  @Test
  void answersAreCompressedForWhoAsks() throws Exception {
    HttpResponse<byte[]> answer =
        client.send(
            HttpRequest.newBuilder(uri("/?pretty")).header("Accept-Encoding", "gzip").build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.headers().firstValue("content-encoding")).hasValue("gzip");
    byte[] plain = new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes();
    assertThat(new String(plain, StandardCharsets.UTF_8)).contains("\"distribution\"");
  }

  @Test
  void filterPathKeepsOnlyWhatItNames() throws Exception {
    HttpResponse<String> answer = send("GET", "/?filter_path=version.num*,name", "");
    assertThat(answer.body()).isEqualTo("{\"name\":\"n\",\"version\":{\"number\":\"3.9.0\"}}");
  }

  @Test
  void headHasTheHeadersAndNoBody() throws Exception {
    HttpResponse<String> answer = send("HEAD", "/", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      requests.append("GET /missing/").append(i).append("/x/y HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    requests.append("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    try (Socket socket = new Socket(face.address().getAddress(), face.address().getPort())) {
      socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int at = -1;
      for (int i = 0; i < 50; i++) {
        int next = all.indexOf("[/missing/" + i + "/x/y]");
        assertThat(next).as("answer " + i).isGreaterThan(at);
        at = next;
      }
      assertThat(all.indexOf("distribution")).isGreaterThan(at);
    }
  }

  /** As short as requests can be, so that one read brings as many as there can be. */
  @Test
  void aThousandPipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      requests.append("GET /-").append(i).append("/x/y HTTP/1.1\r\n\r\n");
    }
    requests.append("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    try (Socket socket = connected()) {
      socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
      String all = allOf(socket);
      int at = -1;
      for (int i = 0; i < 1_000; i++) {
        int next = all.indexOf("[/-" + i + "/x/y]");
        assertThat(next).as("answer " + i).isGreaterThan(at);
        at = next;
      }
      assertThat(all.indexOf("distribution")).isGreaterThan(at);
    }
  }

  /** More clients than there are threads: each ends what works for it when it goes. */
  @Test
  void aClientThatHangsUpEndsWhatWorksForIt() throws Exception {
    for (int client = 0; client < 3 * THREADS; client++) {
      try (Socket socket = connected()) {
        socket.getOutputStream().write(head("GET /wait"));
        assertThat(waiting.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(answers.figures().heldBytes()).isGreaterThanOrEqualTo(MEDIUM_BYTES);
      }
      assertThat(ended.poll(20, TimeUnit.SECONDS)).hasMessageContaining("its client has hung up");
      awaitNothingHeld();
    }
    assertThat(send("GET", "/", "").statusCode()).isEqualTo(200);
    assertThat(counters.counts().abandoned()).isEqualTo(3 * THREADS);
    assertThat(counters.counts().failed()).isZero();
  }

  /** A client that has asked for more goes unnoticed only until its first request is answered. */
  @Test
  void aClientThatAsksTwiceAndStaysIsAnsweredTwice() throws Exception {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(head("POST /echo", "Content-Length: 3"));
      socket.getOutputStream().write("one".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(head("POST /echo", "Content-Length: 3", "Connection: close"));
      socket.getOutputStream().write("two".getBytes(StandardCharsets.US_ASCII));
      assertThat(allOf(socket)).containsSubsequence("one", "two");
    }
  }

  @Test
  void nonsenseInsteadOfHttpIsAnswered400AndClosed() throws Exception {
    try (Socket socket = new Socket(face.address().getAddress(), face.address().getPort())) {
      socket
          .getOutputStream()
          .write("\u0000\u0001 no http\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(all).startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void aLargeAnswerIsHeldUntilItIsWritten() throws Exception {
    HttpResponse<String> answer = send("GET", "/large", "");
    assertThat(answer.body()).hasSize(LARGE_BYTES + 2);
    awaitNothingHeld();
  }

  @Test
  void anAnswerWhoseClientHangsUpIsHeldNoLonger() throws Exception {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(head("GET /large"));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      // More than sockets buffer, so it can't have left.
      assertThat(answers.figures().heldBytes()).isGreaterThanOrEqualTo(LARGE_BYTES);
    }
    awaitNothingHeld();
  }

  /** Far more than sockets buffer: who would have it made must read. */
  @Test
  void clientsThatDoNotReadGetNoFurtherAnswersAndOthersDo() throws Exception {
    List<Socket> deaf = new ArrayList<>();
    try {
      String request = "GET /medium HTTP/1.1\r\nHost: a\r\n";
      String requests =
          (request + "\r\n").repeat(PIPELINED - 1) + request + "Connection: close\r\n\r\n";
      for (int i = 0; i < DEAF; i++) {
        Socket socket = new Socket();
        deaf.add(socket);
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(face.address());
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
      }
      // The request threads take each connection in turn, so these are as many turns for the deaf.
      for (int i = 0; i < PIPELINED; i++) {
        assertThat(send("GET", "/", "").statusCode()).isEqualTo(200);
      }
      assertThat(counters.counts().fine() - PIPELINED).isBetween(DEAF + 0L, DEAF * PIPELINED / 2L);
      assertThat(answers.figures().heldBytes()).isLessThan(DEAF * 4L * MEDIUM_BYTES);
      // One that reads after all gets everything.
      String all = allOf(deaf.getFirst());
      assertThat(all.split("HTTP/1.1 200", -1)).hasSize(PIPELINED + 1);
    } finally {
      for (Socket socket : deaf) {
        socket.close();
      }
    }
    awaitNothingHeld();
  }

  @Test
  void anAnswerThatCannotBeWrittenCostsItsConnectionAndNothingElse() throws Exception {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(head("GET /broken"));
      assertThat(allOf(socket)).isEmpty();
    }
    awaitNothingHeld();
    assertThat(send("GET", "/", "").statusCode()).isEqualTo(200);
  }

  /** What is written is given back by the event loop, a moment after the client has it. */
  private void awaitNothingHeld() {
    long startNs = System.nanoTime();
    while (answers.figures().heldBytes() > 0) {
      assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(20));
      Thread.onSpinWait();
    }
  }

  @Test
  void aCompressedBodyIsReadAsWhatItIs() throws Exception {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    }
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(uri("/echo"))
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofByteArray(packed.toByteArray()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.body()).isEqualTo("{\"a\":1}");
  }

  private Socket connected() throws IOException {
    return new Socket(face.address().getAddress(), face.address().getPort());
  }

  private static byte[] head(String request, String... headers) {
    String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    return (request + " HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String allOf(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path))
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + face.address().getPort() + path);
  }
}
