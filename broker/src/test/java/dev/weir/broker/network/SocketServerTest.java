package dev.weir.broker.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.broker.config.BrokerConfig.NetworkSettings;
import dev.weir.broker.config.Endpoint;
import dev.weir.broker.memory.FakeRequestMemory;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.message.ApiVersionsResponse;
import dev.weir.protocol.message.ApiVersionsResponse.ApiVersion;
import dev.weir.protocol.message.HeartbeatRequest;
import dev.weir.protocol.message.HeartbeatResponse;
import dev.weir.protocol.message.JoinGroupRequest;
import dev.weir.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import dev.weir.protocol.message.RequestHeader;
import dev.weir.protocol.message.ResponseHeader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SocketServerTest {
  private static final short HEARTBEAT_VERSION = 4;
  private static final int REQUEST_BYTES_MAX = 10_000;

  private final BlockingQueue<Exchange> inHand = new LinkedBlockingQueue<>();
  private final BlockingQueue<JoinGroupRequest> kept = new LinkedBlockingQueue<>();
  private SocketServer server;
  private Socket client;

  /**
   * Leaves every exchange to the test. The group "broken" breaks the handler, the group "only
   * waits" lets the next request begin, the group "fatal" finds no memory.
   */
  private final class HeldHeartbeat implements RequestHandler<HeartbeatRequest> {
    @Override
    public ApiKey apiKey() {
      return ApiKey.HEARTBEAT;
    }

    @Override
    public Class<HeartbeatRequest> requestType() {
      return HeartbeatRequest.class;
    }

    @Override
    public void handle(Exchange exchange, HeartbeatRequest request) {
      if (request.groupId().equals("broken")) {
        throw new IllegalStateException("as the test wants it");
      }
      if (request.groupId().equals("fatal")) {
        throw new OutOfMemoryError("as the test wants it");
      }
      inHand.add(exchange);
      if (request.groupId().equals("only waits")) {
        exchange.letNextBegin();
      }
    }
  }

  /** Keeps what it was asked, and answers nothing. */
  private final class KeptJoin implements RequestHandler<JoinGroupRequest> {
    @Override
    public ApiKey apiKey() {
      return ApiKey.JOIN_GROUP;
    }

    @Override
    public Class<JoinGroupRequest> requestType() {
      return JoinGroupRequest.class;
    }

    @Override
    public void handle(Exchange exchange, JoinGroupRequest request) {
      kept.add(request);
    }
  }

  @BeforeEach
  void start() throws IOException {
    HandlerTable table =
        new HandlerTable(
            List.of(new HeldHeartbeat(), new KeptJoin()),
            ServedVersions.of(List.of(ApiKey.HEARTBEAT, ApiKey.JOIN_GROUP, ApiKey.API_VERSIONS)),
            () ->
                ApiVersionsResponse.DEFAULT
                    .withErrorCode(ErrorCode.UNSUPPORTED_VERSION.code())
                    .withApiKeys(
                        List.of(new ApiVersion(ApiKey.API_VERSIONS.id(), (short) 0, (short) 5))));
    server =
        SocketServer.open(
            List.of(new Endpoint("PLAINTEXT", "127.0.0.1", 0)),
            new NetworkSettings(1, REQUEST_BYTES_MAX, 0, 0, 50, 0),
            new FakeRequestMemory(1 << 20),
            table);
    server.accept();
    client = connect();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void pipelinedRequestsAreHandledOneAtATimeAndAnsweredInOrder() throws Exception {
    send(client, heartbeat(1, "first"));
    send(client, heartbeat(2, "second"));
    Exchange first = take();
    assertThat(inHand.poll(50, TimeUnit.MILLISECONDS)).isNull();
    first.reply(HeartbeatResponse.DEFAULT);
    take().reply(HeartbeatResponse.DEFAULT.withErrorCode(ErrorCode.UNKNOWN_MEMBER_ID.code()));
    assertThat(correlationId(receive(client))).isEqualTo(1);
    assertThat(correlationId(receive(client))).isEqualTo(2);
  }

  @Test
  void aRequestThatOnlyWaitsLetsTheNextBeginAndIsStillAnsweredFirst() throws Exception {
    send(client, heartbeat(1, "only waits"));
    send(client, heartbeat(2, "group"));
    Exchange first = take();
    Exchange second = take();
    second.reply(HeartbeatResponse.DEFAULT);
    first.reply(HeartbeatResponse.DEFAULT);
    assertThat(correlationId(receive(client))).isEqualTo(1);
    assertThat(correlationId(receive(client))).isEqualTo(2);
  }

  @Test
  void requestsThatOnlyWaitAreBounded() throws Exception {
    int count = 40;
    for (int i = 0; i < count; i++) {
      send(client, heartbeat(i, "only waits"));
    }
    List<Exchange> begun = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (inHand.isEmpty() && !begun.isEmpty()) {
        begun.removeFirst().reply(HeartbeatResponse.DEFAULT); // makes room for one more
      }
      begun.add(take());
      assertThat(begun).hasSizeLessThanOrEqualTo(16);
    }
    begun.forEach(exchange -> exchange.reply(HeartbeatResponse.DEFAULT));
    for (int i = 0; i < count; i++) {
      assertThat(correlationId(receive(client))).isEqualTo(i);
    }
  }

  @Test
  void manyPipelinedRequestsAreAllAnswered() throws Exception {
    int count = 500;
    Thread.ofVirtual()
        .start(
            () -> {
              for (int i = 0; i < count; i++) {
                take().reply(HeartbeatResponse.DEFAULT);
              }
            });
    Thread.ofVirtual()
        .start(
            () -> {
              for (int i = 0; i < count; i++) {
                send(client, heartbeat(i, "group"));
              }
            });
    for (int i = 0; i < count; i++) {
      assertThat(correlationId(receive(client))).isEqualTo(i);
    }
  }

  @Test
  void apiVersionsOfAnUnknownVersionIsAnsweredInVersion0() throws Exception {
    send(client, ByteBuffer.allocate(10).putShort((short) 18).putShort((short) 99).putInt(7));
    ByteReader answer = receive(client);
    assertThat(answer.readInt32()).isEqualTo(7);
    ApiVersionsResponse response = ApiVersionsResponse.read(answer, (short) 0);
    assertThat(response.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
    assertThat(response.apiKeys())
        .containsExactly(new ApiVersion((short) 18, (short) 0, (short) 5));
    assertThat(answer.remaining()).isZero();
  }

  @Test
  void anUnknownApiKeyEndsTheConnection() throws Exception {
    send(client, ByteBuffer.allocate(10).putShort((short) 999).putShort((short) 0).putInt(1));
    assertClosed(client);
  }

  @Test
  void anUnknownVersionEndsTheConnection() throws Exception {
    send(client, ByteBuffer.allocate(10).putShort((short) 12).putShort((short) 77).putInt(1));
    assertClosed(client);
  }

  @Test
  void aFrameThatIsTooShortOrNonsenseEndsTheConnection() throws Exception {
    send(client, ByteBuffer.allocate(3).position(3));
    assertClosed(client);
    try (Socket other = connect()) {
      ByteBuffer nonsense = ByteBuffer.allocate(40).putShort((short) 12).putShort((short) 4);
      send(other, nonsense.putInt(1).putShort((short) 30_000));
      assertClosed(other);
    }
  }

  @Test
  void aFrameAboveTheLimitEndsTheConnection() throws Exception {
    client.getOutputStream().write(ByteBuffer.allocate(4).putInt(REQUEST_BYTES_MAX + 1).array());
    assertClosed(client);
  }

  @Test
  void aBrokenHandlerCostsItsConnectionOnly() throws Exception {
    try (Socket other = connect()) {
      send(client, heartbeat(1, "broken"));
      assertClosed(client);
      send(other, heartbeat(2, "group"));
      take().reply(HeartbeatResponse.DEFAULT);
      assertThat(correlationId(receive(other))).isEqualTo(2);
    }
  }

  /** Who ends the process is the handler of uncaught errors; here it only notes them. */
  @Test
  void anErrorReachesWhoEndsTheProcessWhereverItIsMet() throws Exception {
    BlockingQueue<Throwable> defects = new LinkedBlockingQueue<>();
    var before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, defect) -> defects.add(defect));
    try (Socket second = connect();
        Socket third = connect()) {
      send(client, heartbeat(1, "fatal")); // in a handler
      assertThat(defects.poll(20, TimeUnit.SECONDS)).isInstanceOf(OutOfMemoryError.class);
      assertClosed(client);

      send(second, heartbeat(2, "group")); // behind a future
      take()
          .replyWith(
              CompletableFuture.supplyAsync(
                  () -> {
                    throw new AssertionError("as the test wants it");
                  }));
      assertThat(defects.poll(20, TimeUnit.SECONDS)).isInstanceOf(AssertionError.class);
      assertClosed(second);

      send(third, heartbeat(3, "group")); // in a task of the loop
      Exchange exchange = take();
      exchange
          .loop()
          .execute(
              () ->
                  exchange.whenClientGone(
                      () -> {
                        throw new StackOverflowError("as the test wants it");
                      }));
      exchange.close();
      assertThat(defects.poll(20, TimeUnit.SECONDS)).isInstanceOf(StackOverflowError.class);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void theHandlerHearsWhenTheClientGoes() throws Exception {
    send(client, heartbeat(1, "group"));
    Exchange exchange = take();
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    exchange.loop().execute(() -> exchange.whenClientGone(() -> gone.complete(true)));
    exchange.loop().submit(() -> {}).await();
    client.close();
    assertThat(gone.get(10, TimeUnit.SECONDS)).isTrue();
    exchange.reply(HeartbeatResponse.DEFAULT); // too late, and harmless
  }

  @Test
  void whatAHandlerKeepsOutlivesTheConnectionAndItsBuffers() throws Exception {
    byte[] metadata = new byte[5_000];
    Arrays.fill(metadata, (byte) 7);
    send(
        client,
        request(
            JoinGroupRequest.DEFAULT.withProtocols(
                List.of(new JoinGroupRequestProtocol("range", ByteBuffer.wrap(metadata)))),
            1,
            (short) 5));
    JoinGroupRequest request = kept.poll(10, TimeUnit.SECONDS);
    assertThat(request).isNotNull();
    client.close();
    try (Socket other = connect()) {
      for (int i = 0; i < 50; i++) {
        send(other, heartbeat(i, "x".repeat(3_000))); // into the buffers that were given back
        take().reply(HeartbeatResponse.DEFAULT);
        receive(other);
      }
    }
    assertThat(request.protocols().getFirst().metadata()).isEqualTo(ByteBuffer.wrap(metadata));
  }

  @Test
  void aCloseLetsTheRequestInHandFinish() throws Exception {
    send(client, heartbeat(1, "group"));
    Exchange exchange = take();
    Thread closing = Thread.ofVirtual().start(server::close);
    exchange.reply(HeartbeatResponse.DEFAULT);
    assertThat(correlationId(receive(client))).isEqualTo(1);
    assertClosed(client);
    closing.join();
  }

  @Test
  void aTakenPortIsNamed() {
    Endpoint taken = new Endpoint("PLAINTEXT", "127.0.0.1", port());
    assertThatThrownBy(
            () ->
                SocketServer.open(
                    List.of(taken),
                    new NetworkSettings(1, REQUEST_BYTES_MAX, 0, 0, 50, 0),
                    new FakeRequestMemory(1 << 20),
                    new HandlerTable(
                        List.of(),
                        ServedVersions.of(List.of()),
                        () -> ApiVersionsResponse.DEFAULT)))
        .isInstanceOf(ListenException.class)
        .hasMessageContaining(taken.toString());
  }

  private Exchange take() {
    try {
      Exchange exchange = inHand.poll(10, TimeUnit.SECONDS);
      assertThat(exchange).as("request that came").isNotNull();
      return exchange;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private int port() {
    return server.bound().getFirst().address().getPort();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(10_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
    return socket;
  }

  private static ByteBuffer heartbeat(int correlationId, String group) {
    return request(
        HeartbeatRequest.DEFAULT.withGroupId(group).withMemberId("member"),
        correlationId,
        HEARTBEAT_VERSION);
  }

  private static ByteBuffer request(RequestMessage request, int correlationId, short version) {
    ByteWriter out = new ByteWriter();
    RequestHeader.DEFAULT
        .withRequestApiKey(request.apiKey().id())
        .withRequestApiVersion(version)
        .withCorrelationId(correlationId)
        .withClientId("test")
        .write(out, request.apiKey().requestHeaderVersion(version));
    request.write(out, version);
    ByteBuffer bytes = out.toBuffer();
    return bytes.position(bytes.limit());
  }

  /** Sends what lies before the buffer's position as a frame. */
  private static void send(Socket socket, ByteBuffer frame) {
    frame.flip();
    byte[] bytes = new byte[4 + frame.remaining()];
    ByteBuffer.wrap(bytes).putInt(frame.remaining()).put(frame);
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ByteReader receive(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return new ByteReader(ByteBuffer.wrap(frame));
  }

  private static int correlationId(ByteReader answer) {
    return ResponseHeader.read(answer, ApiKey.HEARTBEAT.responseHeaderVersion(HEARTBEAT_VERSION))
        .correlationId();
  }

  private static void assertClosed(Socket socket) {
    assertThatThrownBy(() -> receive(socket))
        .isInstanceOfAny(EOFException.class, java.net.SocketException.class);
  }
}
