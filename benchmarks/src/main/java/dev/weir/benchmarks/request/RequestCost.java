package dev.weir.benchmarks.request;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * CPU that a server spends on a search that finds nothing and need not look for it: HTTP, JSON and
 * the phases of a search alone. Prints a line of JSON. Arguments: a label, the address of an index,
 * and the server's process.
 */
public final class RequestCost {
  private static final int CONNECTIONS = 4;
  private static final int WARMING = 20_000;
  private static final int COUNTED = 20_000; // of each round
  private static final int ROUNDS = 3;

  /** Hits are asked for, so no cache of requests answers. */
  private static final String BODY = "{\"size\":10,\"query\":{\"match_none\":{}}}";

  private RequestCost() {}

  /** Runs it. */
  public static void main(String... arguments) throws Exception {
    URI search = URI.create(arguments[1] + "/_search");
    ProcessHandle server = ProcessHandle.of(Long.parseLong(arguments[2])).orElseThrow();
    try (ExecutorService clients = Executors.newFixedThreadPool(CONNECTIONS)) {
      send(search, WARMING, clients);
      double[] ms = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        Duration before = cpu(server);
        send(search, COUNTED, clients);
        ms[round] = cpu(server).minus(before).toNanos() / 1e6 / COUNTED;
      }
      Arrays.sort(ms);
      System.out.printf(
          Locale.ROOT,
          "{\"label\":\"%s\",\"query\":\"match_none\",\"cpu_ms\":%.3f}%n",
          arguments[0],
          ms[ROUNDS / 2]);
    }
  }

  private static Duration cpu(ProcessHandle server) {
    return server.info().totalCpuDuration().orElseThrow();
  }

  private static void send(URI search, int count, ExecutorService clients)
      throws InterruptedException, ExecutionException {
    List<Future<Void>> sent = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      sent.add(
          clients.submit(
              () -> {
                sendOverOne(search, count / CONNECTIONS);
                return null;
              }));
    }
    for (Future<Void> one : sent) {
      one.get();
    }
  }

  private static void sendOverOne(URI search, int count) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpRequest request =
          HttpRequest.newBuilder(search)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(BODY))
              .build();
      for (int i = 0; i < count; i++) {
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
          throw new IOException("answered " + response.statusCode() + ": " + response.body());
        }
      }
    }
  }
}
