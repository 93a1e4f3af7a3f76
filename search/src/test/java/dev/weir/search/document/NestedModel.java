package dev.weir.search.document;

import dev.weir.search.geo.GeoPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Random documents with nested ones, as a linear scan sees them. */
final class NestedModel {
  static final String[] TAGS = {"a", "b", "ab"};
  static final String[] COLORS = {"red", "green"};

  private NestedModel() {}

  /** A nested document. */
  record Chunk(String color, int n, List<Float> vector, GeoPoint at, List<Integer> votes) {
    double score(float[] target) {
      double sum = 0;
      for (int i = 0; i < target.length; i++) {
        sum += (double) (target[i] - vector.get(i)) * (target[i] - vector.get(i));
      }
      return 1 / (1 + sum);
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"color\":\"%s\",\"n\":%d,\"v\":%s,\"at\":\"%s\",\"w\":[%s]}",
          color,
          n,
          vector,
          at.text(),
          String.join(",", votes.stream().map(vote -> "{\"m\":" + vote + "}").toList()));
    }
  }

  record Doc(String id, String tag, int n, List<Chunk> chunks, GeoPoint at) {
    boolean hasTag() {
      return !tag.isEmpty();
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{%s\"n\":%d,\"at\":[%s,%s],\"words\":\"one %s two\",\"c\":[%s]}",
          hasTag() ? "\"tag\":\"" + tag + "\"," : "",
          n,
          at.longitude(),
          at.latitude(),
          tag,
          String.join(",", chunks.stream().map(Chunk::json).toList()));
    }
  }

  static Doc doc(String id, Random random) {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      chunks.add(
          new Chunk(
              COLORS[random.nextInt(2)],
              random.nextInt(10),
              numbers(random),
              at(random),
              random.ints(random.nextInt(3), 0, 4).boxed().toList()));
    }
    String tag = random.nextInt(5) == 0 ? "" : TAGS[random.nextInt(TAGS.length)];
    return new Doc(id, tag, random.nextInt(10), chunks, at(random));
  }

  /** Around the place where the equator meets the date line. */
  static GeoPoint at(Random random) {
    double east = 175 + 10 * random.nextDouble();
    return new GeoPoint(10 * random.nextDouble() - 5, east > 180 ? east - 360 : east);
  }

  static List<Float> numbers(Random random) {
    float[] vector = vector(random);
    return List.of(vector[0], vector[1], vector[2]);
  }

  static float[] vector(Random random) {
    return new float[] {
      (float) random.nextGaussian(), (float) random.nextGaussian(), (float) random.nextGaussian()
    };
  }
}
