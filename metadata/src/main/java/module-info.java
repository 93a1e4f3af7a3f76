/** The cluster metadata as one immutable value. */
@org.jspecify.annotations.NullMarked
module dev.weir.metadata {
  requires static transitive org.jspecify;
  requires transitive dev.weir.protocol;
  requires org.pcollections;

  exports dev.weir.metadata;
  exports dev.weir.metadata.config;
}
