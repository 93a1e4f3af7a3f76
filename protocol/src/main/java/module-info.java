/** The messages and records of the Kafka protocol and their codecs. */
@org.jspecify.annotations.NullMarked
module dev.weir.protocol {
  requires static transitive org.jspecify;

  exports dev.weir.protocol;
  exports dev.weir.protocol.coordinator.group;
  exports dev.weir.protocol.coordinator.share;
  exports dev.weir.protocol.coordinator.transaction;
  exports dev.weir.protocol.message;
  exports dev.weir.protocol.metadata;
  exports dev.weir.protocol.raft;
  exports dev.weir.protocol.storage;
}
