package dev.weir.search.query;

import dev.weir.search.geo.GeoPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Small random corpora for the laws: few distinct values, so that queries meet. */
final class Documents {

  static final List<String> TAGS = List.of("a", "b", "c");
  static final List<String> WORDS = List.of("red", "green", "blue", "fast", "slow");
  static final int NUMBERS = 5;

  /** On both sides of the date line, and far enough from each other that no border is near. */
  static final List<GeoPoint> PLACES =
      List.of(
          new GeoPoint(0, 170),
          new GeoPoint(0, -170),
          new GeoPoint(10, 175),
          new GeoPoint(-10, -175),
          new GeoPoint(60, 179));

  private Documents() {}

  /**
   * One document.
   *
   * @param tag null if it has none
   * @param number null if it has none
   * @param vector null if it has none
   * @param place null if it has none
   * @param parts nested documents
   */
  record Doc(
      String id,
      @Nullable String tag,
      @Nullable Integer number,
      List<String> words,
      @Nullable QueryVector vector,
      @Nullable GeoPoint place,
      List<Part> parts) {}

  /**
   * One nested document.
   *
   * @param vector null if it has none
   */
  record Part(int number, @Nullable QueryVector vector) {}

  static List<Doc> corpus(RandomGenerator random) {
    List<Doc> docs = new ArrayList<>();
    int count = random.nextInt(13);
    for (int id = 0; id < count; id++) {
      List<String> words = new ArrayList<>();
      for (String word : WORDS) {
        if (random.nextInt(3) == 0) {
          words.add(word);
        }
      }
      docs.add(
          new Doc(
              "d" + id,
              random.nextInt(5) == 0 ? null : TAGS.get(random.nextInt(TAGS.size())),
              random.nextInt(5) == 0 ? null : random.nextInt(NUMBERS),
              List.copyOf(words),
              random.nextInt(5) == 0 ? null : vector(random),
              random.nextInt(5) == 0 ? null : PLACES.get(random.nextInt(PLACES.size())),
              parts(random)));
    }
    return docs;
  }

  private static List<Part> parts(RandomGenerator random) {
    List<Part> parts = new ArrayList<>();
    for (int left = random.nextInt(4); left > 0; left--) {
      parts.add(new Part(random.nextInt(NUMBERS), random.nextInt(5) == 0 ? null : vector(random)));
    }
    return List.copyOf(parts);
  }

  static QueryVector vector(RandomGenerator random) {
    return QueryVector.of(random.nextInt(4), random.nextInt(4));
  }
}
