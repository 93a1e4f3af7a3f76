package dev.weir.rest;

import dev.weir.search.memory.AnswerMemory;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP face: listens, and takes requests to the handlers of {@link Routes}.
 *
 * <p>Shares the event loops of the node; owns its request threads. {@link #close()} lets requests
 * in hand finish first.
 */
public final class HttpFace implements AutoCloseable {
  /**
   * How the face is set up.
   *
   * @param address where to listen; port 0 takes a free one
   * @param bodyBytesMax a larger body is refused with 413
   * @param requestThreads how many requests are worked on at once
   */
  public record Config(InetSocketAddress address, int bodyBytesMax, int requestThreads) {
    /** OpenSearch's default for {@code http.max_content_length}. */
    public static final int DEFAULT_BODY_BYTES_MAX = 100 * 1024 * 1024;
  }

  private static final int INITIAL_LINE_BYTES_MAX = 16 * 1024;
  private static final int HEADER_BYTES_MAX = 16 * 1024;
  private static final int CHUNK_BYTES_MAX = 64 * 1024;

  /**
   * Requests of one connection that may be read and not answered, above which Netty ends it. Never
   * reached: what follows a request in hand is not read beyond the read that brought its beginning,
   * and one read brings {@link BodyCollector#READ_BYTES_MAX}; no request is shorter than 16 bytes.
   */
  private static final int PIPELINED_MAX = 2 * BodyCollector.READ_BYTES_MAX / 16;

  /**
   * Requests that wait for a thread; one connection has at most one, so this bounds connections.
   */
  private static final int WAITING_MAX = 10_000;

  private static final Duration IDLE_MAX = Duration.ofMinutes(10);
  private static final Logger LOG = LoggerFactory.getLogger(HttpFace.class);

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final Channel listening;
  private final ChannelGroup connections;
  private final Dispatcher dispatcher;
  private final ThreadPoolExecutor requestThreads;

  private HttpFace(
      Channel listening,
      ChannelGroup connections,
      Dispatcher dispatcher,
      ThreadPoolExecutor threads) {
    this.listening = listening;
    this.connections = connections;
    this.dispatcher = dispatcher;
    this.requestThreads = threads;
  }

  /**
   * Starts to listen.
   *
   * @param memory for the bodies of requests
   * @throws IOException if the address cannot be bound
   */
  public static HttpFace start(
      Config config,
      EventLoopGroup loops,
      Class<? extends ServerChannel> channelType,
      RequestMemory memory,
      RestServices services)
      throws IOException {
    int bodyBytesMax = Math.min(config.bodyBytesMax(), memory.requestBytesMax());
    HttpCounters counters = new HttpCounters();
    Router router = Routes.of(services, bodyBytesMax, counters);
    return start(
        config, loops, channelType, memory, services.engine().answerMemory(), router, counters);
  }

  static HttpFace start(
      Config config,
      EventLoopGroup loops,
      Class<? extends ServerChannel> channelType,
      RequestMemory memory,
      AnswerMemory answers,
      Router router,
      HttpCounters counters)
      throws IOException {
    var threads =
        new ThreadPoolExecutor(
            config.requestThreads(),
            config.requestThreads(),
            30,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            Thread.ofPlatform().name("weir-rest-", 0).daemon().factory());
    threads.allowCoreThreadTimeOut(true);
    ChannelGroup connections =
        new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, /* stayClosed= */ true);
    int bodyBytesMax = Math.min(config.bodyBytesMax(), memory.requestBytesMax());
    Dispatcher dispatcher = new Dispatcher(router, threads, bodyBytesMax, counters, answers);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(channelType)
            .option(ChannelOption.SO_BACKLOG, 1024)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new Pipeline(dispatcher, connections, bodyBytesMax, memory, counters));
    var bound = bootstrap.bind(config.address()).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      threads.shutdown();
      throw new IOException(
          "cannot listen on " + config.address() + ": " + bound.cause().getMessage(),
          bound.cause());
    }
    return new HttpFace(bound.channel(), connections, dispatcher, threads);
  }

  /** Where the face listens, with the port it was given. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Stops listening, lets what is in hand finish within five seconds, closes the connections. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    try {
      dispatcher.stop(STOP_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // Never interrupted: a thread inside a file channel would close it, and its log with it.
    requestThreads.shutdown();
    int waiting = requestThreads.getQueue().size();
    requestThreads.getQueue().clear();
    int running = requestThreads.getActiveCount();
    if (running > 0 || waiting > 0) {
      LOG.warn(
          "requests are not finished at the end running={} dropped={} waitedMs={}",
          running,
          waiting,
          STOP_MAX.toMillis());
    }
    connections.close().awaitUninterruptibly(STOP_MAX.toMillis());
  }

  @ChannelHandler.Sharable
  private static final class Pipeline extends ChannelInitializer<Channel> {
    private final Dispatcher dispatcher;
    private final ChannelGroup connections;
    private final int bodyBytesMax;
    private final RequestMemory memory;
    private final HttpCounters counters;

    Pipeline(
        Dispatcher dispatcher,
        ChannelGroup connections,
        int bodyBytesMax,
        RequestMemory memory,
        HttpCounters counters) {
      this.counters = counters;
      this.dispatcher = dispatcher;
      this.connections = connections;
      this.bodyBytesMax = bodyBytesMax;
      this.memory = memory;
    }

    @Override
    protected void initChannel(Channel channel) {
      connections.add(channel);
      counters.opened();
      channel.closeFuture().addListener(_ -> counters.closed());
      BodyCollector collector = new BodyCollector(bodyBytesMax, memory);
      channel.config().setRecvByteBufAllocator(new SocketReads(collector));
      channel
          .pipeline()
          .addLast(new IdleStateHandler(0, 0, IDLE_MAX.toSeconds(), TimeUnit.SECONDS))
          .addLast(
              new HttpServerCodec(
                  new HttpDecoderConfig()
                      .setMaxInitialLineLength(INITIAL_LINE_BYTES_MAX)
                      .setMaxHeaderSize(HEADER_BYTES_MAX)
                      .setMaxChunkSize(CHUNK_BYTES_MAX),
                  PIPELINED_MAX))
          .addLast(new HttpContentCompressor(/* contentSizeThreshold= */ 0, PIPELINED_MAX))
          .addLast(collector)
          .addLast(new HttpConnection(dispatcher, collector));
    }
  }
}
