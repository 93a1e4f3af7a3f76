package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.fault.FaultDisk;
import dev.weir.log.segment.IndexEntry;
import dev.weir.log.segment.OpenFiles;
import dev.weir.log.segment.SparseIndex;
import dev.weir.log.segment.SparseIndex.Layout;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which pages of an index file a look-up touches. What is seldom touched the system takes out of
 * memory, and the next touch waits for the disk: so the pages must not change as the file grows.
 */
final class IndexProbesTest {
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = 200;

  /** What the heap has of an open index, which no look-up in the file is for. */
  private static final int TAIL_ENTRIES = 1024;

  private final FaultDisk disk = FaultDisk.empty();
  private final Path file = disk.root().resolve("x.index");
  private final Set<Long> touched = new TreeSet<>();

  private void watch() {
    disk.onRead(
        (_, position, count) -> {
          for (long at = position / PAGE_BYTES; at * PAGE_BYTES < position + count; at++) {
            touched.add(at);
          }
        });
  }

  private static int perPage(Layout layout) {
    return PAGE_BYTES / layout.entryBytes();
  }

  private SparseIndex filled(Layout layout, int entries) {
    SparseIndex index = SparseIndex.create(new OpenFiles(), file, layout);
    for (int i = 0; i < entries; i++) {
      index.append(2L * i, i);
    }
    index.seal();
    return index;
  }

  /** A look-up by one who remembers nothing of the file. */
  private IndexEntry cold(Layout layout, long key) {
    return SparseIndex.sealed(new OpenFiles(), file, layout).floorByKey(key).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void lookUpsNearTheEndOfAnOpenIndexTouchNoFile(Layout layout) {
    SparseIndex index = SparseIndex.create(new OpenFiles(), file, layout);
    watch();
    int entries = PAGES * perPage(layout);
    for (int i = 0; i < entries; i++) {
      index.append(2L * i, i);
      int near = Math.max(0, i - TAIL_ENTRIES / 2 + 1);
      assertThat(index.floorByKey(2L * near)).hasValue(new IndexEntry(2L * near, near));
    }
    assertThat(touched).isEmpty();
  }

  /** Of an index of any size: as many pages as its number of pages has binary digits, and two. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void aColdLookUpAnywhereTouchesFewPages(Layout layout) {
    int entries = PAGES * perPage(layout);
    filled(layout, entries);
    watch();
    for (int i = 0; i < entries; i += 97) {
      touched.clear();
      assertThat(cold(layout, 2L * i)).isEqualTo(new IndexEntry(2L * i, i));
      assertThat(touched).as("entry %d", i).hasSizeLessThanOrEqualTo(8 + 2);
    }
  }

  /**
   * A tail that nobody has looked at for long, of a log that goes on: the look-ups near its end,
   * each by one who remembers nothing, touch the pages that those before have touched, and the new
   * page. Halving the range touches two or three others with every page that the file grows by.
   */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void pagesThatLookUpsNearTheEndTouchStayTheSameAsTheIndexGrows(Layout layout) {
    int perPage = perPage(layout);
    SparseIndex index = SparseIndex.create(new OpenFiles(), file, layout);
    watch();
    Set<Long> warm = new HashSet<>();
    int entries = 0;
    int strangers = 0;
    for (int pages = 1; pages <= PAGES; pages++) {
      for (int i = 0; i < perPage; i++) {
        index.append(2L * entries, entries);
        entries++;
      }
      index.writeOut();
      touched.clear();
      for (int back = 1; back <= perPage && back <= entries; back += 50) {
        long at = (long) entries - back;
        assertThat(cold(layout, 2 * at).key()).isEqualTo(2 * at);
      }
      long newest = (entries * (long) layout.entryBytes() - 1) / PAGE_BYTES;
      for (long page : touched) {
        strangers += page < newest - 1 && !warm.contains(page) ? 1 : 0;
      }
      assertThat(touched).as("of %d pages", pages).hasSizeLessThanOrEqualTo(2 * 8);
      warm = new HashSet<>(touched);
    }
    assertThat(strangers).as("pages touched that were not touched just before").isZero();
  }

  /** What was probed once is remembered, and so is the page that was read last. */
  @Test
  void repeatedLookUpsReadAPageEachOrNothing() {
    int perPage = perPage(Layout.OFFSET);
    SparseIndex index = filled(Layout.OFFSET, PAGES * perPage);
    for (int page = 0; page < PAGES; page++) {
      assertThat(index.floorByKey(2L * page * perPage)).isPresent();
    }
    int[] reads = {0};
    disk.onRead((_, _, _) -> reads[0]++);
    for (int i = 0; i < 1000; i++) {
      assertThat(index.floorByKey(i * 193L)).isPresent();
    }
    assertThat(reads[0]).isLessThanOrEqualTo(1000);
    assertThat(index.floorByKey(7)).isPresent();
    reads[0] = 0;
    for (int i = 0; i < perPage; i++) {
      assertThat(index.floorByKey(2L * i)).hasValue(new IndexEntry(2L * i, i));
      assertThat(index.floorByValue(i)).hasValue(new IndexEntry(2L * i, i));
    }
    assertThat(reads[0]).isZero();
  }
}
