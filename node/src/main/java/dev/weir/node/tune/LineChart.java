package dev.weir.node.tune;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A chart of lines as an SVG document that needs nothing else: no script, no font, no style sheet.
 *
 * @param lines points by name of the line: x to y
 */
public record LineChart(
    String title, String xLabel, String yLabel, Map<String, Map<Double, Double>> lines) {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 420;
  private static final int LEFT = 70;
  private static final int RIGHT = 610;
  private static final int TOP = 40;
  private static final int BOTTOM = 370;
  private static final int TICKS = 5;

  private static final List<String> COLORS =
      List.of(
          "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#e377c2", "#7f7f7f",
          "#bcbd22", "#17becf", "#393b79", "#637939");

  /** The document. */
  public String toSvg() {
    Range x = Range.of(lines.values().stream().flatMap(line -> line.keySet().stream()).toList());
    Range y = Range.of(lines.values().stream().flatMap(line -> line.values().stream()).toList());
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
            WIDTH,
            HEIGHT));
    text(svg, LEFT, TOP - 16, "start", title);
    text(svg, (LEFT + RIGHT) / 2.0, BOTTOM + 38, "middle", xLabel);
    text(svg, LEFT, TOP - 2, "start", yLabel);
    for (int tick = 0; tick <= TICKS; tick++) {
      double part = (double) tick / TICKS;
      double across = LEFT + part * (RIGHT - LEFT);
      double up = BOTTOM - part * (BOTTOM - TOP);
      line(svg, LEFT, up, RIGHT, up);
      text(svg, LEFT - 6, up + 4, "end", number(y.at(part)));
      text(svg, across, BOTTOM + 18, "middle", number(x.at(part)));
    }
    int number = 0;
    for (Map.Entry<String, Map<Double, Double>> each : lines.entrySet()) {
      draw(svg, each.getKey(), each.getValue(), COLORS.get(number % COLORS.size()), x, y);
      key(svg, each.getKey(), COLORS.get(number % COLORS.size()), number);
      number++;
    }
    return svg.append("</svg>\n").toString();
  }

  private static void draw(
      StringBuilder svg, String name, Map<Double, Double> points, String color, Range x, Range y) {
    svg.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"").append(color);
    svg.append("\" points=\"");
    points.forEach(
        (across, up) ->
            svg.append(
                String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    LEFT + x.part(across) * (RIGHT - LEFT),
                    BOTTOM - y.part(up) * (BOTTOM - TOP))));
    svg.append("\"><title>").append(escaped(name)).append("</title></polyline>\n");
  }

  private static void key(StringBuilder svg, String name, String color, int number) {
    double at = TOP + 10 + number * 20.0;
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%.1f\" width=\"14\" height=\"4\" fill=\"%s\"/>%n",
            RIGHT + 16,
            at - 6,
            color));
    text(svg, RIGHT + 36, at, "start", name);
  }

  private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            escaped(text)));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String number(double value) {
    return Math.abs(value) >= 10
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.3f", value);
  }

  /** From the least to the greatest value of an axis; never empty. */
  private record Range(double least, double greatest) {
    static Range of(List<Double> values) {
      double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
      double greatest = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
      return least == greatest
          ? new Range(least - 0.5, greatest + 0.5)
          : new Range(least, greatest);
    }

    double at(double part) {
      return least + part * (greatest - least);
    }

    double part(double value) {
      return (value - least) / (greatest - least);
    }
  }
}
