/**
 * Connections, request handlers, partitions and waiting requests.
 *
 * <p>{@code dev.weir.broker} is what a node starts and the search engine uses in process; {@code
 * dev.weir.broker.config} is how it is configured; {@code dev.weir.broker.memory} is what bounds
 * its requests.
 */
@org.jspecify.annotations.NullMarked
module dev.weir.broker {
  requires static transitive org.jspecify;
  requires transitive dev.weir.protocol;
  requires transitive dev.weir.log;
  requires transitive dev.weir.machine;
  requires transitive dev.weir.metadata;
  requires transitive dev.weir.controller;
  requires transitive dev.weir.coordinator;
  requires org.slf4j;
  requires io.netty.common;
  requires io.netty.buffer;
  requires transitive io.netty.transport;
  requires io.netty.codec;
  requires io.netty.handler;
  requires io.netty.transport.classes.epoll;

  exports dev.weir.broker;
  exports dev.weir.broker.config;
  exports dev.weir.broker.memory;
}
