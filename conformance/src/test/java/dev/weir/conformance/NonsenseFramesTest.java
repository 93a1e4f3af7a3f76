package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.Uuids;
import dev.weir.protocol.message.ApiVersionsRequest;
import dev.weir.protocol.message.RequestHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes that are no request end the connection that they came by, and nothing else: a bystander,
 * connected before, is served after each of them.
 */
@ExtendWith(SharedNode.class)
final class NonsenseFramesTest {
  private static final short UNKNOWN_API_KEY = 9_999;
  private static final short TOO_NEW = 99;
  private static final int CORRELATION_ID = 1;

  private final RawConnection bystander;
  private final RawConnection connection;

  NonsenseFramesTest(NodeProcess node) {
    this.bystander = RawConnection.to(node.kafka());
    this.connection = RawConnection.to(node.kafka());
  }

  @BeforeEach
  void bystanderIsServed() {
    ApiVersionsResponse response =
        bystander.ask(ApiVersionsRequest.DEFAULT, 0, ApiVersionsResponse.class);
    assertThat(response.data().errorCode()).isEqualTo(Errors.NONE.code());
  }

  @AfterEach
  void bystanderIsStillServed() {
    bystanderIsServed();
    connection.close();
    bystander.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, 104_857_601, -1, Integer.MIN_VALUE})
  void lengthOutOfBoundsEndsTheConnection(int length) {
    connection.send(ByteBuffer.allocate(4).putInt(length).flip());
    assertThat(connection.receive()).isEmpty();
  }

  /** What a browser or a TLS client sends reads as a length far above the bound. */
  @ParameterizedTest
  @ValueSource(
      strings = {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u0016\u0003\u0001\u0002\u0000"})
  void otherProtocolEndsTheConnection(String greeting) {
    connection.send(ByteBuffer.wrap(greeting.getBytes(StandardCharsets.ISO_8859_1)));
    connection.endSending();
    assertThat(connection.receive()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7})
  void frameTooShortForItsHeaderEndsTheConnection(int length) {
    connection.send(ByteBuffer.allocate(4 + length).putInt(length).rewind());
    assertThat(connection.receive()).isEmpty();
  }

  @Test
  void frameThatBreaksOffIsNotAnswered() {
    ByteBuffer whole = connection.frame(ApiVersionsRequest.DEFAULT, 0);
    connection.send(whole.limit(whole.limit() - 1));
    connection.endSending();
    assertThat(connection.receive()).isEmpty();
  }

  @Test
  void unknownApiKeyEndsTheConnection() {
    connection.send(head(UNKNOWN_API_KEY, (short) 0));
    assertThat(connection.receive()).isEmpty();
  }

  @Test
  void knownApiThatIsNotServedEndsTheConnection() {
    connection.send(head(ApiKey.ENVELOPE.id(), (short) 0));
    assertThat(connection.receive()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(shorts = {TOO_NEW, -1})
  void unknownVersionEndsTheConnection(short version) {
    connection.send(head(ApiKey.METADATA.id(), version));
    assertThat(connection.receive()).isEmpty();
  }

  /** Listed for librdkafka's sake (KAFKA-18659), and yet too old to be accepted. */
  @ParameterizedTest
  @ValueSource(shorts = {0, 1, 2})
  void produceBeforeVersion3EndsTheConnection(short version) {
    connection.send(head(ApiKey.PRODUCE.id(), version));
    assertThat(connection.receive()).isEmpty();
  }

  @Test
  void apiVersionsTooNewIsToldTheRangeInVersion0() {
    connection.send(head(ApiKey.API_VERSIONS.id(), TOO_NEW));
    ByteBuffer answer = connection.receive().orElseThrow();
    assertThat(answer.getInt()).as("correlation id").isEqualTo(CORRELATION_ID);
    assertThat(answer.getShort()).as("error").isEqualTo(Errors.UNSUPPORTED_VERSION.code());
    assertThat(answer.getInt()).as("number of ranges").isEqualTo(1);
    assertThat(answer.getShort()).isEqualTo(ApiKey.API_VERSIONS.id());
    assertThat(answer.getShort()).as("lowest version").isZero();
    assertThat(answer.getShort())
        .as("highest version")
        .isEqualTo(ApiKey.API_VERSIONS.highestStableVersion());
    assertThat(answer.hasRemaining()).isFalse();

    ApiVersionsResponse second =
        connection.ask(ApiVersionsRequest.DEFAULT, 0, ApiVersionsResponse.class);
    assertThat(second.data().errorCode()).as("the connection goes on").isZero();
  }

  @Test
  void arrayThatClaimsMoreThanTheFrameHoldsEndsTheConnection() {
    ByteWriter out = new ByteWriter();
    out.writeInt32(0);
    header(out, ApiKey.METADATA.id(), (short) 1, (short) 1);
    out.writeInt32(Integer.MAX_VALUE); // number of topics
    connection.send(framed(out));
    assertThat(connection.receive()).isEmpty();
  }

  @Test
  void randomBytesHarmNobody(NodeProcess node) {
    long seed = 20_260_131L;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      byte[] body = new byte[random.nextInt(200)];
      random.nextBytes(body);
      ByteBuffer frame = ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).flip();
      if (body.length >= 4 && random.nextBoolean()) {
        List<ApiKey> keys = DATA_KEYS;
        frame.putShort(4, keys.get(random.nextInt(keys.size())).id());
        frame.putShort(6, (short) random.nextInt(14));
      }
      sendAndLetGo(node, frame, "seed=" + seed + " round=" + round);
    }
  }

  @Test
  void damagedRequestsHarmNobody(NodeProcess node) {
    long seed = 20_260_201L;
    Random random = new Random(seed);
    SampleRequests requests = new SampleRequests("damaged", Uuids.ZERO);
    SampleGroup group = new SampleGroup("damaged", "nobody", 1, "damaged", Uuids.ZERO);
    for (int round = 0; round < 200; round++) {
      ApiKey key = DATA_KEYS.get(random.nextInt(DATA_KEYS.size()));
      int lowest = Math.max(key.lowestVersion(), 3);
      int version = Math.min(lowest + random.nextInt(11), key.highestStableVersion());
      RequestMessage request =
          requests.of(key, version).or(() -> group.of(key, version)).orElseThrow();
      ByteBuffer frame = connection.frame(request, version);
      for (int damage = 1 + random.nextInt(4); damage > 0; damage--) {
        frame.put(8 + random.nextInt(frame.limit() - 8), (byte) random.nextInt());
      }
      sendAndLetGo(node, frame, "seed=" + seed + " round=" + round + " " + key + " " + version);
    }
  }

  /** Requests of these, however damaged, do not change topics that other tests use. */
  private static final List<ApiKey> DATA_KEYS =
      List.of(
          ApiKey.PRODUCE,
          ApiKey.FETCH,
          ApiKey.LIST_OFFSETS,
          ApiKey.API_VERSIONS,
          ApiKey.FIND_COORDINATOR,
          ApiKey.OFFSET_FETCH,
          ApiKey.OFFSET_COMMIT,
          ApiKey.SYNC_GROUP,
          ApiKey.HEARTBEAT);

  /** The node may answer or close, but it comes to an end with this client. */
  private void sendAndLetGo(NodeProcess node, ByteBuffer frame, String what) {
    try (RawConnection client = RawConnection.to(node.kafka())) {
      client.send(frame);
      client.endSending();
      while (client.receive().isPresent()) {
        // an answer is as good as none
      }
      bystanderIsServed();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("after " + what, e);
    }
  }

  private static ByteBuffer head(short apiKey, short version) {
    ByteWriter out = new ByteWriter();
    out.writeInt32(0);
    header(out, apiKey, version, (short) 2);
    return framed(out);
  }

  private static void header(ByteWriter out, short apiKey, short version, short headerVersion) {
    new RequestHeader(apiKey, version, CORRELATION_ID, "nonsense").write(out, headerVersion);
  }

  private static ByteBuffer framed(ByteWriter out) {
    ByteBuffer frame = out.toBuffer();
    ByteBuffer whole = ByteBuffer.allocate(frame.remaining()).put(frame).flip();
    return whole.putInt(0, whole.remaining() - 4);
  }
}
