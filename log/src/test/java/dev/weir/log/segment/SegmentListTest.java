package dev.weir.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.batch.BatchRewrite;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding and replacing segments of a log. */
final class SegmentListTest {
  private static final long[] BASES = {100, 110, 130, 160};

  @TempDir Path folder;

  private final OpenFiles files = new OpenFiles();

  private final List<LogSegment> segments = new ArrayList<>();
  private SegmentList list;

  @BeforeEach
  void create() {
    for (long base : BASES) {
      segments.add(LogSegment.create(files, folder, base));
    }
    list = SegmentList.of(segments);
  }

  @AfterEach
  void close() {
    segments.forEach(LogSegment::close);
  }

  @Test
  void offsetIsInTheLastSegmentThatBeginsAtOrBeforeIt() {
    for (int index = 0; index < BASES.length; index++) {
      assertThat(list.floor(BASES[index])).isEqualTo(index);
      assertThat(list.floor(BASES[index] + 5)).isEqualTo(index);
      assertThat(list.floor(BASES[index] - 1)).isEqualTo(Math.max(0, index - 1));
    }
    assertThat(list.floor(0)).isZero();
    assertThat(list.floor(Long.MAX_VALUE)).isEqualTo(3);
  }

  @Test
  void segmentEndsWhereTheNextBeginsAndTheLastWithTheLog() {
    assertThat(list.endOffset(0, 999)).isEqualTo(110);
    assertThat(list.endOffset(2, 999)).isEqualTo(160);
    assertThat(list.endOffset(3, 999)).isEqualTo(999);
  }

  @Test
  void partsAreTakenByIndex() {
    assertThat(list.from(1).all()).isEqualTo(segments.subList(1, 4));
    assertThat(list.until(3).all()).isEqualTo(segments.subList(0, 3));
    assertThat(list.size()).isEqualTo(4);
    assertThat(list.get(2)).isSameAs(segments.get(2));
    assertThat(list.first()).isSameAs(segments.getFirst());
    assertThat(list.active()).isSameAs(segments.getLast());
    assertThat(list.from(0).with(segments.get(0)).all()).hasSize(5).endsWith(segments.get(0));
  }

  @Test
  void rangeIsReplacedByOneSegment() {
    LogSegment one = segments.get(0);
    assertThat(list.replace(1, 3, one).all()).containsExactly(one, one, segments.get(3));
    assertThat(list.all()).as("the list itself stays").isEqualTo(segments);
  }

  @Test
  void sizeIsThatOfAllSegments() throws IOException {
    ByteBuffer batch = RecordBatchBuilder.data(Compression.NONE).baseOffset(100).build();
    segments.get(0).append(batch.duplicate(), BatchRewrite.views(batch), 0);
    segments.get(2).append(batch.duplicate(), List.of(), 0);
    assertThat(list.sizeBytes()).isEqualTo(2L * batch.limit());
  }

  @Test
  void logHasOneSegmentAtLeast() {
    assertThatThrownBy(() -> SegmentList.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> list.from(4)).isInstanceOf(IllegalArgumentException.class);
  }
}
