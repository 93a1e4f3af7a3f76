package dev.weir.search.vector;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.search.VectorScorer;
import org.jspecify.annotations.Nullable;

/**
 * The vector that those of a field are compared with, in the form in which the field stores its
 * own, and the measure of the comparison. Immutable, compared by content; any thread may use it.
 */
public sealed interface Target {

  /**
   * A target for a field of floats.
   *
   * @param vector not copied, and not to be changed any more
   */
  static Target of(float[] vector, Measure measure) {
    return new Floats(vector, measure);
  }

  /**
   * A target for a field of whole numbers or of packed bits.
   *
   * @param vector not copied, and not to be changed any more
   */
  static Target of(byte[] vector, Measure measure) {
    return new Bytes(vector, measure);
  }

  /** The field's vectors in a segment; null where no document has one. */
  @Nullable SegmentVectors in(LeafReader reader, String field) throws IOException;

  /** A target of floats. */
  final class Floats implements Target {
    private final float[] vector;
    private final Measure measure;

    private Floats(float[] vector, Measure measure) {
      this.vector = vector;
      this.measure = measure;
    }

    @Override
    public @Nullable SegmentVectors in(LeafReader reader, String field) throws IOException {
      FloatVectorValues values = reader.getFloatVectorValues(field);
      return values == null || values.size() == 0 ? null : new FloatSegment(reader, field, values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Floats that
          && measure == that.measure
          && Arrays.equals(vector, that.vector);
    }

    @Override
    public int hashCode() {
      return 31 * measure.hashCode() + Arrays.hashCode(vector);
    }

    private final class FloatSegment implements SegmentVectors {
      private final LeafReader reader;
      private final String field;
      private final FloatVectorValues values;

      FloatSegment(LeafReader reader, String field, FloatVectorValues values) {
        this.reader = reader;
        this.field = field;
        this.values = values;
      }

      @Override
      public KnnVectorValues values() {
        return values;
      }

      @Override
      public @Nullable VectorScorer scorer(Precision precision) throws IOException {
        return switch (measure) {
          case SQUARED_EUCLIDEAN, COSINE, NEGATED_DOT ->
              switch (precision) {
                case FULL -> values.rescorer(vector);
                case COMPRESSED -> values.scorer(vector);
              };
          case MANHATTAN, CHEBYSHEV, HAMMING -> new MeasuredScorer(distances(), measure);
        };
      }

      @Override
      public Distances distances() throws IOException {
        FloatVectorValues copy = values.copy();
        return new Distances(copy, ord -> measure.distance(vector, copy.vectorValue(ord)));
      }

      @Override
      public void walk(KnnCollector collector, AcceptDocs accepted) throws IOException {
        reader.searchNearestVectors(field, vector, collector, accepted);
      }
    }
  }

  /** A target of bytes. */
  final class Bytes implements Target {
    private final byte[] vector;
    private final Measure measure;

    private Bytes(byte[] vector, Measure measure) {
      this.vector = vector;
      this.measure = measure;
    }

    @Override
    public @Nullable SegmentVectors in(LeafReader reader, String field) throws IOException {
      ByteVectorValues values = reader.getByteVectorValues(field);
      return values == null || values.size() == 0 ? null : new ByteSegment(reader, field, values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bytes that
          && measure == that.measure
          && Arrays.equals(vector, that.vector);
    }

    @Override
    public int hashCode() {
      return 31 * measure.hashCode() + Arrays.hashCode(vector);
    }

    private final class ByteSegment implements SegmentVectors {
      private final LeafReader reader;
      private final String field;
      private final ByteVectorValues values;

      ByteSegment(LeafReader reader, String field, ByteVectorValues values) {
        this.reader = reader;
        this.field = field;
        this.values = values;
      }

      @Override
      public KnnVectorValues values() {
        return values;
      }

      @Override
      public @Nullable VectorScorer scorer(Precision precision) throws IOException {
        return switch (measure) {
          case SQUARED_EUCLIDEAN, COSINE, NEGATED_DOT -> values.scorer(vector);
          case MANHATTAN, CHEBYSHEV, HAMMING -> new MeasuredScorer(distances(), measure);
        };
      }

      @Override
      public Distances distances() throws IOException {
        ByteVectorValues copy = values.copy();
        return new Distances(copy, ord -> measure.distance(vector, copy.vectorValue(ord)));
      }

      @Override
      public void walk(KnnCollector collector, AcceptDocs accepted) throws IOException {
        reader.searchNearestVectors(field, vector, collector, accepted);
      }
    }
  }
}
