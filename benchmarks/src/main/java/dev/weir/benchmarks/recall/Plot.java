package dev.weir.benchmarks.recall;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Draws cells: a column for each collection; rows for the cost by correlation, and for recall.
 *
 * @param cells of all collections
 */
record Plot(List<Cell> cells) {
  private static final int WIDTH = 260;
  private static final int HEIGHT = 150;
  private static final int GAP_X = 70;
  private static final int GAP_Y = 60;
  private static final double LEAST_SELECTIVITY = 1e-4;
  private static final double LEAST_US = 1;
  private static final double MOST_US = 1e5;

  /** A curve: its name, its colour, and which cells are on it. */
  private record Curve(String name, String colour, Cell.Way way, Correlation correlation) {}

  String svg() {
    List<String> collections = cells.stream().map(Cell::collection).distinct().toList();
    int columns = collections.size();
    int rows = Correlation.values().length + 1;
    StringBuilder out = new StringBuilder();
    append(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"11\">%n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
        GAP_X + columns * (WIDTH + GAP_X),
        GAP_Y + rows * (HEIGHT + GAP_Y));
    for (int column = 0; column < columns; column++) {
      String collection = collections.get(column);
      int x = GAP_X + column * (WIDTH + GAP_X);
      int row = 0;
      for (Correlation correlation : Correlation.values()) {
        cost(out, x, GAP_Y + row * (HEIGHT + GAP_Y), collection, correlation);
        row++;
      }
      recall(out, x, GAP_Y + row * (HEIGHT + GAP_Y), collection);
    }
    return out.append("</svg>\n").toString();
  }

  private void cost(StringBuilder out, int x, int y, String collection, Correlation correlation) {
    frame(out, x, y, collection + ", filter " + words(correlation) + ": CPU us");
    for (double us = LEAST_US; us <= MOST_US; us *= 10) {
      tick(out, x, y, high(us), String.format(Locale.ROOT, "%.0f", us));
    }
    List<Curve> curves =
        List.of(
            new Curve("inside", "#1f77b4", Cell.Way.INSIDE, correlation),
            new Curve("exact", "#2ca02c", Cell.Way.EXACT, correlation),
            new Curve("post-filter", "#d62728", Cell.Way.POST, correlation));
    curves(out, x, y, collection, curves, cell -> high(cell.cpuUs()));
  }

  private void recall(StringBuilder out, int x, int y, String collection) {
    frame(out, x, y, collection + ": recall@10");
    for (double recall : new double[] {0, 0.25, 0.5, 0.75, 0.95, 1}) {
      tick(out, x, y, recall, String.format(Locale.ROOT, "%.2f", recall));
    }
    List<Curve> curves =
        List.of(
            new Curve("inside", "#1f77b4", Cell.Way.INSIDE, Correlation.NONE),
            new Curve("inside, with", "#17becf", Cell.Way.INSIDE, Correlation.WITH),
            new Curve("inside, against", "#9467bd", Cell.Way.INSIDE, Correlation.AGAINST),
            new Curve("post-filter", "#d62728", Cell.Way.POST, Correlation.NONE));
    curves(out, x, y, collection, curves, Cell::recall);
  }

  private static String words(Correlation correlation) {
    return switch (correlation) {
      case NONE -> "independent of the vector";
      case WITH -> "with the vector";
      case AGAINST -> "against the vector";
    };
  }

  private static void frame(StringBuilder out, int x, int y, String title) {
    append(
        out,
        "<text x=\"%d\" y=\"%d\" font-size=\"11\">%s</text>%n<rect x=\"%d\" y=\"%d\" width=\"%d\""
            + " height=\"%d\" fill=\"none\" stroke=\"#888\"/>%n",
        x,
        y - 8,
        title,
        x,
        y,
        WIDTH,
        HEIGHT);
    for (double selectivity = LEAST_SELECTIVITY; selectivity < 2; selectivity *= 10) {
      double place = x + WIDTH * along(selectivity);
      append(
          out,
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#eee\"/>"
              + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s %%</text>%n",
          place,
          y,
          place,
          y + HEIGHT,
          place,
          y + HEIGHT + 13,
          percent(selectivity));
    }
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.2f", 100 * part).replaceAll("\\.?0+$", "");
  }

  private static void tick(StringBuilder out, int x, int y, double part, String text) {
    double place = y + HEIGHT * (1 - part);
    append(
        out,
        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#eee\"/>"
            + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
        x,
        place,
        x + WIDTH,
        place,
        x - 4,
        place + 4,
        text);
  }

  private void curves(
      StringBuilder out,
      int x,
      int y,
      String collection,
      List<Curve> curves,
      ToDoubleFunction<Cell> part) {
    int number = 0;
    for (Curve curve : curves) {
      StringBuilder points = new StringBuilder();
      for (Cell cell : cells) {
        if (cell.collection().equals(collection)
            && cell.way() == curve.way
            && cell.correlation() == curve.correlation) {
          append(
              points,
              "%.1f,%.1f ",
              x + WIDTH * along(cell.selectivity()),
              y + HEIGHT * (1 - part.applyAsDouble(cell)));
        }
      }
      append(
          out,
          "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>"
              + "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>%n",
          points.toString().strip(),
          curve.colour,
          x + number * WIDTH / curves.size(),
          y + HEIGHT + 28,
          curve.colour,
          curve.name);
      number++;
    }
  }

  private static double along(double selectivity) {
    return 1 - Math.log10(selectivity) / Math.log10(LEAST_SELECTIVITY);
  }

  private static double high(double us) {
    double bounded = Math.clamp(us, LEAST_US, MOST_US);
    return Math.log10(bounded / LEAST_US) / Math.log10(MOST_US / LEAST_US);
  }

  private static void append(StringBuilder out, String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values));
  }
}
