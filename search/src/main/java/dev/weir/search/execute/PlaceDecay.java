package dev.weir.search.execute;

import dev.weir.search.geo.DistanceUnit;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.geo.GeoPoints;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.StoredPoints;
import dev.weir.search.query.Literal;
import dev.weir.search.query.ScoreShape;
import java.util.List;

/** Decay functions over the distance between places. */
final class PlaceDecay {
  private PlaceDecay() {}

  /**
   * The values of a function.
   *
   * @throws IllegalArgumentException if it does not fit the field, with a message for the user
   */
  static FunctionScores.Values values(ScoreShape.Decay decay, FieldType.Geo type) {
    String field = decay.field();
    Literal said = decay.origin();
    if (said == null) {
      throw new IllegalArgumentException(
          "decay of [" + field + "] needs an [origin], since it is of type [geo_point]");
    }
    if (!type.hasDocValues()) {
      throw new IllegalArgumentException("decay of [" + field + "] needs doc values of the field");
    }
    GeoPoint origin = GeoPoints.parse(said.text()).strict();
    double scale = meters("scale", decay.scale());
    Literal saidOffset = decay.offset();
    double offset = saidOffset == null ? 0 : meters("offset", saidOffset);
    if (scale == 0) {
      throw new IllegalArgumentException("decay of [" + field + "] needs a [scale] above 0");
    }
    return leaf -> {
      StoredPoints points = StoredPoints.of(leaf.reader(), field);
      return (doc, _) -> {
        double[] distances = points.metersFrom(doc, List.of(origin));
        if (distances.length == 0) {
          return 1;
        }
        for (int i = 0; i < distances.length; i++) {
          distances[i] = Math.max(0, distances[i] - offset);
        }
        return decay
            .curve()
            .at(FunctionTranslation.one(distances, decay.valueMode()), scale, decay.decay());
      };
    };
  }

  private static double meters(String name, Literal value) {
    return DistanceUnit.meters(name, value.text(), DistanceUnit.METERS);
  }
}
