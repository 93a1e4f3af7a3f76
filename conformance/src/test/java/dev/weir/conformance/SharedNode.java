package dev.weir.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests that neither stop nor harm it one node for the whole run, as a parameter of type
 * {@link NodeProcess}: a process a test class would cost more than the tests. Each test uses topics
 * and groups under names of its own.
 */
final class SharedNode implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SharedNode.class);

  /** The node and its data directory, which goes with it. */
  private record Running(NodeProcess node, Path folder) implements AutoCloseable {
    static Running start() {
      try {
        Path folder = Files.createTempDirectory("weir-conformance");
        return new Running(NodeProcess.start(folder.resolve("data")), folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      node.close();
      List<Path> deepestFirst;
      try (Stream<Path> files = Files.walk(folder)) {
        deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == NodeProcess.class;
  }

  @Override
  public NodeProcess resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(Running.class, _ -> Running.start(), Running.class)
        .node();
  }
}
