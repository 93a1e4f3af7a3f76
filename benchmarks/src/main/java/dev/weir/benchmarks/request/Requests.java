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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends searches to a server over a few connections, and reads what they cost its process. */
final class Requests implements AutoCloseable {
  private static final int CONNECTIONS = 4;
  private static final int ROUNDS = 3;

  private final URI search;
  private final ProcessHandle server;
  private final ExecutorService clients = Executors.newFixedThreadPool(CONNECTIONS);

  Requests(String search, String process) {
    this.search = URI.create(search);
    this.server = ProcessHandle.of(Long.parseLong(process)).orElseThrow();
  }

  /**
   * CPU of the server for each request, in ms: the median of three rounds of {@code count} requests
   * after one that is not counted. The bodies are sent in turn.
   */
  double cpuMs(List<String> bodies, int count) throws InterruptedException, ExecutionException {
    send(bodies, count);
    double[] ms = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      Duration before = cpu();
      send(bodies, count);
      ms[round] = cpu().minus(before).toNanos() / 1e6 / count;
    }
    Arrays.sort(ms);
    return ms[ROUNDS / 2];
  }

  private Duration cpu() {
    return server.info().totalCpuDuration().orElseThrow();
  }

  private void send(List<String> bodies, int count)
      throws InterruptedException, ExecutionException {
    List<Future<Void>> sent = new ArrayList<>();
    for (int connection = 0; connection < CONNECTIONS; connection++) {
      int first = connection;
      sent.add(
          clients.submit(
              () -> {
                sendOverOne(bodies, first, count);
                return null;
              }));
    }
    for (Future<Void> one : sent) {
      one.get();
    }
  }

  private void sendOverOne(List<String> bodies, int first, int count)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (int i = first; i < count; i += CONNECTIONS) {
        HttpRequest request =
            HttpRequest.newBuilder(search)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(bodies.get(i % bodies.size())))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
          throw new IOException("answered " + response.statusCode() + ": " + response.body());
        }
      }
    }
  }

  @Override
  public void close() {
    clients.close();
  }
}
