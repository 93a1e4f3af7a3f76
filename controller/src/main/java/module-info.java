/** Commands on the cluster, decided over the metadata log. */
@org.jspecify.annotations.NullMarked
module dev.weir.controller {
  requires static transitive org.jspecify;
  requires transitive dev.weir.protocol;
  requires transitive dev.weir.machine;
  requires transitive dev.weir.metadata;
  requires transitive dev.weir.raft;
  requires transitive dev.weir.log;
  requires org.slf4j;

  exports dev.weir.controller;
}
