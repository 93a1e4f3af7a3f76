package dev.weir.search.execute;

import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.query.KnnExtent;
import dev.weir.search.query.Query.Knn;
import dev.weir.search.vector.NearestVectors;
import dev.weir.search.vector.SharedFilter;
import dev.weir.search.vector.VectorSettings;
import dev.weir.search.vector.VectorsWithin;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/** Turns {@code knn} queries into vector searches under a mapping. */
record VectorTranslation(ShardContext shard) {
  /**
   * The vector search.
   *
   * @param filter the query's filter on this shard; null for none
   * @throws IllegalArgumentException if the query does not fit the field, with a message for the
   *     user
   */
  Query translate(Knn knn, @Nullable SharedFilter filter) {
    FieldType type = shard.mapping().type(knn.field()).orElse(null);
    if (type == null && knn.options().ignoreUnmapped()) {
      return new MatchNoDocsQuery("field " + knn.field() + " is unmapped");
    }
    if (!(type instanceof FieldType.KnnVector field)) {
      throw new IllegalArgumentException(
          "Field '"
              + knn.field()
              + "' is "
              + (type == null ? "unmapped" : "of type [" + type.typeName() + "]")
              + ", [knn] needs a field of type [knn_vector]");
    }
    require(knn, field);
    float[] target = knn.vector().toArray();
    return switch (knn.extent()) {
      case KnnExtent.Nearest(int k) ->
          new NearestVectors(knn.field(), target, k, filter, settings(knn));
      case KnnExtent.MinScore(float score) -> new VectorsWithin(knn.field(), target, score, filter);
      case KnnExtent.MaxDistance(float distance) ->
          new VectorsWithin(knn.field(), target, scoreAt(distance, field), filter);
    };
  }

  private VectorSettings settings(Knn knn) {
    Integer efSearch = knn.options().efSearch();
    return efSearch == null
        ? shard.vectors()
        : new VectorSettings(efSearch, shard.vectors().exactThreshold());
  }

  private static void require(Knn knn, FieldType.KnnVector field) {
    if (knn.vector().dimension() != field.dimension()) {
      throw new IllegalArgumentException(
          "Query vector has invalid dimension: "
              + knn.vector().dimension()
              + ". Dimension should be: "
              + field.dimension());
    }
    if (field.space() == SpaceType.COSINE && isZero(knn)) {
      throw new IllegalArgumentException(
          "zero vector is not supported when space type is [cosinesimil]");
    }
    if (field.space() != SpaceType.INNER_PRODUCT) {
      requireInScale(knn.extent(), field);
    }
  }

  private static boolean isZero(Knn knn) {
    for (int i = 0; i < knn.vector().dimension(); i++) {
      if (knn.vector().at(i) != 0) {
        return false;
      }
    }
    return true;
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
    return switch (field.space()) {
      case L2 -> 1 / (1 + distance);
      case COSINE -> (2 - distance) / 2;
      case INNER_PRODUCT -> {
        float dot = field.method().engine() == KnnMethod.Engine.LUCENE ? distance : -distance;
        yield dot >= 0 ? 1 + dot : 1 / (1 - dot);
      }
    };
  }
}
