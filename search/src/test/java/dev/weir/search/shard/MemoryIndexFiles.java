package dev.weir.search.shard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;

/** Index files in memory. Used by one thread. */
public final class MemoryIndexFiles implements IndexFiles {
  private final Map<Path, ByteBuffersDirectory> directoryByPath = new TreeMap<>();

  @Override
  public Directory open(Path path) {
    // Closing the wrapper leaves the files, as closing a folder does.
    return new FilterDirectory(
        directoryByPath.computeIfAbsent(path, _ -> new ByteBuffersDirectory())) {
      @Override
      public void close() {}
    };
  }

  @Override
  public void delete(Path path) {
    directoryByPath.keySet().removeIf(each -> each.startsWith(path));
  }

  /** Folders that have files. */
  public List<Path> folders() {
    return List.copyOf(directoryByPath.keySet());
  }

  /** Leaves what the last index commits hold, as kill -9 does. */
  public void loseUncommitted() throws IOException {
    for (Map.Entry<Path, ByteBuffersDirectory> each : directoryByPath.entrySet()) {
      ByteBuffersDirectory left = new ByteBuffersDirectory();
      if (DirectoryReader.indexExists(each.getValue())) {
        for (String file : SegmentInfos.readLatestCommit(each.getValue()).files(true)) {
          left.copyFrom(each.getValue(), file, file, IOContext.DEFAULT);
        }
      }
      each.setValue(left);
    }
  }
}
