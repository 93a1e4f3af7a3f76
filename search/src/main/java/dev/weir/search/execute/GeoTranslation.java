package dev.weir.search.execute;

import dev.weir.search.geo.GeoArea;
import dev.weir.search.geo.GeoPoint;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.query.Query.Geo;
import java.util.List;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Lucene queries for places in areas. Places are compared as the index holds them: rounded down to
 * a grid of 2<sup>-32</sup> of the globe's height and width, which is a centimetre at most.
 */
final class GeoTranslation {
  private GeoTranslation() {}

  /**
   * The documents with a place in the area.
   *
   * @throws IllegalArgumentException if the field holds no places, with a message for the user
   */
  static Query query(Geo geo, Mapping mapping) {
    FieldType.Leaf type = mapping.field(geo.field()).orElse(null);
    if (type == null && geo.ignoreUnmapped()) {
      return new MatchNoDocsQuery("field " + geo.field() + " is unmapped");
    }
    FieldType.Geo points = require(geo.field(), type);
    if (points.isIndexed()) {
      Query indexed = indexed(geo.field(), geo.area());
      return points.hasDocValues()
          ? new IndexOrDocValuesQuery(indexed, scanned(geo.field(), geo.area()))
          : new ConstantScoreQuery(indexed);
    }
    if (!points.hasDocValues()) {
      throw ValueQueries.notSearchable(geo.field());
    }
    return scanned(geo.field(), geo.area());
  }

  /**
   * The type of a field that must hold places.
   *
   * @throws IllegalArgumentException if it does not
   */
  static FieldType.Geo require(String field, FieldType.@Nullable Leaf type) {
    return switch (type) {
      case FieldType.Geo geo -> geo;
      case null ->
          throw new IllegalArgumentException(
              "failed to find geo field [" + field + "]; map it as [geo_point]");
      case FieldType.Text _,
          FieldType.Keyword _,
          FieldType.Numeric _,
          FieldType.Bool _,
          FieldType.DateTime _,
          FieldType.KnnVector _ ->
          throw new IllegalArgumentException(
              "field [" + field + "] is of type [" + type.typeName() + "] and not [geo_point]");
    };
  }

  private static Query indexed(String field, GeoArea area) {
    return switch (area) {
      case GeoArea.Circle(GeoPoint center, double meters) ->
          LatLonPoint.newDistanceQuery(field, center.latitude(), center.longitude(), meters);
      case GeoArea.Box(double top, double left, double bottom, double right) ->
          LatLonPoint.newBoxQuery(field, bottom, top, left, right);
      case GeoArea.Polygon(List<GeoPoint> points) ->
          LatLonPoint.newPolygonQuery(field, polygon(points));
    };
  }

  private static Query scanned(String field, GeoArea area) {
    return switch (area) {
      case GeoArea.Circle(GeoPoint center, double meters) ->
          LatLonDocValuesField.newSlowDistanceQuery(
              field, center.latitude(), center.longitude(), meters);
      case GeoArea.Box(double top, double left, double bottom, double right) ->
          LatLonDocValuesField.newSlowBoxQuery(field, bottom, top, left, right);
      case GeoArea.Polygon(List<GeoPoint> points) ->
          LatLonDocValuesField.newSlowPolygonQuery(field, polygon(points));
    };
  }

  private static Polygon polygon(List<GeoPoint> points) {
    return new Polygon(
        points.stream().mapToDouble(GeoPoint::latitude).toArray(),
        points.stream().mapToDouble(GeoPoint::longitude).toArray());
  }
}
