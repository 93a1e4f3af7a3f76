package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.IncomingRequest.Reception;
import dev.weir.rest.RequestMemory.Reservation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BodyCollectorTest {
  private static final int MIB = 1 << 20;
  private static final int BODY_BYTES_MAX = 3 * MIB;
  private static final int MEMORY_BYTES = 4 * MIB;

  private final FakeRequestMemory memory = new FakeRequestMemory(MEMORY_BYTES);
  private final Client client = new Client();

  /** One connection, as {@link HttpFace} sets it up up to the collector. */
  private final class Client {
    private final BodyCollector collector = new BodyCollector(BODY_BYTES_MAX, memory);
    private final EmbeddedChannel channel =
        new EmbeddedChannel(new HttpServerCodec(4_096, 4_096, 8_192), collector);

    private Client() {
      channel.freezeTime();
    }

    void send(String text) {
      send(text.getBytes(StandardCharsets.US_ASCII));
    }

    void send(byte[] bytes) {
      channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    }

    CollectedRequest received() {
      return channel.readInbound();
    }

    String sentBack() {
      StringBuilder all = new StringBuilder();
      for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
        all.append(out.toString(StandardCharsets.US_ASCII));
        out.release();
      }
      return all.toString();
    }

    void pass(long seconds) {
      for (long second = 0; second < seconds; second++) {
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
      }
    }
  }

  @AfterEach
  void nothingIsLeft() {
    client.channel.finishAndReleaseAll();
    assertThat(memory.used()).isZero();
    assertThat(memory.isAwaited()).isFalse();
  }

  @Test
  void aBodyHasItsMemoryUntilItsRequestIsAnswered() {
    client.send(head("Content-Length: 100") + "x".repeat(100));
    CollectedRequest request = client.received();
    assertThat(request.body()).hasSize(100).containsOnly('x');
    assertThat(memory.used()).isEqualTo(100);
    request.memory().release();
  }

  @Test
  void aBodyThatFindsNoMemoryStopsTheReadingAndGoesOnWhenThereIsSome() {
    Reservation others = taken(MEMORY_BYTES - 50);
    client.send(head("Content-Length: 100") + "x".repeat(30));
    assertThat(client.channel.config().isAutoRead()).isFalse();
    client.pass(3_600);
    assertThat(client.received()).isNull();

    others.release();
    client.channel.runPendingTasks();
    assertThat(client.channel.config().isAutoRead()).isTrue();
    client.send("x".repeat(70));
    CollectedRequest request = client.received();
    assertThat(request.body()).hasSize(100);
    request.memory().release();
  }

  @Test
  void whoAsksFirstIsToldToGoOnOnceThereIsMemory() {
    Reservation others = taken(MEMORY_BYTES);
    client.send(head("Content-Length: 100", "Expect: 100-continue"));
    assertThat(client.sentBack()).isEmpty();
    others.release();
    client.channel.runPendingTasks();
    assertThat(client.sentBack()).startsWith("HTTP/1.1 100");
  }

  @Test
  void theNextRequestWaitsForTheAnswerWithoutMemory() {
    client.send((head("Content-Length: 10") + "x".repeat(10)).repeat(2));
    CollectedRequest first = client.received();
    assertThat(client.received()).isNull();
    assertThat(memory.used()).isEqualTo(10);
    assertThat(client.channel.config().isAutoRead()).isFalse();
    first.memory().release();
    client.collector.next();
    CollectedRequest second = client.received();
    assertThat(second.body()).hasSize(10);
    second.memory().release();
  }

  @Test
  void aBodyOfUnknownLengthGrows() {
    client.send(head("Transfer-Encoding: chunked"));
    byte[] piece = chunk(10_000);
    for (int i = 0; i < 100; i++) {
      client.send(piece);
    }
    assertThat(memory.used()).isEqualTo(MIB); // 64 KiB, doubled four times
    client.send("0\r\n\r\n");
    CollectedRequest request = client.received();
    assertThat(request.body()).hasSize(1_000_000);
    request.memory().release();
    assertThat(memory.used()).isZero();
  }

  @Test
  void aBodyThatGrowsIsRefusedWhenItFindsNoMemoryInTime() {
    client.send(head("Transfer-Encoding: chunked"));
    client.send(chunk(50_000));
    Reservation others = taken(MEMORY_BYTES - (64 << 10));
    client.send(chunk(50_000));
    assertThat(client.channel.config().isAutoRead()).isFalse();
    client.pass(9);
    assertThat(client.received()).isNull();
    client.pass(4);
    CollectedRequest request = client.received();
    assertThat(request.reception()).isEqualTo(Reception.NO_MEMORY);
    assertThat(memory.used()).isEqualTo(MEMORY_BYTES - (64 << 10));
    others.release();
  }

  @Test
  void aBodyThatGrowsGoesOnWhenItFindsMemoryInTime() {
    client.send(head("Transfer-Encoding: chunked"));
    client.send(chunk(50_000));
    Reservation others = taken(MEMORY_BYTES - (64 << 10));
    client.send(chunk(50_000));
    client.pass(5);
    others.release();
    client.channel.runPendingTasks();
    client.send("0\r\n\r\n");
    CollectedRequest request = client.received();
    assertThat(request.body()).hasSize(100_000);
    request.memory().release();
  }

  @Test
  void aBodyOverTheLimitIsRefusedBeforeItIsRead() {
    client.send(head("Content-Length: " + (BODY_BYTES_MAX + 1)));
    assertThat(client.received().reception()).isEqualTo(Reception.TOO_LARGE);
    assertThat(memory.used()).isZero();
  }

  @Test
  void aCompressedBodyIsCountedAsWhatItInflatesTo() throws IOException {
    byte[] packed = gzip(BODY_BYTES_MAX + 1);
    client.send(head("Content-Encoding: gzip", "Content-Length: " + packed.length));
    client.send(packed);
    assertThat(client.received().reception()).isEqualTo(Reception.TOO_LARGE);
    assertThat(memory.used()).isZero();
  }

  @Test
  void aCompressedBodyWaitsForMemoryToBeUnpackedInto() throws IOException {
    byte[] packed = gzip(BODY_BYTES_MAX - 10_000);
    Reservation others = taken(MEMORY_BYTES - MIB);
    client.send(head("Content-Encoding: gzip", "Content-Length: " + packed.length));
    client.send(packed);
    client.pass(5);
    assertThat(client.received()).isNull();
    assertThat(client.channel.config().isAutoRead()).isFalse();
    others.release();
    client.channel.runPendingTasks();
    CollectedRequest request = client.received();
    assertThat(request.body()).hasSize(BODY_BYTES_MAX - 10_000);
    assertThat(memory.used()).isEqualTo(request.body().length + packed.length);
    request.memory().release();
  }

  @Test
  void aCompressedBodyIsRefusedWhenItFindsNoMemoryInTime() throws IOException {
    byte[] packed = gzip(BODY_BYTES_MAX - 10_000);
    Reservation others = taken(MEMORY_BYTES - MIB);
    client.send(head("Content-Encoding: gzip", "Content-Length: " + packed.length));
    client.send(packed);
    client.pass(13);
    assertThat(client.received().reception()).isEqualTo(Reception.NO_MEMORY);
    others.release();
  }

  @Test
  void aBodyThatCannotBeUnpackedSaysWhy() {
    client.send(head("Content-Encoding: gzip", "Content-Length: 4") + "{{}}");
    CollectedRequest request = client.received();
    assertThat(request.reception()).isEqualTo(Reception.CORRUPT);
    assertThat(new String(request.body(), StandardCharsets.UTF_8)).contains("gzip");
    request.memory().release();
  }

  @Test
  void aHalfSentBodyIsRefusedOnceOthersWait() {
    client.send(head("Content-Length: 2000000") + "x".repeat(1_000));
    client.pass(100);
    assertThat(client.received()).isNull(); // nobody misses what it has
    Reservation other = memory.reserve(MEMORY_BYTES, Runnable::run, () -> {});
    client.pass(1);
    assertThat(client.received().reception()).isEqualTo(Reception.TOO_SLOW);
    assertThat(other.isGranted()).isTrue();
    other.release();
  }

  @Test
  void readsAreSmallWhileMemoryIsScarceButForWhatHasMemory() {
    Reservation others = taken(MEMORY_BYTES - 100_000);
    assertThat(client.collector.readBytes(60_000)).isEqualTo(4_096);
    client.send(head("Content-Length: 50000"));
    assertThat(client.collector.readBytes(2_000)).isEqualTo(50_000);
    others.release();
  }

  /** Connections that send, wait, break off and are answered at random: no byte is lost. */
  @Test
  void noMemoryIsLostWhateverConnectionsDo() throws IOException {
    for (long seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      List<Client> clients = new ArrayList<>();
      List<ByteBuf> unsent = new ArrayList<>();
      List<CollectedRequest> inHand = new ArrayList<>();
      for (int step = 0; step < 150; step++) {
        if (clients.size() < 6) {
          clients.add(new Client());
          unsent.add(Unpooled.buffer());
        }
        int which = random.nextInt(clients.size());
        Client one = clients.get(which);
        switch (random.nextInt(8)) {
          case 0 -> {
            one.channel.finishAndReleaseAll();
            clients.remove(which);
            unsent.remove(which);
          }
          case 1, 2 -> {
            one.collector.next();
            if (!inHand.isEmpty()) {
              inHand.removeFirst().memory().release();
            }
          }
          case 3 -> one.pass(12);
          default -> send(one, unsent.get(which), random);
        }
        for (Client each : clients) {
          each.channel.runPendingTasks();
          for (CollectedRequest got = each.received(); got != null; got = each.received()) {
            inHand.add(got);
          }
        }
        assertThat(memory.used()).as("seed=" + seed).isBetween(0L, (long) MEMORY_BYTES);
      }
      clients.forEach(each -> each.channel.finishAndReleaseAll());
      inHand.forEach(each -> each.memory().release());
      assertThat(memory.used()).as("seed=" + seed).isZero();
      assertThat(memory.isAwaited()).as("seed=" + seed).isFalse();
    }
  }

  private void send(Client one, ByteBuf unsent, Random random) throws IOException {
    if (!unsent.isReadable()) {
      unsent.clear();
      int bytes = random.nextInt(1 << random.nextInt(1, 22));
      switch (random.nextInt(4)) {
        case 0 -> {
          byte[] packed = gzip(bytes);
          unsent.writeBytes(
              head("Content-Encoding: gzip", "Content-Length: " + packed.length)
                  .getBytes(StandardCharsets.US_ASCII));
          unsent.writeBytes(packed);
        }
        case 1 -> {
          unsent.writeBytes(head("Transfer-Encoding: chunked").getBytes(StandardCharsets.US_ASCII));
          unsent.writeBytes(chunk(1 + bytes)).writeBytes(chunk(1)).writeBytes(bytesOf("0\r\n\r\n"));
        }
        default -> unsent.writeBytes(bytesOf(head("Content-Length: " + bytes))).writeZero(bytes);
      }
    }
    if (one.channel.isActive() && one.channel.config().isAutoRead()) {
      int piece = 1 + random.nextInt(Math.min(unsent.readableBytes(), 60_000));
      one.send(ByteBufUtil.getBytes(unsent.readSlice(piece)));
    }
  }

  private Reservation taken(int bytes) {
    Reservation reservation = memory.reserve(bytes, Runnable::run, () -> {});
    assertThat(reservation.isGranted()).isTrue();
    return reservation;
  }

  private static String head(String... headers) {
    return "POST /x HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
  }

  private static byte[] chunk(int bytes) {
    return bytesOf(Integer.toHexString(bytes) + "\r\n" + "x".repeat(bytes) + "\r\n");
  }

  private static byte[] gzip(int bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(new byte[bytes]);
    }
    return packed.toByteArray();
  }

  private static byte[] bytesOf(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
