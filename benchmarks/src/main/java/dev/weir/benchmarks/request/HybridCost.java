package dev.weir.benchmarks.request;

import dev.weir.benchmarks.request.PlainLucene.Cost;
import dev.weir.benchmarks.request.PlainLucene.Wanted;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * What a hybrid search with a common filter costs a node, beside its two parts run by plain Lucene
 * on the very files of the same index, asked for over HTTP as well ({@link LuceneServer}): with
 * Lucene's default strategy and as many candidates as Weir's {@code ef_search}. Of each side the
 * cost of a request that finds nothing is taken off; figures are medians of rounds in which the two
 * take turns. Beside that, the cheapest of Lucene's ways to find 0.95 of the nearest, in a loop
 * within this process, which nobody knows before the answers are. Prints a line of JSON for each
 * filter. Arguments: a label, the address of a search, pipeline included, the server's process, and
 * the folder of its only shard, which holds all documents in its last commit.
 */
public final class HybridCost {
  /** Stands for no filter. */
  static final String NO_TAG = "none";

  private static final List<String> TAGS = List.of("p01", "p1", "p10", "p50", NO_TAG);
  private static final int ROUNDS = 5;
  private static final int SEARCHES = 400;
  private static final int COUNTED = 4_000; // of each round

  /** Candidates of a walk without a filter, in Weir and in Lucene: the default of ef_search. */
  private static final int BREADTH = 100;

  private static final double LEAST_RECALL = 0.95;
  private static final long SEED = 11;

  private HybridCost() {}

  /** Runs it. */
  public static void main(String... arguments) throws Exception {
    Path folder = Path.of(arguments[3]);
    try (Directory files = new MMapDirectory(folder);
        DirectoryReader reader = DirectoryReader.open(files);
        LuceneServer.Started server = LuceneServer.start(folder, SEARCHES, SEED, BREADTH);
        Requests weir = new Requests(arguments[1], arguments[2]);
        Requests parts =
            new Requests(server.address().toString(), Long.toString(server.process().pid()))) {
      PlainLucene lucene = new PlainLucene(reader);
      List<Wanted> searches = lucene.searches(SEARCHES, SEED);
      for (String tag : TAGS) { // before all of them are warm the first row is another's
        Sample _ = Sample.of(weir, parts, searches, tag);
      }
      for (String tag : TAGS) {
        List<Sample> samples = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
          samples.add(Sample.of(weir, parts, searches, tag));
        }
        double request = median(samples, Sample::request);
        double hybrid = median(samples, Sample::hybrid);
        double words = median(samples, Sample::words);
        double nearest = median(samples, Sample::nearest);
        String filter = tag.equals(NO_TAG) ? null : tag;
        Cost cheapest = lucene.nearest(searches, filter, LEAST_RECALL);
        System.out.printf(
            Locale.ROOT,
            "{\"label\":\"%s\",\"filter\":\"%s\",\"request_cpu_ms\":%.3f,"
                + "\"hybrid_cpu_ms\":%.3f,\"lucene_words_cpu_ms\":%.3f,"
                + "\"lucene_nearest_cpu_ms\":%.3f,\"lucene_recall\":%.3f,\"ratio\":%.2f,"
                + "\"cheapest_way\":\"%s\",\"cheapest_cpu_ms\":%.3f,\"cheapest_recall\":%.3f}%n",
            arguments[0],
            tag,
            request,
            hybrid,
            words,
            nearest,
            lucene.recall(searches, filter, BREADTH),
            median(samples, Sample::ratio),
            cheapest.way(),
            cheapest.cpuMs(),
            cheapest.recall());
      }
    }
  }

  /**
   * CPU ms of one search.
   *
   * @param request what finds nothing costs Weir; it is not in {@code hybrid}, nor is the same cost
   *     of the other server in the parts
   */
  private record Sample(double request, double hybrid, double words, double nearest) {
    static Sample of(Requests weir, Requests parts, List<Wanted> searches, String tag)
        throws Exception {
      double request = weir.cpuMs(List.of(RequestCost.NO_WORK), COUNTED);
      double hybrid = weir.cpuMs(hybrids(searches, tag), COUNTED) - request;
      double nothing = parts.cpuMs(List.of("nothing"), COUNTED);
      double words = parts.cpuMs(numbered("words " + tag), COUNTED) - nothing;
      double nearest = parts.cpuMs(numbered("nearest " + tag), COUNTED) - nothing;
      return new Sample(request, hybrid, words, nearest);
    }

    double ratio() {
      return hybrid / (words + nearest);
    }
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return samples.stream().mapToDouble(figure).sorted().skip(ROUNDS / 2).findFirst().orElseThrow();
  }

  private static List<String> hybrids(List<Wanted> searches, String tag) {
    return searches.stream().map(wanted -> body(wanted, tag)).collect(Collectors.toList());
  }

  private static List<String> numbered(String part) {
    return IntStream.range(0, SEARCHES).mapToObj(i -> part + " " + i).toList();
  }

  private static String body(Wanted wanted, String tag) {
    String vector =
        IntStream.range(0, wanted.vector().length)
            .mapToObj(i -> Float.toString(wanted.vector()[i]))
            .collect(Collectors.joining(",", "[", "]"));
    String filter = tag.equals(NO_TAG) ? "" : ",\"filter\":{\"term\":{\"tags\":\"" + tag + "\"}}";
    return "{\"size\":10,\"_source\":false,\"query\":{\"hybrid\":{\"queries\":[{\"match\":{\"body\":\""
        + wanted.first()
        + " "
        + wanted.second()
        + "\"}},{\"knn\":{\"vec\":{\"vector\":"
        + vector
        + ",\"k\":10}}}]"
        + filter
        + "}}}";
  }
}
