/** The replicated state machine: decide, append, commit, reply. */
@org.jspecify.annotations.NullMarked
module dev.weir.machine {
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports dev.weir.machine;
  exports dev.weir.machine.simulated;
}
