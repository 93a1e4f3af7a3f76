package dev.weir.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.CorruptFileException;
import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.log.fault.FaultDisk;
import dev.weir.log.segment.SparseIndex.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Look-ups, cuts and checks of an index at their edges. */
final class SparseIndexTest {
  /** How the entries are held while they are looked up: the answers are the same. */
  enum State {
    OPEN,
    SEALED,
    OPENED_AGAIN
  }

  @TempDir Path folder;

  private final OpenFiles files = new OpenFiles();

  private Path offsets;

  @BeforeEach
  void name() {
    offsets = folder.resolve("00000000000000000000.index");
  }

  private SparseIndex create() {
    return SparseIndex.create(files, offsets, Layout.OFFSET);
  }

  private SparseIndex sealed() {
    return SparseIndex.sealed(files, offsets, Layout.OFFSET);
  }

  /** Entries with the keys 10, 20, 30 and so on; two neighbours have one value each time. */
  private SparseIndex create(int count) {
    SparseIndex index = create();
    for (int i = 0; i < count; i++) {
      index.append(entry(i).key(), entry(i).value());
    }
    return index;
  }

  private static IndexEntry entry(int number) {
    return new IndexEntry(10L * (number + 1), 100 * (number / 2 + 1));
  }

  private static SparseIndex bring(SparseIndex index, State state) {
    if (state != State.OPEN) {
      index.seal();
    }
    if (state == State.OPENED_AGAIN) {
      index.open();
    }
    return index;
  }

