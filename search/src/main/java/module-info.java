/** Queries, filter push-down, mappings, shard indexes and hybrid scoring over a log. */
@org.jspecify.annotations.NullMarked
module dev.weir.search {
  requires static transitive org.jspecify;
  requires static jdk.incubator.vector; // a node has it; without, vectors are compared one by one
  requires org.slf4j;
  requires org.pcollections;
  requires transitive tools.jackson.core;
  requires transitive tools.jackson.databind;
  requires transitive org.apache.lucene.core;
  requires org.apache.lucene.analysis.common;
  requires org.apache.lucene.highlighter;
  requires org.apache.lucene.queries;
  requires transitive org.apache.lucene.join;

  // Lucene finds both by the names that segments carry
  provides org.apache.lucene.codecs.Codec with
      dev.weir.search.shard.IndexCodec;
  provides org.apache.lucene.codecs.KnnVectorsFormat with
      dev.weir.search.vector.HammingVectorsFormat;

  exports dev.weir.search;
  exports dev.weir.search.aggregation;
  exports dev.weir.search.aggregation.collect;
  exports dev.weir.search.aggregation.result;
  exports dev.weir.search.catalog;
  exports dev.weir.search.chunk;
  exports dev.weir.search.deadline;
  exports dev.weir.search.document;
  exports dev.weir.search.error;
  exports dev.weir.search.evaluation;
  exports dev.weir.search.execute;
  exports dev.weir.search.geo;
  exports dev.weir.search.highlight;
  exports dev.weir.search.hybrid;
  exports dev.weir.search.index;
  exports dev.weir.search.ingest;
  exports dev.weir.search.json;
  exports dev.weir.search.log;
  exports dev.weir.search.mapping;
  exports dev.weir.search.memory;
  exports dev.weir.search.model;
  exports dev.weir.search.pipeline;
  exports dev.weir.search.profile;
  exports dev.weir.search.query;
  exports dev.weir.search.request;
  exports dev.weir.search.shard;
  exports dev.weir.search.vector;
}
