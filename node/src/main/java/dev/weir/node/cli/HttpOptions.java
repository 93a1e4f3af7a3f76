package dev.weir.node.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the node's HTTP face is; shared by the commands that talk to it. */
final class HttpOptions {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int FIRST_ERROR_STATUS = 400;
  private static final int NOT_FOUND = 404;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9200",
      description = "the node's HTTP address (default: ${DEFAULT-VALUE})",
      converter = HostPortConverter.class)
  @SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
  private HostPort address;

  /** Sends a request without a body and gives the answer's body. */
  String send(String method, String path) {
    return send(method, path, null);
  }

  /**
   * Sends a request and gives the answer's body.
   *
   * @throws CommandFailure with the answer's body if its status is an error
   */
  String send(String method, String path, @Nullable String body) {
    HttpResponse<String> answer = answer(method, path, body);
    if (answer.statusCode() >= FIRST_ERROR_STATUS) {
      throw new CommandFailure("status " + answer.statusCode() + ": " + answer.body().strip());
    }
    return answer.body();
  }

  /**
   * Whether there is something at a path.
   *
   * @throws CommandFailure if the node says neither that there is nor that there is not
   */
  boolean exists(String path) {
    int status = answer("HEAD", path, null).statusCode();
    if (status >= FIRST_ERROR_STATUS && status != NOT_FOUND) {
      throw new CommandFailure("status " + status + " for " + path);
    }
    return status != NOT_FOUND;
  }

  private HttpResponse<String> answer(String method, String path, @Nullable String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new CommandFailure(
          "cannot reach a node at "
              + address
              + " ("
              + e
              + "); start one with './weir start' or name its address with --http HOST:PORT",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted while waiting for " + address, e);
    }
  }
}
