/** The cluster metadata as one immutable value. */
@org.jspecify.annotations.NullMarked
module dev.weir.metadata {
  requires static transitive org.jspecify;
  requires transitive dev.weir.protocol;
  requires transitive dev.weir.machine;
  requires org.pcollections;
}
