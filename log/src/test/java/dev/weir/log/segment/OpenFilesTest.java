package dev.weir.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.fault.FaultDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many files are open, which of them, and what readers of those find that go. */
final class OpenFilesTest {
  private static final int MANY = 10_000;

  private final FaultDisk disk = FaultDisk.empty();
  private final OpenFiles files = new OpenFiles(8);
  private final List<String> closed = new ArrayList<>();

  OpenFilesTest() {
    disk.descriptorsLeft(MANY);
  }

  private SharedFile file(String name) throws IOException {
    Path path = disk.root().resolve(name);
    Files.write(path, name.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return new SharedFile(
        files, path, SharedFile.Access.READ_WRITE, () -> closed.add(String.valueOf(name)));
  }

  private static String read(SharedFile from) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(20);
    int count = from.read(bytes, 0);
    return new String(bytes.array(), 0, count, java.nio.charset.StandardCharsets.US_ASCII);
  }

  private int open() {
    return MANY - disk.descriptorsLeft();
  }

  @Test
  void noMoreFilesAreOpenThanTheBound() throws IOException {
    List<SharedFile> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(file("f" + i));
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 50; i++) {
        assertThat(read(all.get(i))).isEqualTo("f" + i);
        assertThat(open()).isLessThanOrEqualTo(8);
      }
    }
    assertThat(open()).isEqualTo(8);
    assertThat(files.count()).isEqualTo(8);
    files.closeUnused();
    assertThat(open()).isZero();
    assertThat(read(all.getFirst())).isEqualTo("f0");
  }

  @Test
  void aFileInUseIsPassedOver() throws IOException {
    SharedFile held = file("held");
    try (SharedFile.Lease lease = held.lease()) {
      for (int i = 0; i < 50; i++) {
        var _ = read(file("f" + i));
      }
      files.closeUnused();
      assertThat(lease.channel().isOpen()).isTrue();
      assertThat(read(held)).isEqualTo("held");
      assertThat(open()).isEqualTo(1);
    }
    files.closeUnused();
    assertThat(closed).contains("held");
    assertThat(open()).isZero();
  }

  @Test
  void aFileThatIsUsedAgainAndAgainStays() throws IOException {
    SharedFile often = file("often");
    for (int i = 0; i < 100; i++) {
      var _ = read(often);
      var _ = read(file("f" + i));
    }
    assertThat(closed).hasSizeGreaterThan(80).doesNotContain("often");
  }

  @Test
  void aFileThatIsWrittenIsOpenWithoutBeingCounted() throws IOException {
    List<SharedFile.Lease> pins = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      pins.add(file("w" + i).pin());
    }
    for (int i = 0; i < 50; i++) {
      var _ = read(file("f" + i));
    }
    assertThat(open()).isEqualTo(20 + 8);
    pins.forEach(SharedFile.Lease::close);
    assertThat(open()).isEqualTo(8);
  }

  @Test
  void aFileThatGoesKeepsItsBytesForItsReadersThoughItWasClosed() throws IOException {
    SharedFile old = file("x");
    old.part();
    Files.delete(old.path());
    SharedFile other = file("x");
    try (SharedFile.Lease lease = other.lease()) {
      lease.channel().write(ByteBuffer.wrap(new byte[] {'y'}), 0);
    }
    files.closeUnused();
    assertThat(read(old)).isEqualTo("x");
    assertThat(read(other)).isEqualTo("y");
    old.end();
    assertThatThrownBy(() -> read(old)).isInstanceOf(ClosedChannelException.class);
    files.closeUnused();
    assertThat(open()).isZero();
  }

  @Test
  void aFileThatHasEndedIsClosedWithItsLastLeaseAndNotBefore() throws IOException {
    SharedFile file = file("x");
    SharedFile.Lease first = file.lease();
    SharedFile.Lease second = file.lease();
    file.end();
    assertThatThrownBy(file::lease).isInstanceOf(ClosedChannelException.class);
    first.close();
    first.close();
    assertThat(second.channel().isOpen()).isTrue();
    second.close();
    assertThat(second.channel().isOpen()).isFalse();
    assertThat(closed).containsExactly("x");
  }

  @Test
  void ofVeryManyFilesThatGoAtATimeTheFirstAreClosed() throws IOException {
    List<SharedFile> all = new ArrayList<>();
    for (int i = 0; i < OpenFiles.PARTING_MAX + 10; i++) {
      SharedFile file = file("f" + i);
      all.add(file);
      file.part();
    }
    assertThat(open()).isEqualTo(OpenFiles.PARTING_MAX);
    assertThatThrownBy(() -> read(all.get(9))).isInstanceOf(ClosedChannelException.class);
    assertThat(read(all.get(10))).isEqualTo("f10");
    all.forEach(SharedFile::end);
    assertThat(open()).isZero();
  }

  @Test
  void whereNoDescriptorIsLeftUnusedFilesGoAndElseTheLimitIsNamed() throws IOException {
    List<SharedFile> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(file("f" + i));
    }
    disk.descriptorsLeft(3);
    for (SharedFile file : all) {
      var _ = read(file);
    }
    List<SharedFile.Lease> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      held.add(all.get(i).lease());
    }
    assertThatThrownBy(() -> read(all.get(5)))
        .hasMessageContaining("ulimit -n")
        .hasMessageContaining("file=/f5")
        .satisfies(e -> assertThat(OpenFiles.isForWantOfDescriptors(e)).isTrue());
    held.forEach(SharedFile.Lease::close);
    assertThat(read(all.get(5))).isEqualTo("f5");
  }

  /** As a thread does that is interrupted amid a read. */
  @Test
  void aChannelThatAReaderHasClosedIsOpenedAnewForTheNext() throws IOException {
    SharedFile file = file("a");
    try (SharedFile.Lease lease = file.lease()) {
      lease.channel().close();
      assertThat(read(file)).isEqualTo("a");
    }
    assertThat(read(file)).isEqualTo("a");
    assertThat(open()).isEqualTo(1);
    file.end();
    assertThat(open()).isZero();
  }
}
