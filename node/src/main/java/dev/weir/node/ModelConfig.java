package dev.weir.node;

import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelLoader;
import dev.weir.search.model.ModelSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What the properties say about models.
 *
 * @param directory below which the folders of registered models are
 * @param threads that run models at a time
 * @param timeoutMs a call that does not get on for so long fails
 */
record ModelConfig(Optional<Path> directory, int threads, long timeoutMs) {
  private static final String DIRECTORY = "weir.models.dir";
  private static final String THREADS = "weir.models.threads";
  private static final String TIMEOUT = "weir.models.timeout.ms";

  private static final int THREADS_MAX = 256;
  private static final int TIMEOUT_MAX_MS = 24 * 60 * 60 * 1000;

  /**
   * Takes the properties of models out of all.
   *
   * @throws StartFailure if one of them is wrong
   */
  static ModelConfig taken(Map<String, String> properties) {
    Optional<Path> directory = Optional.ofNullable(properties.remove(DIRECTORY)).map(Path::of);
    directory.ifPresent(
        path -> {
          if (!Files.isDirectory(path)) {
            throw new StartFailure(
                DIRECTORY + "=" + path + " is no folder; make it, or leave the property out");
          }
        });
    return new ModelConfig(
        directory,
        number(properties, THREADS, Runtime.getRuntime().availableProcessors(), THREADS_MAX),
        number(properties, TIMEOUT, (int) ModelBounds.DEFAULT_TIMEOUT_MS, TIMEOUT_MAX_MS));
  }

  private static int number(Map<String, String> properties, String name, int otherwise, int max) {
    String text = properties.remove(name);
    if (text == null) {
      return otherwise;
    }
    int value;
    try {
      value = Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new StartFailure(name + "=" + text + " is no whole number", e);
    }
    if (value < 1 || value > max) {
      throw new StartFailure(name + "=" + text + " must be from 1 to " + max);
    }
    return value;
  }

  ModelSetup setup(ModelLoader loader) {
    ModelBounds bounds = ModelBounds.of(threads).withTimeoutMs(timeoutMs);
    return new ModelSetup(loader, bounds, directory.orElse(null));
  }
}
