package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;

/** What a vector field that is defined may be, beyond what its definition can say. */
final class VectorBounds {

  /** Most neighbours of a node that Lucene's graph can hold. */
  private static final int M_MAX = 512;

  /** Most candidates for each insertion that Lucene's graph takes. */
  private static final int EF_CONSTRUCTION_MAX = 3200;

  private VectorBounds() {}

  /**
   * Checks numbers, and parameters that exclude each other.
   *
   * @throws SearchException with 400 {@code mapper_parsing_exception}
   */
  static void require(String path, FieldType.KnnVector vector) {
    if (vector.dimension() < 1) {
      throw MappingRefusal.definition("Dimension value must be greater than 0 for vector: " + path);
    }
    if (vector.dimension() > FieldType.KnnVector.DIMENSION_MAX) {
      throw MappingRefusal.definition(
          "Dimension value cannot be greater than "
              + FieldType.KnnVector.DIMENSION_MAX
              + " for vector: "
              + path);
    }
    requireAtMost("m", vector.method().graph().m(), M_MAX, path);
    requireAtMost(
        "ef_construction", vector.method().graph().efConstruction(), EF_CONSTRUCTION_MAX, path);
    requireBits(path, vector);
    requireFull(path, vector);
    requireGraph(path, vector);
  }

  private static void requireAtMost(String parameter, int value, int max, String path) {
    if (value > max) {
      throw MappingRefusal.definition(
          "["
              + parameter
              + "] must be a whole number from 1 to "
              + max
              + " on field ["
              + path
              + "], not ["
              + value
              + "]");
    }
  }

  private static void requireBits(String path, FieldType.KnnVector vector) {
    boolean isBinary = vector.data() == VectorData.BINARY;
    if (isBinary && vector.dimension() % vector.data().dimensionsPerValue() != 0) {
      throw refusal(
          path,
          "Dimension should be multiply of 8 for binary vector data type, got "
              + vector.dimension());
    }
    if (isBinary != (vector.space() == SpaceType.HAMMING)) {
      throw refusal(
          path,
          "Space type ["
              + vector.space().text()
              + "] is not supported with ["
              + vector.data().text()
              + "] data type; [hamming] goes with [binary], and with it only");
    }
  }

  private static void requireFull(String path, FieldType.KnnVector vector) {
    Compression compression = vector.method().compression();
    if (compression == Compression.X1) {
      return;
    }
    if (vector.data() != VectorData.FLOAT) {
      throw refusal(
          path,
          "Compression ["
              + compression.text()
              + "] is for vectors of floats, not for ["
              + vector.data().text()
              + "]");
    }
    if (vector.method().algorithm() == KnnMethod.Algorithm.FLAT) {
      throw refusal(
          path,
          "Compression ["
              + compression.text()
              + "] is for the graph of method [hnsw]; method [flat] compares full vectors");
    }
  }

  private static void requireGraph(String path, FieldType.KnnVector vector) {
    boolean needsScan = vector.space() == SpaceType.L1 || vector.space() == SpaceType.LINF;
    if (needsScan && vector.method().algorithm() == KnnMethod.Algorithm.HNSW) {
      throw refusal(
          path,
          "Space type ["
              + vector.space().text()
              + "] is not supported by method [hnsw]; use method [flat], or [script_score] on a"
              + " field of another space");
    }
  }

  private static SearchException refusal(String path, String reason) {
    return MappingRefusal.definition(reason + ", field [" + path + "]");
  }
}
