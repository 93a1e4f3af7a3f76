package dev.weir.search.geo;

/**
 * The cells of the geohash grid: a text in base 32 whose bits halve the earth in turn, first by
 * longitude, then by latitude, and so on.
 */
public final class Geohash {

  /** Most letters: a cell is then 4 cm wide. */
  public static final int LETTERS_MAX = 12;

  private static final String ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";
  private static final int BITS = 5; // of a letter

  private Geohash() {}

  /**
   * The cell of a text.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static GeoArea.Box cell(String text) {
    if (text.isEmpty() || text.length() > LETTERS_MAX) {
      throw new IllegalArgumentException(
          "a geohash has 1 to " + LETTERS_MAX + " letters, got " + text.length());
    }
    double south = -GeoPoint.LATITUDE_MAX;
    double north = GeoPoint.LATITUDE_MAX;
    double west = -GeoPoint.LONGITUDE_MAX;
    double east = GeoPoint.LONGITUDE_MAX;
    for (int i = 0; i < text.length(); i++) {
      int letter = ALPHABET.indexOf(text.charAt(i));
      if (letter < 0) {
        throw new IllegalArgumentException(
            "unsupported symbol [" + text.charAt(i) + "] in geohash [" + text + "]");
      }
      for (int bit = 0; bit < BITS; bit++) {
        boolean upper = (letter >> (BITS - 1 - bit) & 1) == 1;
        if ((i * BITS + bit) % 2 == 0) {
          double middle = (west + east) / 2;
          west = upper ? middle : west;
          east = upper ? east : middle;
        } else {
          double middle = (south + north) / 2;
          south = upper ? middle : south;
          north = upper ? north : middle;
        }
      }
    }
    return new GeoArea.Box(north, west, south, east);
  }

  /** The south-western corner of a cell: the place that a geohash stands for. */
  static RawPoint corner(String text) {
    GeoArea.Box cell = cell(text);
    return new RawPoint(cell.bottom(), cell.left());
  }
}
