/** Connections, request handlers, partitions and waiting requests. */
@org.jspecify.annotations.NullMarked
module dev.weir.broker {
  requires static transitive org.jspecify;
  requires transitive dev.weir.protocol;
  requires transitive dev.weir.log;
  requires transitive dev.weir.machine;
  requires transitive dev.weir.raft;
  requires transitive dev.weir.metadata;
  requires transitive dev.weir.controller;
  requires transitive dev.weir.coordinator;
  requires org.slf4j;
  requires io.netty.common;
  requires io.netty.buffer;
  requires io.netty.transport;
  requires io.netty.codec;
  requires io.netty.handler;
  requires io.netty.transport.classes.epoll;
}
