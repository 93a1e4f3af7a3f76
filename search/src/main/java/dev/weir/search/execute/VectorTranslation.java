package dev.weir.search.execute;

import dev.weir.search.mapping.Compression;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.mapping.VectorLength;
import dev.weir.search.query.KnnExtent;
import dev.weir.search.query.QueryVector;
import dev.weir.search.query.Rescore;
import dev.weir.search.query.VectorSearch.Knn;
import dev.weir.search.vector.Blocks;
import dev.weir.search.vector.NearestVectors;
import dev.weir.search.vector.SharedFilter;
import dev.weir.search.vector.Take;
import dev.weir.search.vector.Target;
import dev.weir.search.vector.VectorSettings;
import dev.weir.search.vector.VectorsWithin;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/** Turns {@code knn} queries into vector searches under a mapping. */
record VectorTranslation(ShardContext shard) {

  /** Fewest candidates that are scored again with full vectors, where the query does not say. */
  private static final int RESCORED_MIN = 100;

  /** Most candidates that are scored again with full vectors. */
  private static final int RESCORED_MAX = 10_000;

  /**
   * The vector search.
   *
   * @param filter the query's filter on this shard; null for none
   * @param blocks how nested documents count; null where whole ones are asked
   * @throws IllegalArgumentException if the query does not fit the field, with a message for the
   *     user
   */
  Query translate(Knn knn, @Nullable SharedFilter filter, @Nullable Blocks blocks) {
    FieldType type = shard.mapping().type(knn.field()).orElse(null);
    if (type == null && knn.options().ignoreUnmapped()) {
      return new MatchNoDocsQuery("field " + knn.field() + " is unmapped");
    }
    if (shard.mapping().semanticByPath().containsKey(knn.field())) {
      throw new IllegalArgumentException(
          "Field '"
              + knn.field()
              + "' is of type [semantic], [knn] needs a field of type [knn_vector]; use [neural]"
              + " with [query_text], which knows the vectors of the field");
    }
    if (!(type instanceof FieldType.KnnVector field)) {
      throw new IllegalArgumentException(
          "Field '"
              + knn.field()
              + "' is "
              + (type == null ? "unmapped" : "of type [" + type.typeName() + "]")
              + ", [knn] needs a field of type [knn_vector], and [neural] one of that type or of"
              + " [semantic]");
    }
    Target target = target(knn.field(), knn.vector(), field, field.space());
    if (field.space() != SpaceType.INNER_PRODUCT) {
      requireInScale(knn.extent(), field);
    }
    return switch (knn.extent()) {
      case KnnExtent.Nearest(int k) ->
          new NearestVectors(
                  knn.field(),
                  target,
                  take(k, knn.options().rescore(), field),
                  filter,
                  blocks,
                  settings(knn, field))
              .reportingTo(shard.watch().of(knn));
      case KnnExtent.MinScore(float score) ->
          within(
              knn, new VectorsWithin(knn.field(), target, score, filter, blocks, shard.budget()));
      case KnnExtent.MaxDistance(float distance) ->
          within(
              knn,
              new VectorsWithin(
                  knn.field(), target, scoreAt(distance, field), filter, blocks, shard.budget()));
    };
  }

  private VectorsWithin within(Knn knn, VectorsWithin search) {
    return search.reportingTo(shard.watch().of(knn));
  }

  private VectorSettings settings(Knn knn, FieldType.KnnVector field) {
    Integer ofQuery = knn.options().efSearch();
    Integer ofField = field.method().graph().efSearch();
    Integer efSearch = ofQuery == null ? ofField : ofQuery;
    return new VectorSettings(
        efSearch == null ? shard.vectors().efSearch() : efSearch,
        switch (field.method().algorithm()) {
          case HNSW -> shard.vectors().exactThreshold();
          case FLAT -> Integer.MAX_VALUE; // there is no graph
        });
  }

  private static Take take(int k, @Nullable Rescore rescore, FieldType.KnnVector field) {
    Compression compression = field.method().compression();
    if (compression == Compression.X1) {
      return Take.of(k);
    }
    return switch (rescore) {
      case Rescore.Off() -> Take.of(k);
      case Rescore.Oversample(float factor) -> Take.rescoring(k, candidates(k, factor));
      case null -> Take.rescoring(k, candidates(k, compression.oversampling(field.dimension())));
      case Rescore.Automatic() ->
          Take.rescoring(k, candidates(k, compression.oversampling(field.dimension())));
    };
  }

  private static int candidates(int k, float factor) {
    return (int) Math.clamp(Math.ceil((double) k * factor), RESCORED_MIN, RESCORED_MAX);
  }

  /**
   * The query's vector in the form of the field's own.
   *
   * @throws IllegalArgumentException if it does not fit, with a message for the user
   */
  static Target target(
      String name, QueryVector vector, FieldType.KnnVector field, SpaceType space) {
    if (vector.dimension() != field.values()) {
      throw new IllegalArgumentException(
          "Query vector has invalid dimension: "
              + vector.dimension()
              + ". Dimension should be: "
              + field.values()
              + ", field ["
              + name
              + "]"
              + VectorLength.ofBits(field));
    }
    float[] values = vector.toArray();
    VectorLength.require(values, space);
    return switch (field.data()) {
      case FLOAT -> Target.of(values, space.measure());
      case BYTE, BINARY -> Target.of(bytes(vector, field), space.measure());
    };
  }

  private static byte[] bytes(QueryVector vector, FieldType.KnnVector field) {
    byte[] bytes = new byte[vector.dimension()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) vector.at(i);
      if (bytes[i] != vector.at(i)) {
        throw new IllegalArgumentException(
            "the vector of a field of data type ["
                + field.data().text()
                + "] holds whole numbers from -128 to 127, got "
                + vector.at(i));
      }
    }
    return bytes;
  }

  private static void requireInScale(KnnExtent extent, FieldType.KnnVector field) {
    switch (extent) {
      case KnnExtent.Nearest _ -> {}
      case KnnExtent.MinScore(float score) -> {
        if (score > 1) {
          throw new IllegalArgumentException(
              "[min_score] must be at most 1 for space type ["
                  + field.space().text()
                  + "], got "
                  + score);
        }
      }
      case KnnExtent.MaxDistance(float distance) -> {
        if (!(distance >= 0)) {
          throw new IllegalArgumentException(
              "[max_distance] must not be negative for space type ["
                  + field.space().text()
                  + "], got "
                  + distance);
        }
      }
    }
  }

  /** The score of a vector at this distance, in the measure of the field's space and engine. */
  private static float scoreAt(float distance, FieldType.KnnVector field) {
    boolean isDot =
        field.space() == SpaceType.INNER_PRODUCT
            && field.method().engine() == KnnMethod.Engine.LUCENE;
    return field.space().measure().score(isDot ? -distance : distance);
  }
}
