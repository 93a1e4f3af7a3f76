/** The messages and records of the Kafka protocol and their codecs. */
@org.jspecify.annotations.NullMarked
module dev.weir.protocol {
  requires static transitive org.jspecify;
}
