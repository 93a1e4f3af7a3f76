package dev.weir.benchmarks.request;

import dev.weir.benchmarks.request.PlainLucene.Cost;
import dev.weir.benchmarks.request.PlainLucene.Wanted;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * What a hybrid search with a common filter costs a node, beside its two parts run by plain Lucene
 * on the very files of the same index, asked for over HTTP as well ({@link LuceneServer}): with
 * Lucene's default strategy and as many candidates as Weir's {@code ef_search}. Of each side the
 * cost of a request that finds nothing is taken off. Beside that, the cheapest of Lucene's ways to
 * find 0.95 of the nearest, in a loop within this process, which nobody knows before the answers
 * are. Prints a line of JSON for each filter. Arguments: a label, the address of a search, pipeline
 * included, the server's process, and the folder of its only shard, which holds all documents in
 * its last commit.
 */
public final class HybridCost {
  /** Stands for no filter. */
  static final String NO_TAG = "none";

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
      weir.cpuMs(hybrids(searches, NO_TAG), COUNTED); // warms up
      parts.cpuMs(numbered("nearest " + NO_TAG), COUNTED);
      for (String tag : List.of("p01", "p1", "p10", "p50", NO_TAG)) {
        double request = weir.cpuMs(List.of(RequestCost.NO_WORK), COUNTED);
        double hybrid = weir.cpuMs(hybrids(searches, tag), COUNTED) - request;
        double nothing = parts.cpuMs(List.of("nothing"), COUNTED);
        double words = parts.cpuMs(numbered("words " + tag), COUNTED) - nothing;
        double nearest = parts.cpuMs(numbered("nearest " + tag), COUNTED) - nothing;
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
            hybrid / (words + nearest),
            cheapest.way(),
            cheapest.cpuMs(),
            cheapest.recall());
      }
    }
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
