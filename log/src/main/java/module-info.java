/**
 * Record batches, segments, indexes and the partition log, in Apache Kafka's file formats.
 *
 * <p>{@code dev.weir.log} is the log itself, {@code dev.weir.log.batch} the record batch format.
 */
@org.jspecify.annotations.NullMarked
module dev.weir.log {
  requires static transitive org.jspecify;
  requires org.slf4j;
  requires org.lz4.java;
  requires com.github.luben.zstd_jni;
  requires org.xerial.snappy;

  exports dev.weir.log;
  exports dev.weir.log.batch;
  exports dev.weir.log.checkpoint;
  exports dev.weir.log.dump;
}
