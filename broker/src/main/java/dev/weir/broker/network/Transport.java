package dev.weir.broker.network;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * How sockets are served: epoll where its native library loads (Linux), else the JDK's selector.
 */
public enum Transport {
  EPOLL,
  NIO;

  /** The best transport that works here. */
  public static Transport best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  MultiThreadIoEventLoopGroup newLoops(int threads) {
    IoHandlerFactory factory =
        switch (this) {
          case EPOLL -> EpollIoHandler.newFactory();
          case NIO -> NioIoHandler.newFactory();
        };
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory("weir-broker", /* daemon= */ false), factory);
  }

  /** The listening socket of this transport. */
  public Class<? extends ServerSocketChannel> serverChannel() {
    return switch (this) {
      case EPOLL -> EpollServerSocketChannel.class;
      case NIO -> NioServerSocketChannel.class;
    };
  }
}
