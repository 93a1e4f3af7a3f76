package dev.weir.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.CorruptFileException;
import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.fault.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The aborted transactions of a segment: bytes, cuts, and what a power loss leaves. */
final class TransactionIndexTest {
  private static final AbortedTransaction FIRST = new AbortedTransaction(7, 100, 110, 105);
  private static final AbortedTransaction SECOND = new AbortedTransaction(8, 105, 120, 121);

  private final FaultDisk disk = FaultDisk.empty();
  private final Path file = disk.root().resolve("00000000000000000100.txnindex");
  private final TransactionIndex index = new TransactionIndex(file);

  private void write(AbortedTransaction... entries) {
    for (AbortedTransaction entry : entries) {
      index.append(entry);
    }
  }

  private void writeTornEntry() throws IOException {
    Files.write(file, new byte[33], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static AbortedTransaction spanning(long firstOffset, long lastOffset) {
    return new AbortedTransaction(7, firstOffset, lastOffset, lastOffset + 1);
  }

  @Test
  void entryIsVersionProducerAndThreeOffsets() throws IOException {
    write(FIRST);
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(file)))
        .isEqualTo(
            "0000"
                + "0000000000000007"
                + "0000000000000064"
                + "000000000000006e"
                + "0000000000000069");
    assertThat(index.file()).isEqualTo(file);
  }

  @Test
  void entriesAreReadInTheOrderOfTheirMarkers() {
    write(FIRST, SECOND);
    assertThat(index.entries()).containsExactly(FIRST, SECOND);
  }

  @Test
  void withoutAbortsThereIsNoFile() {
    assertThat(index.entries()).isEmpty();
    index.truncateTo(0);
    index.keepSound(0, 0);
    index.sync();
    index.clear();
    assertThat(file).doesNotExist();
  }

  @Test
  void tornEntryIsNone() throws IOException {
    write(FIRST);
    writeTornEntry();
    assertThat(index.entries()).containsExactly(FIRST);
  }

  @Test
  void entryOfAnotherVersionIsNamedWithItsPlace() throws IOException {
    write(FIRST, SECOND);
    Files.write(file, ByteBuffer.wrap(Files.readAllBytes(file)).putShort(34, (short) 1).array());
    assertThatThrownBy(index::entries)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("has version 1, expected 0, at position=34 of file=" + file);
  }

  @Test
  void truncationKeepsTheTransactionsWhoseMarkersStay() throws IOException {
    write(FIRST, SECOND);
    index.truncateTo(121);
    assertThat(index.entries()).containsExactly(FIRST, SECOND);
    index.truncateTo(120);
    assertThat(index.entries()).containsExactly(FIRST);
    index.truncateTo(111);
    assertThat(index.entries()).containsExactly(FIRST);
    index.truncateTo(110);
    assertThat(Files.size(file)).isZero();
  }

  @Test
  void truncationTakesATornEntryAway() throws IOException {
    write(FIRST);
    writeTornEntry();
    index.truncateTo(1000);
    write(SECOND);
    assertThat(index.entries()).containsExactly(FIRST, SECOND);
  }

  @Test
  void truncationThatTakesNothingNeedsNoSync() {
    write(FIRST);
    index.sync();
    int before = disk.operations().size();
    index.truncateTo(1000);
    index.keepSound(100, 1000);
    index.sync();
    assertThat(disk.operations()).hasSize(before);
  }

  @Test
  void soundEntriesStay() {
    // A transaction may begin in an earlier segment, and end with the first offset of this one.
    AbortedTransaction[] sound = {spanning(40, 100), spanning(99, 101), spanning(101, 199)};
    write(sound);
    index.keepSound(100, 200);
    assertThat(index.entries()).containsExactly(sound);
  }

  @Test
  void entriesFromTheFirstUnsoundOneOnGo() {
    for (AbortedTransaction unsound :
        List.of(
            spanning(150, 150), // without a record
            spanning(151, 150),
            spanning(100, 110), // marker at the one before
            spanning(100, 109),
            spanning(100, 200), // marker behind the end
            spanning(0, 0))) { // bytes never written
      index.clear();
      write(FIRST, unsound, spanning(130, 150));
      index.keepSound(100, 200);
      assertThat(index.entries()).as("%s", unsound).containsExactly(FIRST);
    }
  }

  @Test
  void markerOfAnEarlierSegmentIsUnsound() {
    write(spanning(40, 99));
    index.keepSound(100, 200);
    assertThat(index.entries()).isEmpty();
  }

  @Test
  void entriesFromOneOfAnotherVersionOnAreUnsound() throws IOException {
    write(FIRST, SECOND);
    Files.write(file, ByteBuffer.wrap(Files.readAllBytes(file)).putShort(34, (short) 1).array());
    index.keepSound(100, 200);
    assertThat(index.entries()).containsExactly(FIRST);
  }

  @Test
  void tornEntryIsUnsound() throws IOException {
    write(FIRST);
    writeTornEntry();
    index.keepSound(100, 200);
    assertThat(Files.size(file)).isEqualTo(TransactionIndex.ENTRY_BYTES);
  }

  @Test
  void syncedEntriesOutliveAPowerLoss() {
    write(FIRST);
    index.sync();
    assertThat(afterAnyPowerLoss()).containsOnly(List.of(FIRST));
  }

  @Test
  void syncedTruncationOutlivesAPowerLoss() {
    write(FIRST, SECOND);
    index.sync();
    index.truncateTo(120);
    index.sync();
    assertThat(afterAnyPowerLoss()).containsOnly(List.of(FIRST));
  }

  @Test
  void syncedEmptyFileTakesThePlaceOfItsForerunner() throws IOException {
    write(FIRST);
    index.sync();
    TransactionIndex empty = new TransactionIndex(file);
    empty.createEmpty();
    empty.sync();
    assertThat(Files.size(file)).isZero();
    assertThat(afterAnyPowerLoss()).containsOnly(List.of());
  }

  @Test
  void unchangedFileIsNotSyncedAgain() {
    write(FIRST);
    index.sync();
    index.sync();
    assertThat(disk.operations())
        .filteredOn(operation -> operation.kind() == Operation.Kind.FORCE)
        .hasSize(1);
  }

  @Test
  void clearedIndexHasNoFile() {
    write(FIRST);
    index.clear();
    assertThat(file).doesNotExist();
    assertThat(index.entries()).isEmpty();
  }

  private List<List<AbortedTransaction>> afterAnyPowerLoss() {
    AtomicFile.syncDirectory(disk.root());
    return LongStream.range(0, 50)
        .mapToObj(seed -> disk.afterPowerLoss(seed).root().resolve(file.toString()))
        .map(left -> new TransactionIndex(left).entries())
        .distinct()
        .toList();
  }
}
