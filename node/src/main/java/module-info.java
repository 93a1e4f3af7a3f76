/** Wiring, configuration, lifecycle and command line. */
@org.jspecify.annotations.NullMarked
module dev.weir.node {
  requires static transitive org.jspecify;
  requires transitive dev.weir.protocol;
  requires transitive dev.weir.log;
  requires transitive dev.weir.machine;
  requires transitive dev.weir.raft;
  requires transitive dev.weir.metadata;
  requires transitive dev.weir.controller;
  requires transitive dev.weir.coordinator;
  requires transitive dev.weir.broker;
  requires transitive dev.weir.search;
  requires dev.weir.models;
  requires transitive dev.weir.rest;
  requires org.slf4j;
  requires ch.qos.logback.classic;
  requires ch.qos.logback.core;
  requires info.picocli;
  requires org.pcollections;
  requires io.netty.common;
  requires io.netty.transport;
  requires java.logging;
  requires jdk.management;
  requires java.net.http;
  requires tools.jackson.core;
  requires tools.jackson.databind;

  opens dev.weir.node to
      info.picocli;
  opens dev.weir.node.cli to
      info.picocli;

  provides ch.qos.logback.classic.spi.Configurator with
      dev.weir.node.LogConfigurator;
}
