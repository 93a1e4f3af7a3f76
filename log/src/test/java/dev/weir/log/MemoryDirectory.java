package dev.weir.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary directories in memory where the system has such a place, since the tests sync often and
 * do not look at what a power loss leaves.
 */
final class MemoryDirectory implements TempDirFactory {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
      throws IOException {
    return Files.isWritable(SHARED_MEMORY)
        ? Files.createTempDirectory(SHARED_MEMORY, "weir-log-")
        : Files.createTempDirectory("weir-log-");
  }
}
