/** KRaft consensus as a pure state machine, and the driver that performs its effects. */
@org.jspecify.annotations.NullMarked
module dev.weir.raft {
  requires static transitive org.jspecify;
  requires transitive dev.weir.protocol;
  requires transitive dev.weir.log;
  requires org.slf4j;

  exports dev.weir.raft;
}
