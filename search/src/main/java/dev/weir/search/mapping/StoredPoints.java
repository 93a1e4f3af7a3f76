package dev.weir.search.mapping;

import dev.weir.search.geo.GeoPoint;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.SloppyMath;

/**
 * The places of a field in one segment, as its doc values hold them: the encoded latitude in the
 * upper half of a number, the longitude in the lower one. One thread, documents in their order; the
 * last one may be asked for again.
 */
public final class StoredPoints {

  private static final double[] NONE = {};

  private final SortedNumericDocValues values;
  private long[] current = new long[4]; // the places of doc
  private int count;
  private int doc = -1;

  private StoredPoints(SortedNumericDocValues values) {
    this.values = values;
  }

  /** Those of a field, which must be of type {@code geo_point} with doc values, or not there. */
  public static StoredPoints of(LeafReader segment, String field) throws IOException {
    return new StoredPoints(DocValues.getSortedNumeric(segment, field));
  }

  /** How many places a document has; they can be asked for then. */
  public int count(int wanted) throws IOException {
    if (wanted != doc) {
      doc = wanted;
      count = values.advanceExact(doc) ? values.docValueCount() : 0;
      if (count > current.length) {
        current = new long[count];
      }
      for (int i = 0; i < count; i++) {
        current[i] = values.nextValue();
      }
    }
    return count;
  }

  /** A place of the document that was asked for last. */
  public GeoPoint place(int i) {
    long encoded = current[i];
    return new GeoPoint(
        GeoEncodingUtils.decodeLatitude((int) (encoded >> Integer.SIZE)),
        GeoEncodingUtils.decodeLongitude((int) encoded));
  }

  /**
   * The distance in metres from each of a document's places to each of the origins; empty if it has
   * no place.
   */
  public double[] metersFrom(int wanted, List<GeoPoint> origins) throws IOException {
    int places = count(wanted);
    if (places == 0) {
      return NONE;
    }
    double[] meters = new double[Math.multiplyExact(places, origins.size())];
    int i = 0;
    for (int p = 0; p < places; p++) {
      GeoPoint place = place(p);
      for (GeoPoint origin : origins) {
        meters[i++] =
            SloppyMath.haversinMeters(
                place.latitude(), place.longitude(), origin.latitude(), origin.longitude());
      }
    }
    return meters;
  }
}
