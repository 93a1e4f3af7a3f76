package dev.weir.broker.network;

import dev.weir.broker.config.BrokerConfig.NetworkSettings;
import dev.weir.broker.config.Endpoint;
import dev.weir.broker.memory.RequestMemory;
import dev.weir.broker.timing.LoopTimers;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening sockets, the event loops and the connections on them. Every connection belongs to
 * one loop, which reads, handles and answers its requests. Thread-safe.
 */
public final class SocketServer implements AutoCloseable {
  /** A listener with the address that it got. */
  public record Bound(String listener, InetSocketAddress address) {}

  private static final Logger LOG = LoggerFactory.getLogger(SocketServer.class);

  /** What is in hand at a close may take this long. */
  private static final long DRAIN_MS_MAX = 5_000;

  private final EventLoopGroup loops;
  private final RequestMemory memory;
  private final Map<EventExecutor, LoopTimers> timersByLoop;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final List<Channel> listening = new ArrayList<>();
  private final List<Bound> bound = new ArrayList<>();

  private SocketServer(EventLoopGroup loops, RequestMemory memory) {
    this.loops = loops;
    this.memory = memory;
    Map<EventExecutor, LoopTimers> timers = new HashMap<>(); // loops are equal by identity
    for (EventExecutor loop : loops) {
      timers.put(loop, new LoopTimers(loop));
    }
    this.timersByLoop = timers;
  }

  /**
   * Binds the listeners, so that their ports are known and taken. Clients may connect from now on,
   * and wait until {@link #accept}.
   *
   * @param memory for requests that are not handled yet
   * @throws ListenException if one cannot be opened; none is open then
   */
  public static SocketServer open(
      List<Endpoint> listeners,
      NetworkSettings settings,
      RequestMemory memory,
      HandlerTable handlers) {
    Transport transport = Transport.best();
    int threads = settings.loops() > 0 ? settings.loops() : defaultLoops();
    EventLoopGroup loops = transport.newLoops(threads);
    SocketServer server = new SocketServer(loops, memory);
    OccasionalLog complaints = new OccasionalLog(LOG, loops.next().ticker()::nanoTime);
    RequestDispatcher dispatcher = new RequestDispatcher(handlers, complaints);
    try {
      for (Endpoint endpoint : listeners) {
        server.listen(endpoint, settings, dispatcher, transport);
      }
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
    return server;
  }

  /** Begins to serve clients. */
  public void accept() {
    listening.forEach(channel -> channel.config().setAutoRead(true));
  }

  /** The listeners in the order of the configuration, with the ports that they got. */
  public List<Bound> bound() {
    return List.copyOf(bound);
  }

  /** The number of open connections. */
  public int connections() {
    return connections.size();
  }

  /** The event loops, for work that belongs to no connection. */
  public EventLoopGroup loops() {
    return loops;
  }

  /**
   * Stops listening, lets the requests in hand finish, within bounds, and closes all connections.
   * Blocks until it is done.
   */
  @Override
  public void close() {
    listening.forEach(channel -> channel.close().awaitUninterruptibly());
    List<Connection> open = List.copyOf(connections);
    CountDownLatch closed = new CountDownLatch(open.size());
    open.forEach(connection -> connection.closeAfterRequest(closed::countDown));
    boolean interrupted = false;
    try {
      if (!closed.await(DRAIN_MS_MAX, TimeUnit.MILLISECONDS)) {
        LOG.warn("requests still in hand after {} ms are cut off", DRAIN_MS_MAX);
      }
    } catch (InterruptedException _) {
      interrupted = true;
    }
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen(
      Endpoint endpoint,
      NetworkSettings settings,
      RequestDispatcher dispatcher,
      Transport transport) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(transport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, settings.backlog())
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(new Initializer(endpoint.listener(), settings, dispatcher));
    if (settings.sendBufferBytes() > 0) {
      bootstrap.childOption(ChannelOption.SO_SNDBUF, settings.sendBufferBytes());
    }
    if (settings.receiveBufferBytes() > 0) {
      bootstrap.option(ChannelOption.SO_RCVBUF, settings.receiveBufferBytes());
    }
    InetSocketAddress address =
        endpoint.host().isEmpty()
            ? new InetSocketAddress(endpoint.port())
            : new InetSocketAddress(endpoint.host(), endpoint.port());
    ChannelFuture opened = bootstrap.bind(address).awaitUninterruptibly();
    if (!opened.isSuccess()) {
      throw new ListenException(endpoint, opened.cause());
    }
    listening.add(opened.channel());
    bound.add(new Bound(endpoint.listener(), (InetSocketAddress) opened.channel().localAddress()));
  }

  private static int defaultLoops() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Sets an accepted connection up. */
  private final class Initializer extends ChannelInitializer<SocketChannel> {
    private final String listener;
    private final NetworkSettings settings;
    private final RequestDispatcher dispatcher;

    Initializer(String listener, NetworkSettings settings, RequestDispatcher dispatcher) {
      this.listener = listener;
      this.settings = settings;
      this.dispatcher = dispatcher;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
      LoopTimers timers = timersByLoop.get(channel.eventLoop());
      if (timers == null) {
        throw new IllegalStateException("connection on a foreign loop: " + channel);
      }
      Connection connection =
          new Connection(
              channel,
              listener,
              timers,
              dispatcher,
              memory,
              new Connection.Limits(settings.requestBytesMax(), settings.idleMsMax()));
      connections.add(connection);
      channel.closeFuture().addListener(_ -> connections.remove(connection));
      channel.config().setRecvByteBufAllocator(new FrameReads(connection.decoder()));
      channel.pipeline().addLast(connection.decoder(), connection);
    }
  }
}
