package dev.weir.benchmarks.recall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Measures recall@10, cost and visited vectors of filtered vector search by selectivity, for
 * filters of every correlation with the query vector. Prints a line of JSON a cell, then what the
 * targets say of them; writes a plot. Arguments: the plot's file, the file of word vectors, and
 * made collections as {@code DOCUMENTSxDIMENSION}. Indexes are made below the folder that the
 * property {@code weir.recall.indexes} names and stay there for the next run; without it they are
 * thrown away.
 */
public final class Recall {
  private static final int QUERIES = 50;
  private static final int WORD_DIMENSION = 100;
  private static final double[] SELECTIVITIES = {0.0001, 0.001, 0.01, 0.1, 0.5, 1};

  /** Targets that the run is held against. */
  private static final double RECALL_MIN = 0.95;

  private static final double COST_MAX = 1.2; // of exact search

  /** Differences below this are the clock's. */
  private static final double COST_NOISE_US = 20;

  private Recall() {}

  /** Runs it; exits with 1 if a target was missed. */
  public static void main(String... arguments) throws IOException {
    Path plot = Path.of(arguments[0]);
    Path words = Path.of(arguments[1]);
    List<Cell> cells = new ArrayList<>();
    if (Files.isReadable(words)) {
      measure(Collection.ofFile(words, WORD_DIMENSION, QUERIES), cells);
    } else {
      System.err.println("weir bench: no word vectors at " + words + ", skipped");
    }
    for (int i = 2; i < arguments.length; i++) {
      String[] size = arguments[i].split("x", -1);
      measure(
          Collection.clustered(Integer.parseInt(size[0]), Integer.parseInt(size[1]), QUERIES),
          cells);
    }
    Files.writeString(plot, new Plot(cells).svg());
    List<String> missed = cells.stream().flatMap(cell -> missed(cell, cells)).toList();
    missed.forEach(System.err::println);
    System.err.println(
        "weir bench: " + missed.size() + " targets missed in " + cells.size() + " cells");
    System.exit(missed.isEmpty() ? 0 : 1);
  }

  private static void measure(Collection collection, List<Cell> cells) throws IOException {
    String kept = System.getProperty("weir.recall.indexes");
    Path folder =
        kept == null
            ? Files.createTempDirectory("weir-recall")
            : Files.createDirectories(Path.of(kept, collection.name().replace(' ', '-')));
    try (Trial trial = new Trial(collection, folder)) {
      trial.measure(Correlation.NONE, SELECTIVITIES[SELECTIVITIES.length / 2]); // warms up
      trial.measure(Correlation.NONE, 1);
      for (Correlation correlation : Correlation.values()) {
        for (double selectivity : SELECTIVITIES) {
          if (selectivity < 1 || correlation == Correlation.NONE) {
            for (Cell cell : trial.measure(correlation, selectivity)) {
              System.out.println(cell.json());
              cells.add(cell);
            }
          }
        }
      }
    } finally {
      if (kept == null) {
        delete(folder);
      }
    }
  }

  private static Stream<String> missed(Cell cell, List<Cell> cells) {
    if (cell.way() != Cell.Way.INSIDE) {
      return Stream.empty();
    }
    double exactUs =
        cells.stream()
            .filter(
                other ->
                    other.way() == Cell.Way.EXACT
                        && other.collection().equals(cell.collection())
                        && other.correlation() == cell.correlation()
                        && other.selectivity() == cell.selectivity())
            .mapToDouble(Cell::cpuUs)
            .sum();
    Stream.Builder<String> missed = Stream.builder();
    if (cell.recall() < RECALL_MIN) {
      missed.add("recall below " + RECALL_MIN + ": " + cell.json());
    }
    if (cell.hitsMissing() > 0) {
      missed.add("hits missing: " + cell.json());
    }
    if (cell.cpuUs() > Math.max(COST_MAX * exactUs, exactUs + COST_NOISE_US)) {
      missed.add(
          String.format(Locale.ROOT, "dearer than exact, %.1f us: %s", exactUs, cell.json()));
    }
    return missed.build();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> below = Files.walk(folder)) {
      below
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
