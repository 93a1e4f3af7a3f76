package dev.weir.search.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

final class GeoPointsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"lat":41.12,"lon":-71.34}                          | 41.12,-71.34
          {"lon":"-71.34","lat":"41.12"}                      | 41.12,-71.34
          {"geohash":"u"}                                     | 45.0,0.0
          {"type":"Point","coordinates":[-71.34,41.12]}       | 41.12,-71.34
          {"coordinates":[-71.34,41.12,9],"type":"point"}     | 41.12,-71.34
          "41.12,-71.34"                                      | 41.12,-71.34
          " 41.12 , -71.34 "                                  | 41.12,-71.34
          "41.12,-71.34,100"                                  | 41.12,-71.34
          "POINT (-71.34 41.12)"                              | 41.12,-71.34
          "point(-71.34 41.12 5)"                             | 41.12,-71.34
          "POINT Z (-71.34 41.12 5)"                          | 41.12,-71.34
          "s"                                                 | 0.0,0.0
          [-71.34,41.12]                                      | 41.12,-71.34
          [-71.34,41.12,7]                                    | 41.12,-71.34
          [[-71.34,41.12],"1,2",{"lat":3,"lon":4},"s"]        | 41.12,-71.34 1.0,2.0 3.0,4.0 0.0,0.0
          []                                                  | ``
          """)
  void everyFormIsRead(String json, String points) {
    assertThat(read(json, Elevation.IGNORED)).isEqualTo(points);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"lat":1}                                           | {lat=1}: a geo point is
          {"lat":1,"lon":"x"}                                 | {lat=1,lon=x}: [lon] must be a number
          {"lat":1,"lon":[2]}                                 | {lat=1,lon=START_ARRAY}: [lon] must be a number
          {"lat":1,"lon":2,"up":{"a":[3]}}                    | {lat=1,lon=2,up=START_OBJECT}: field must be either [lat], [lon] or [geohash], not [up]
          {"lat":1,"lon":2,"geohash":"u"}                     | {lat=1,lon=2,geohash=u}: a geo point is
          {"geohash":"a"}                                     | {geohash=a}: unsupported symbol [a]
          {"type":"LineString","coordinates":[[1,2],[3,4]]}   | {type=LineString,coordinates=START_ARRAY}: [type] of a geo point must be [Point]
          {"type":"Point"}                                    | {type=Point}: a geo point is
          "1,2,3,4"                                           | 1,2,3,4: expected 2 or 3 coordinates but found 4
          "x,2"                                               | x,2: latitude must be a number
          "1,y"                                               | 1,y: longitude must be a number
          "LINESTRING (1 2, 3 4)"                             | LINESTRING (1 2, 3 4): the only WKT for a geo point
          "POINT (1)"                                         | POINT (1): expected 2 or 3 coordinates but found 1
          ""                                                  | : a geohash has 1 to 12 letters, got 0
          "0123456789bcd"                                     | 0123456789bcd: a geohash has 1 to 12 letters, got 13
          5                                                   | 5: a geo point is
          true                                                | true: a geo point is
          [1]                                                 | [1]: a geo point that is an array
          [1,2,3,4]                                           | [1,2,3]: a geo point that is an array
          [1,"2"]                                             | [1]: a geo point that is an array
          [[1,2],[3]]                                         | 2.0,1.0 [3]: a geo point that is an array
          [[1,2],null]                                        | 2.0,1.0 null
          """)
  void whatIsNoPointIsToldWithItsValue(String json, String told) {
    assertThat(read(json, Elevation.IGNORED)).startsWith(told);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"1,2,3\"",
        "[2,1,3]",
        "\"POINT (2 1 3)\"",
        "{\"type\":\"Point\",\"coordinates\":[2,1,3]}"
      })
  void aThirdCoordinateIsRefusedWhereItIsNotIgnored(String json) {
    assertThat(read(json, Elevation.REFUSED)).contains("found a third coordinate");
  }

  @Test
  void whateverStandsThereTheParserIsLeftOnItsLastToken() {
    List<String> values =
        List.of(
            "{\"lat\":{\"a\":[1]},\"x\":[[{}]]}",
            "[[1,[2]],{\"b\":{}},[{},[]],3]",
            "[1,{\"a\":[2]}]",
            "{\"type\":\"Point\",\"coordinates\":{\"a\":1}}",
            "\"x\"",
            "[]");
    for (String value : values) {
      try (JsonParser in = StrictJson.parser("{\"p\":" + value + ",\"next\":7}")) {
        in.nextToken();
        in.nextToken();
        in.nextToken();
        GeoPoints.each(in, Elevation.IGNORED, _ -> {});
        assertThat(in.nextToken()).as(value).isEqualTo(JsonToken.PROPERTY_NAME);
        assertThat(in.currentName()).as(value).isEqualTo("next");
      }
    }
  }

  @Test
  void aGeohashIsACell() {
    // The example of the geohash's own description.
    GeoArea.Box cell = Geohash.cell("ezs42");
    assertThat((cell.top() + cell.bottom()) / 2).isCloseTo(42.605, within(0.001));
    assertThat((cell.left() + cell.right()) / 2).isCloseTo(-5.603, within(0.001));
    assertThat(Geohash.cell("zzzzzzzzzzzz").right()).isEqualTo(180);
  }

  @ParameterizedTest
  @CsvSource({
    "91,0,89,180",
    "-91,10,-89,-170",
    "0,190,0,-170",
    "0,-190,0,170",
    "0,540,0,180",
    "450,0,90,0",
    "45,180,45,180",
    "45,-180,45,-180",
    "190,20,-10,-160"
  })
  void aCoercedPointGoesOnAroundTheEarth(double lat, double lon, double north, double east) {
    assertThat(new RawPoint(lat, lon).coerced()).isEqualTo(new GeoPoint(north, east));
  }

  @Test
  void aStrictPointIsOnEarth() {
    assertThatThrownBy(() -> new RawPoint(90.5, 0).strict())
        .hasMessageContaining("illegal latitude value [90.5]");
    assertThatThrownBy(() -> new RawPoint(0, -180.5).strict())
        .hasMessageContaining("illegal longitude value [-180.5]");
    assertThatThrownBy(() -> new RawPoint(Double.NaN, 0).coerced())
        .hasMessageContaining("illegal latitude value [NaN]");
  }

  @ParameterizedTest
  @CsvSource({
    "12km,12000", "12 km,12000", "1e3,1000", "1E3m,1000", "2mi,3218.688", "1nmi,1852", "1NM,1852",
    "3ft,0.9144", "1yd,0.9144", "10in,0.254", "5mm,0.005", "5cm,0.05", "7kilometers,7000", "0,0"
  })
  void distancesHaveUnits(String text, double meters) {
    assertThat(DistanceUnit.meters("distance", text, DistanceUnit.METERS))
        .isCloseTo(meters, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "km", "12 parsecs", "-1km", "1e999", "NaN", "1,5km"})
  void whatIsNoDistanceIsRefusedByName(String text) {
    assertThatThrownBy(() -> DistanceUnit.meters("distance", text, DistanceUnit.METERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s).*(\\[distance]|No matching unit).*");
  }

  private static String read(String json, Elevation elevation) {
    List<String> told = new ArrayList<>();
    try (JsonParser in = StrictJson.parser(json)) {
      in.nextToken();
      GeoPoints.each(
          in,
          elevation,
          read ->
              told.add(
                  switch (read) {
                    case ReadPoint.Point(RawPoint point) -> point.strict().text();
                    case ReadPoint.Null() -> "null";
                    case ReadPoint.Malformed(String value, String reason) -> value + ": " + reason;
                  }));
    }
    return String.join(" ", told);
  }
}