  /** Stores pairs of keys and values as they are. */
  private SparseIndex store(int... keysAndValues) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * keysAndValues.length);
    for (int number : keysAndValues) {
      bytes.putInt(number);
    }
    Files.write(offsets, bytes.array());
    return sealed();
  }

  @Test
  void entriesAreWrittenBigEndianInTheirLayout() throws IOException {
    SparseIndex byOffset = create();
    byOffset.append(258, 3);
    byOffset.seal();
    SparseIndex byTime = SparseIndex.create(files, folder.resolve("x.timeindex"), Layout.TIME);
    byTime.append(0x1_0000_0002L, 5);
    byTime.seal();
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(byOffset.file())))
        .isEqualTo("00000102" + "00000003");
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(byTime.file())))
        .isEqualTo("0000000100000002" + "00000005");
    assertThat(byTime.last()).contains(new IndexEntry(0x1_0000_0002L, 5));
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void anyKeyFindsTheLastEntryAtOrBelowIt(State state) {
    int count = 2600; // more than are kept on the heap, and than are read at once
    SparseIndex index = bring(create(count), state);
    for (int number = 0; number < count; number++) {
      long key = entry(number).key();
      assertThat(index.floorByKey(key)).contains(entry(number));
      assertThat(index.floorByKey(key + 9)).contains(entry(number));
    }
    assertThat(index.floorByKey(9)).isEmpty();
    assertThat(index.floorByKey(-1)).isEmpty();
    assertThat(index.floorByKey(Long.MAX_VALUE)).contains(entry(count - 1));
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void anyValueFindsTheLastEntryAtOrBelowIt(State state) {
    int count = 2600;
    SparseIndex index = bring(create(count), state);
    for (int number = 1; number < count; number += 2) {
      long value = entry(number).value();
      assertThat(index.floorByValue(value)).contains(entry(number));
      assertThat(index.floorByValue(value + 99)).contains(entry(number));
    }
    assertThat(index.floorByValue(99)).isEmpty();
    assertThat(index.floorByValue(Long.MAX_VALUE)).contains(entry(count - 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 511, 512, 513, 1023, 1024, 1025, 1026, 1537})
  void allEntriesAreThereAtAnySize(int count) {
    SparseIndex index = create(count);
    Optional<IndexEntry> last = count == 0 ? Optional.empty() : Optional.of(entry(count - 1));
    for (State state : State.values()) {
      bring(index, state);
      assertThat(index.entries()).as("%s", state).isEqualTo(count);
      assertThat(index.last()).as("%s", state).isEqualTo(last);
      assertThat(index.floorByKey(Long.MAX_VALUE)).as("%s", state).isEqualTo(last);
      for (int number : new int[] {0, 1, count / 2, count - 513, count - 512, count - 1}) {
        if (number >= 0 && number < count) {
          assertThat(index.floorByKey(entry(number).key())).contains(entry(number));
        }
      }
    }
  }

  @Test
  void theNewestEntriesAloneAreOnTheHeap() throws IOException {
    create(1024);
    assertThat(offsets).doesNotExist();
    SparseIndex index = create(1025);
    assertThat(Files.size(offsets)).isEqualTo(1024 * 8);
    assertThat(index.entries()).isEqualTo(1025);
  }

  @Test
  void newIndexTakesThePlaceOfAnOldFile() throws IOException {
    store(1, 1, 2, 2);
    SparseIndex index = create();
    assertThat(index.entries()).isZero();
    assertThat(index.exists()).isFalse();
    index.append(1, 0);
    index.seal();
    assertThat(Files.size(offsets)).isEqualTo(8);
  }

  @Test
  void sealedIndexWithoutEntriesHasAFile() {
    SparseIndex index = create();
    assertThat(index.exists()).isFalse();
    index.seal();
    assertThat(index.exists()).isTrue();
    assertThat(index.last()).isEmpty();
    assertThat(index.floorByKey(0)).isEmpty();
    assertThat(index.floorByValue(0)).isEmpty();
  }

  @Test
  void writingOutGoesOnWhereItStopped() throws IOException {
    SparseIndex index = create(3);
    index.writeOut();
    byte[] three = Files.readAllBytes(offsets);
    index.append(entry(3).key(), entry(3).value());
    index.writeOut();
    byte[] four = Files.readAllBytes(offsets);
    assertThat(four).hasSize(32).startsWith(three);
    assertThat(sealed().last()).contains(entry(3));
  }

  @Test
  void writingOutASealedIndexLeavesItAsItIs() {
    SparseIndex index = bring(create(3), State.SEALED);
    index.writeOut();
    index.seal();
    assertThat(index.entries()).isEqualTo(3);
    assertThatThrownBy(() -> index.append(1000, 1000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("index is sealed, file=" + offsets);
  }

  @Test
  void openingAnOpenIndexLosesNothing() {
    SparseIndex index = create(3);
    index.open();
    assertThat(index.entries()).isEqualTo(3);
    assertThat(index.last()).contains(entry(2));
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"OPEN", "OPENED_AGAIN"})
  void keysGrowAndValuesDoNotGoBack(State state) {
    SparseIndex index = create();
    index.append(42, 7);
    bring(index, state);
    for (IndexEntry back :
        List.of(new IndexEntry(42, 8), new IndexEntry(41, 8), new IndexEntry(43, 6))) {
      assertThatThrownBy(() -> index.append(back.key(), back.value()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("key=" + back.key() + ", value=" + back.value())
          .hasMessageContaining("in file=" + offsets);
    }
    index.append(43, 7);
    assertThat(index.last()).contains(new IndexEntry(43, 7));
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void indexIsFullWhenTheNextEntryWouldExceedTheBound(State state) {
    SparseIndex index = bring(create(2), state);
    assertThat(index.isFull(24)).isFalse();
    assertThat(index.isFull(23)).as("no room for a third").isTrue();
    assertThat(index.isFull(16)).isTrue();
  }

  @Test
  void partOfAnEntryAtTheEndOfTheFileIsNone() throws IOException {
    Files.write(offsets, ByteBuffer.allocate(20).putInt(1).putInt(2).putInt(3).putInt(4).array());
    SparseIndex index = sealed();
    assertThat(index.entries()).isEqualTo(2);
    assertThat(index.last()).contains(new IndexEntry(3, 4));
    index.check(5);
    index.truncateToKey(100);
    assertThat(Files.size(offsets)).isEqualTo(16);
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void cutByKeyKeepsTheEntriesBelowIt(State state) {
    for (int kept : new int[] {0, 1, 5, 1500, 1999, 2000}) {
      SparseIndex index = bring(create(2000), state);
      index.truncateToKey(entry(kept).key());
      assertKept(index, kept);
    }
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void cutByValueKeepsTheEntriesBelowIt(State state) {
    for (int kept : new int[] {0, 2, 1500, 1998, 2000}) {
      SparseIndex index = bring(create(2000), state);
      index.truncateToValue(entry(kept).value());
      assertKept(index, kept);
    }
  }

  /** The entries from {@code kept} on are gone, and can be written again. */
  private static void assertKept(SparseIndex index, int kept) {
    assertThat(index.entries()).isEqualTo(kept);
    assertThat(index.last()).isEqualTo(kept == 0 ? Optional.empty() : Optional.of(entry(kept - 1)));
    assertThat(index.floorByKey(Long.MAX_VALUE)).isEqualTo(index.last());
    index.append(entry(kept).key(), entry(kept).value());
    index.seal();
    assertThat(index.entries()).isEqualTo(kept + 1);
    index.check(Long.MAX_VALUE);
  }

  @Test
  void cutOfAnIndexWithoutFileLeavesAnOpenOne() {
    SparseIndex byKey = sealed();
    byKey.truncateToKey(0);
    byKey.append(0, 0);
    assertThat(byKey.last()).contains(new IndexEntry(0, 0));
  }

  @Test
  void soundIndexesPassTheCheck() throws IOException {
    store().check(0);
    store(0, 0).check(1);
    store(0, 0, 1, 0, 2, 5, Integer.MAX_VALUE, 5).check(6);
  }

  @Test
  void entriesOutOfOrderOrBoundsFailTheCheck() throws IOException {
    assertCorrupt(store(5, 1, 5, 2), 8, "key=5, value=2 after key=5, value=1");
    assertCorrupt(store(5, 1, 4, 2), 8, "key=4, value=2 after key=5, value=1");
    assertCorrupt(store(5, 2, 6, 1), 8, "key=6, value=1 after key=5, value=2");
    assertCorrupt(store(5, 1, 6, 9), 8, "expected value below 9");
    assertCorrupt(store(-1, 1), 0, "key=-1, value=1");
    assertCorrupt(store(1, -1), 0, "key=1, value=-1");
  }

  private static void assertCorrupt(SparseIndex index, int position, String part) {
    assertThatThrownBy(() -> index.check(9))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(part)
        .hasMessageContaining("at position=" + position + " of file=" + index.file());
  }

  @Test
  void indexWhoseFileIsDeletedMeanwhileFindsNothing() throws IOException {
    SparseIndex index = bring(create(20), State.SEALED);
    Files.delete(offsets);
    assertThat(index.last()).isEmpty();
    assertThat(index.floorByKey(100)).isEmpty();
    assertThat(index.floorByValue(100)).isEmpty();
    index.sync();
    index.check(0);
    assertThat(index.exists()).isFalse();
  }

  @Test
  void indexWhoseFileIsCutMeanwhileAnswersFromWhatIsLeft() throws IOException {
    SparseIndex index = create(2600); // most of them in the file alone
    try (FileChannel channel = FileChannel.open(offsets, StandardOpenOption.WRITE)) {
      channel.truncate(12 * 8 + 4); // twelve entries and half of one
    }
    assertThat(index.floorByKey(entry(11).key())).contains(entry(11));
    assertThat(index.floorByKey(entry(12).key())).contains(entry(11));
    assertThat(index.floorByKey(entry(1000).key())).contains(entry(11));
    assertThat(index.floorByKey(entry(2599).key())).contains(entry(2599));
  }

  @Test
  void syncedEntriesOutliveAPowerLoss() {
    FaultDisk disk = FaultDisk.empty();
    Path file = disk.root().resolve("00000000000000000000.index");
    SparseIndex index = SparseIndex.create(new OpenFiles(), file, Layout.OFFSET);
    index.append(1, 2);
    index.seal();
    index.sync();
    AtomicFile.syncDirectory(disk.root());
    for (long seed = 0; seed < 50; seed++) {
      Path left = disk.afterPowerLoss(seed).root().resolve(file.toString());
      assertThat(SparseIndex.sealed(new OpenFiles(), left, Layout.OFFSET).last())
          .as("seed=%d", seed)
          .contains(new IndexEntry(1, 2));
    }
  }

  @Test
  void openIndexKeepsItsAnswersAsItGrows() {
    SparseIndex index = create();
    List<IndexEntry> model = new ArrayList<>();
    for (int number = 0; number < 3000; number++) {
      index.append(entry(number).key(), entry(number).value());
      model.add(entry(number));
      IndexEntry asked = model.get(number * 31 % model.size());
      assertThat(index.floorByKey(asked.key())).as("entries=%d", model.size()).contains(asked);
      assertThat(index.last()).contains(entry(number));
      assertThat(index.entries()).isEqualTo(model.size());
    }
  }
}
