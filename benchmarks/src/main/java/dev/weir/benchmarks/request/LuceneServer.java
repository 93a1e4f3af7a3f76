package dev.weir.benchmarks.request;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.benchmarks.request.PlainLucene.Wanted;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Plain Lucene behind plain HTTP, in a process of its own: what a part of a hybrid search costs
 * where a query comes in over a connection as it does to a node. In a loop without one the same
 * walk over a graph costs half as much, since nobody else uses the processor's caches.
 *
 * <p>The body of a request is a line: {@code nothing}, {@code words TAG NUMBER}, or {@code nearest
 * TAG NUMBER}, where a number is that of a search and {@code none} is no tag.
 */
public final class LuceneServer {
  private final PlainLucene lucene;
  private final List<Wanted> searches;
  private final int candidates;

  private LuceneServer(PlainLucene lucene, List<Wanted> searches, int candidates) {
    this.lucene = lucene;
    this.searches = searches;
    this.candidates = candidates;
  }

  /** A server that was started. */
  record Started(Process process, URI address) implements AutoCloseable {
    @Override
    public void close() {
      process.destroy();
    }
  }

  /** Starts one with this process' class path and a node's heap. */
  static Started start(Path folder, int count, long seed, int candidates) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-Xms64m",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                LuceneServer.class.getName(),
                folder.toString(),
                Integer.toString(count),
                Long.toString(seed),
                Integer.toString(candidates))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String port = out.readLine();
    if (port == null) {
      throw new IOException("the server of plain Lucene did not start: folder=" + folder);
    }
    return new Started(process, URI.create("http://127.0.0.1:" + port + "/"));
  }

  /** Serves until it is ended; prints the port first. */
  public static void main(String... arguments) throws IOException {
    Directory files = new MMapDirectory(Path.of(arguments[0]));
    PlainLucene lucene = new PlainLucene(DirectoryReader.open(files));
    List<Wanted> searches =
        lucene.searches(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
    LuceneServer served = new LuceneServer(lucene, searches, Integer.parseInt(arguments[3]));
    ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(workers);
    server.createContext("/", served::answer);
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange;
        BufferedReader body =
            new BufferedReader(
                new InputStreamReader(exchange.getRequestBody(), StandardCharsets.UTF_8))) {
      byte[] found = text(body.readLine().split(" ", -1)).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, found.length);
      exchange.getResponseBody().write(found);
    }
  }

  private String text(String[] asked) throws IOException {
    if (asked[0].equals("nothing")) {
      return "[]";
    }
    String tag = tag(asked[1]);
    Wanted wanted = searches.get(Integer.parseInt(asked[2]));
    ScoreDoc[] found =
        asked[0].equals("words")
            ? lucene.words(wanted, tag)
            : lucene.nearest(wanted, tag, candidates);
    return Arrays.stream(found)
        .map(hit -> "[" + hit.doc + "," + hit.score + "]")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static @Nullable String tag(String name) {
    return name.equals(HybridCost.NO_TAG) ? null : name;
  }
}
