package dev.weir.benchmarks.request;

import java.util.List;
import java.util.Locale;

/**
 * CPU that a server spends on a search that finds nothing and need not look for it: HTTP, JSON and
 * the phases of a search alone. Prints a line of JSON. Arguments: a label, the address of an index,
 * and the server's process.
 */
public final class RequestCost {
  private static final int COUNTED = 20_000; // of each round

  /** Hits are asked for, so no cache of requests answers. */
  static final String NO_WORK = "{\"size\":10,\"query\":{\"match_none\":{}}}";

  private RequestCost() {}

  /** Runs it. */
  public static void main(String... arguments) throws Exception {
    try (Requests requests = new Requests(arguments[1] + "/_search", arguments[2])) {
      System.out.printf(
          Locale.ROOT,
          "{\"label\":\"%s\",\"query\":\"match_none\",\"cpu_ms\":%.3f}%n",
          arguments[0],
          requests.cpuMs(List.of(NO_WORK), COUNTED));
    }
  }
}
