package dev.weir.log.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the simulated disk keeps, loses and refuses. */
final class FaultDiskTest {
  private static final int SEEDS = 200;

  private final FaultDisk disk = FaultDisk.empty();
  private final Path file = disk.root().resolve("a");

  private static void force(Path path) throws IOException {
    StandardOpenOption mode =
        Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
    try (FileChannel channel = FileChannel.open(path, mode)) {
      channel.force(true);
    }
  }

  private static String text(FaultDisk of, String name) throws IOException {
    Path path = of.root().resolve(name);
    return Files.exists(path) ? Files.readString(path) : "none";
  }

  @Test
  void whatIsSyncedWithItsNameIsAlwaysThere() throws IOException {
    Files.writeString(file, "synced");
    force(file);
    force(disk.root());
    for (long seed = 0; seed < SEEDS; seed++) {
      assertThat(text(disk.afterPowerLoss(seed), "a")).as("seed=" + seed).isEqualTo("synced");
    }
  }

  @Test
  void aNameThatIsNotSyncedIsThereOrNot() throws IOException {
    Files.writeString(file, "synced");
    force(file);
    Set<String> seen = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      seen.add(text(disk.afterPowerLoss(seed), "a"));
    }
    assertThat(seen).containsExactlyInAnyOrder("synced", "none");
  }

  @Test
  void pagesThatAreNotSyncedAreLostKeptOrTornInAnyOrder() throws IOException {
    Files.writeString(file, "a".repeat(1024));
    force(file);
    force(disk.root());
    Files.writeString(file, "b".repeat(1024));
    Set<String> firstAndLast = new HashSet<>();
    boolean torn = false;
    for (long seed = 0; seed < SEEDS; seed++) {
      String left = text(disk.afterPowerLoss(seed), "a");
      if (left.length() == 1024) {
        firstAndLast.add(left.substring(0, 1) + left.substring(1023));
        torn |= left.charAt(512) != left.charAt(1023);
      }
    }
    assertThat(firstAndLast).contains("aa", "ab", "ba", "bb");
    assertThat(torn).isTrue();
  }

  @Test
  void renamesThatAreNotSyncedLeaveTheOldOrTheNewFile() throws IOException {
    Files.writeString(file, "old");
    force(file);
    force(disk.root());
    Path other = disk.root().resolve("b");
    Files.writeString(other, "new");
    force(other);
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    Set<String> seen = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      seen.add(text(disk.afterPowerLoss(seed), "a"));
    }
    assertThat(seen).containsExactlyInAnyOrder("old", "new");
  }

  @Test
  void sameSeedGivesTheSameImage() throws IOException {
    Files.writeString(file, "x".repeat(3000));
    for (long seed = 0; seed < SEEDS; seed++) {
      assertThat(text(disk.afterPowerLoss(seed), "a"))
          .isEqualTo(text(disk.afterPowerLoss(seed), "a"));
    }
  }

  @Test
  void afterTheCutNothingIsAnswered() throws IOException {
    Files.writeString(file, "x"); // a creation and a write
    disk.cutAt(1);
    assertThatThrownBy(() -> Files.delete(file)).isInstanceOf(PowerCut.class);
    assertThat(disk.isDead()).isTrue();
    assertThatThrownBy(() -> Files.exists(file)).isInstanceOf(PowerCut.class);
    assertThat(disk.operations().getLast()).isEqualTo(new Operation(Operation.Kind.DELETE, "/a"));
    assertThat(text(disk.afterKill(), "a")).isEqualTo("none");
  }

  @Test
  void aFullDiskTakesAPartAndThenNothing() throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      disk.roomLeft(3);
      assertThat(channel.write(ByteBuffer.wrap(new byte[5]))).isEqualTo(3);
      assertThatThrownBy(() -> channel.write(ByteBuffer.wrap(new byte[2])))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space");
    }
  }

  @Test
  void whatAFailedSyncLostNoLaterSyncBrings() throws IOException {
    Files.writeString(file, "a");
    force(file);
    force(disk.root());
    Files.writeString(file, "b");
    disk.failWhere(
        operation ->
            operation.kind() == Operation.Kind.FORCE
                ? Optional.of(new IOException("Input/output error"))
                : Optional.empty());
    assertThatThrownBy(() -> force(file)).isInstanceOf(IOException.class);
    disk.failWhere(_ -> Optional.empty());
    force(file);
    Set<String> seen = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      seen.add(text(disk.afterPowerLoss(seed), "a"));
    }
    assertThat(seen).contains("a", "b");
  }
}
