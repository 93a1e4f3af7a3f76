/** The HTTP face of the search engine. */
@org.jspecify.annotations.NullMarked
module dev.weir.rest {
  requires static transitive org.jspecify;
  requires transitive dev.weir.search;
  requires org.slf4j;
  requires java.management;
  requires jdk.management; // the memory and the load of the machine
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires io.netty.common;
  requires io.netty.buffer;
  requires transitive io.netty.transport;
  requires io.netty.codec;
  requires io.netty.codec.compression; // the next one names it in a constructor
  requires io.netty.codec.http;
  requires io.netty.handler;
  requires io.netty.transport.classes.epoll;

  exports dev.weir.rest;
}
