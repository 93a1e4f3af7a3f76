package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.fault.FaultDisk;
import dev.weir.log.fault.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a roll does on the thread that appends, and what was made for it before. */
final class RollFilesTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final LogConfig CONFIG =
      LogConfig.of(Map.of("segment.bytes", "1000", "index.interval.bytes", "100"));

  private final FaultDisk disk = FaultDisk.empty();
  private final DeferredExecutor background = new DeferredExecutor();
  private final List<Operation> ofAppends = new ArrayList<>();
  private LogDirectory directory = open();
  private PartitionLog log = directory.create(PARTITION, new UUID(1, 1), CONFIG);

  private LogDirectory open() {
    LogDirectory opened =
        LogDirectory.openWith(
            disk.root().resolve("data"), () -> Instant.ofEpochMilli(5000), background);
    opened.load(CONFIG);
    return opened;
  }

  private void append() {
    int before = disk.operations().size();
    assertThat(log.append(Batches.of("a value"), 0, AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Appended.class);
    List<Operation> now = disk.operations();
    ofAppends.addAll(now.subList(before, now.size()));
  }

  private void appendUntilSegments(int count, Runnable afterEach) {
    while (log.segmentCount() < count) {
      append();
      afterEach.run();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(log.directory())) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  private List<Operation> ofAppends(Operation.Kind kind) {
    return ofAppends.stream().filter(operation -> operation.kind() == kind).toList();
  }

  /** Names are given on that path, and bytes written; new files take longer. */
  @Test
  void whoAppendsCreatesNoFile() {
    append(); // the file of the epochs
    ofAppends.clear();
    appendUntilSegments(6, background::runAll);
    assertThat(ofAppends(Operation.Kind.CREATE)).isEmpty();
    assertThat(ofAppends(Operation.Kind.RENAME)).hasSize(2 * 5); // segment and snapshot
    appendUntilSegments(7, () -> {});
    assertThat(ofAppends(Operation.Kind.CREATE)).as("nobody has made them").isNotEmpty();
  }

  @Test
  void whatWasMadeForARollThatDidNotComeGoesWithTheStop() throws IOException {
    while (!names().contains("next.log.tmp")) {
      append();
      background.runAll();
    }
    assertThat(log.segmentCount()).isEqualTo(1);
    directory.close();
    assertThat(names()).noneMatch(name -> name.endsWith(".tmp"));
    Dumped.requireSound(disk.root());
  }

  @Test
  void whatACrashHasLeftGoesWithTheNextStart() throws IOException {
    appendUntilSegments(2, () -> {});
    Files.write(log.directory().resolve("next.log.tmp"), new byte[] {1, 2, 3});
    Files.write(log.directory().resolve("next.snapshot.tmp"), new byte[] {1});
    directory.abandon();
    directory = open();
    log = directory.log(PARTITION).orElseThrow();
    assertThat(names()).noneMatch(name -> name.endsWith(".tmp"));
    assertThat(log.logEndOffset()).isPositive();
  }

  @Test
  void aRollWithoutWhatWasMadeMakesItItself() {
    appendUntilSegments(
        3,
        () -> {
          background.runAll();
          remove("next.log.tmp");
          remove("next.snapshot.tmp");
        });
    disk.failWhere(
        operation ->
            operation.path().endsWith("next.log.tmp")
                ? Optional.of(new IOException("Input/output error"))
                : Optional.empty());
    appendUntilSegments(5, background::runAll);
    assertThat(log.flush()).isEqualTo(log.logEndOffset());
    assertThat(ofAppends(Operation.Kind.CREATE))
        .extracting(Operation::path)
        .filteredOn(path -> path.endsWith(".log"))
        .hasSize(4);
  }

  private void remove(String name) {
    try {
      Files.deleteIfExists(log.directory().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
