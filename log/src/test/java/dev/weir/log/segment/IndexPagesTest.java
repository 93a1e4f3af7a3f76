package dev.weir.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.segment.SparseIndex.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Look-ups by pages, at the edges of pages, with what was remembered from before. */
final class IndexPagesTest {
  @TempDir Path folder;

  /** A file of so many entries: number n has key 10 n and value n. */
  private FileChannel write(Layout layout, int entries) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(entries * layout.entryBytes());
    for (int number = 0; number < entries; number++) {
      layout.put(bytes, 10L * number, number);
    }
    return FileChannel.open(Files.write(folder.resolve("index"), bytes.array()));
  }

  private static Optional<IndexEntry> entry(int number) {
    return number < 0 ? Optional.empty() : Optional.of(new IndexEntry(10L * number, number));
  }

  /** Asks for an entry by its key, by a key little less and by its value. */
  private static void assertFound(IndexPages pages, FileChannel file, int entries, int number)
      throws IOException {
    long any = Long.MAX_VALUE;
    assertThat(pages.floor(file, entries, 10L * number, any)).isEqualTo(entry(number));
    assertThat(pages.floor(file, entries, 10L * number - 1, any)).isEqualTo(entry(number - 1));
    assertThat(pages.floor(file, entries, any, number)).isEqualTo(entry(number));
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void entriesBehindThoseThatCountAreNotSeen(Layout layout) throws IOException {
    int page = layout.pageEntries();
    try (FileChannel file = write(layout, 5 * page)) {
      for (int entries :
          new int[] {1, 2, page - 1, page, page + 1, 2 * page, 2 * page + 1, 4 * page + 7}) {
        IndexPages pages = new IndexPages(layout);
        assertThat(pages.floor(file, entries, Long.MAX_VALUE, Long.MAX_VALUE))
            .as("entries=%d", entries)
            .isEqualTo(entry(entries - 1));
        assertFound(pages, file, entries, 0);
        assertFound(pages, file, entries, entries - 1);
        assertThat(pages.floor(file, entries, 10L * entries, Long.MAX_VALUE))
            .isEqualTo(entry(entries - 1));
      }
      assertThat(new IndexPages(layout).floor(file, 0, Long.MAX_VALUE, Long.MAX_VALUE)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void whatIsRememberedGrowsWithTheFile(Layout layout) throws IOException {
    int page = layout.pageEntries();
    IndexPages pages = new IndexPages(layout);
    for (int entries = 1; entries < 3 * page; entries += entries % page < 2 ? 1 : page / 7) {
      try (FileChannel file = write(layout, entries)) {
        assertFound(pages, file, entries, entries - 1);
        assertFound(pages, file, entries, entries / 2);
        assertFound(pages, file, entries, entries - 1);
      }
    }
  }

  @Test
  void indexOfMorePagesThanAreRememberedIsSearchedLikeAnyOther() throws IOException {
    int page = Layout.OFFSET.pageEntries();
    int count = 1300; // pages: of every fourth the first entry is remembered
    int entries = count * page - 3;
    try (FileChannel file = write(Layout.OFFSET, entries)) {
      IndexPages pages = new IndexPages(Layout.OFFSET);
      for (int round = 0; round < 2; round++) {
        for (int number = 0; number < count; number++) {
          assertFound(pages, file, entries, number * page);
          assertFound(pages, file, entries, number * page + page / 2);
        }
        assertFound(pages, file, entries, entries - 1);
      }
      pages.clear();
      assertFound(pages, file, entries, 700 * page + 1);
    }
  }
}
