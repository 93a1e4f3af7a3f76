package dev.weir.log.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snapshots of a partition among its other files. */
final class SnapshotFilesTest {
  @TempDir Path folder;

  private SnapshotFiles snapshots;

  @BeforeEach
  void write() throws IOException {
    snapshots = new SnapshotFiles(folder);
    for (long offset : new long[] {30, 4, 200}) {
      Files.createFile(snapshots.file(offset));
    }
    Files.createFile(folder.resolve("00000000000000000007.log"));
    Files.createFile(folder.resolve("00000000000000000007.snapshot.tmp"));
  }

  @Test
  void offsetsAreInTheirOrder() {
    assertThat(snapshots.offsets()).containsExactly(4L, 30L, 200L);
  }

  @Test
  void thoseThatMeetAConditionGo() {
    snapshots.deleteIf(offset -> offset >= 30);
    assertThat(snapshots.offsets()).containsExactly(4L);
    assertThat(folder.resolve("00000000000000000007.log")).exists();
  }

  @Test
  void oneGoesAndMayGoTwice() {
    snapshots.delete(30);
    snapshots.delete(30);
    assertThat(snapshots.offsets()).containsExactly(4L, 200L);
  }
}
