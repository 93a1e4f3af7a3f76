/** Group coordinators, each a machine over an internal topic. */
@org.jspecify.annotations.NullMarked
module dev.weir.coordinator {
  requires static transitive org.jspecify;
  requires transitive dev.weir.protocol;
  requires transitive dev.weir.machine;
  requires org.slf4j;
  requires org.pcollections;

  exports dev.weir.coordinator;
  exports dev.weir.coordinator.group;
}
