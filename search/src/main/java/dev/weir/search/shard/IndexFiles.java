package dev.weir.search.shard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Where the files of the indexes are. */
public interface IndexFiles {

  /** Opens a folder, and makes it when it is missing. */
  Directory open(Path path) throws IOException;

  /** Deletes a folder with all that is in it; missing is as good. */
  void delete(Path path) throws IOException;

  /** In the file system. */
  static IndexFiles onDisk() {
    return new IndexFiles() {
      @Override
      public Directory open(Path path) throws IOException {
        return FSDirectory.open(path);
      }

      @Override
      public void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
          return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(path)) {
          deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
          Files.delete(file);
        }
      }
    };
  }
}
