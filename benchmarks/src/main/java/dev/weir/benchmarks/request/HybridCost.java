package dev.weir.benchmarks.request;

import dev.weir.benchmarks.request.PlainLucene.Cost;
import dev.weir.benchmarks.request.PlainLucene.Wanted;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.jspecify.annotations.Nullable;

/**
 * What a hybrid search with a common filter costs a node, beside its two parts run by plain Lucene
 * on the very files of the same index, without HTTP, JSON or phases, whose cost is measured by
 * itself and taken off. The vector part is run twice: as the same query would be in Lucene, with
 * its default strategy and as many candidates as Weir's {@code ef_search}; and by the cheapest of
 * Lucene's ways that finds at least 0.95 of the nearest, which nobody knows before the answers are.
 * Prints a line of JSON for each filter. Arguments: a label, the address of a search, pipeline
 * included, the server's process, and the folder of its only shard, which holds all documents in
 * its last commit.
 */
public final class HybridCost {
  private static final int SEARCHES = 400;
  private static final int COUNTED = 4_000; // of each round

  /** Candidates of a walk without a filter, in Weir and in Lucene: the default of ef_search. */
  private static final int BREADTH = 100;

  private static final double LEAST_RECALL = 0.95;
  private static final long SEED = 11;

  private HybridCost() {}

  /** Runs it. */
  public static void main(String... arguments) throws Exception {
    try (Directory files = new MMapDirectory(Path.of(arguments[3]));
        DirectoryReader reader = DirectoryReader.open(files);
        Requests requests = new Requests(arguments[1], arguments[2])) {
      PlainLucene lucene = new PlainLucene(reader);
      List<Wanted> searches = lucene.searches(SEARCHES, SEED);
      double request = requests.cpuMs(List.of(RequestCost.NO_WORK), COUNTED);
      List<@Nullable String> tags = new ArrayList<>(List.of("p01", "p1", "p10", "p50"));
      tags.add(null);
      for (String tag : tags) {
        print(arguments[0], tag, request, hybrid(requests, searches, tag), lucene, searches);
      }
    }
  }

  private static double hybrid(Requests requests, List<Wanted> searches, @Nullable String tag)
      throws InterruptedException, ExecutionException {
    return requests.cpuMs(
        searches.stream().map(wanted -> body(wanted, tag)).collect(Collectors.toList()), COUNTED);
  }

  private static void print(
      String label,
      @Nullable String tag,
      double request,
      double hybrid,
      PlainLucene lucene,
      List<Wanted> searches)
      throws Exception {
    Cost words = lucene.words(searches, tag);
    Cost nearest = lucene.nearest(searches, tag, LEAST_RECALL);
    Cost broad = lucene.nearest(searches, tag, BREADTH);
    System.out.printf(
        Locale.ROOT,
        "{\"label\":\"%s\",\"filter\":\"%s\",\"hybrid_cpu_ms\":%.3f,\"request_cpu_ms\":%.3f,"
            + "\"lucene_words_cpu_ms\":%.3f,\"lucene_nearest_cpu_ms\":%.3f,\"lucene_way\":\"%s\","
            + "\"lucene_recall\":%.3f,\"ratio_to_cheapest\":%.2f,\"lucene_broad_cpu_ms\":%.3f,"
            + "\"lucene_broad_recall\":%.3f,\"ratio\":%.2f}%n",
        label,
        tag == null ? "none" : tag,
        hybrid,
        request,
        words.cpuMs(),
        nearest.cpuMs(),
        nearest.way(),
        nearest.recall(),
        (hybrid - request) / (words.cpuMs() + nearest.cpuMs()),
        broad.cpuMs(),
        broad.recall(),
        (hybrid - request) / (words.cpuMs() + broad.cpuMs()));
  }

  private static String body(Wanted wanted, @Nullable String tag) {
    String vector =
        IntStream.range(0, wanted.vector().length)
            .mapToObj(i -> Float.toString(wanted.vector()[i]))
            .collect(Collectors.joining(",", "[", "]"));
    String filter = tag == null ? "" : ",\"filter\":{\"term\":{\"tags\":\"" + tag + "\"}}";
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
