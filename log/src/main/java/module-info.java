/** Record batches, segments, indexes and the partition log. */
@org.jspecify.annotations.NullMarked
module dev.weir.log {
  requires static transitive org.jspecify;
  requires org.slf4j;
  requires org.lz4.java;
  requires com.github.luben.zstd_jni;
  requires org.xerial.snappy;
}
