package dev.weir.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.batch.LogRecord;
import dev.weir.log.dump.FileKind;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.metadata.MetadataRecordCodec;
import dev.weir.protocol.metadata.TopicRecord;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which values are put into words. */
final class ContentsTest {
  private static LogRecord content(@Nullable ByteBuffer value) {
    return new LogRecord(0, 0, null, value, List.of());
  }

  private static ByteBuffer topicRecord() {
    ByteWriter out = new ByteWriter();
    MetadataRecordCodec.write(out, new TopicRecord("orders", new UUID(0, 1)), (short) 0);
    return out.toBuffer();
  }

  @Test
  void recordOfTheMetadataLogIsPutIntoWordsAndLeftAsItWas() {
    ByteBuffer value = topicRecord();
    int size = value.remaining();
    assertThat(Contents.METADATA.words(content(value)))
        .hasValue("TopicRecord[name=orders, topicId=00000000-0000-0000-0000-000000000001]");
    assertThat(value.remaining()).isEqualTo(size);
    assertThat(Contents.ANY.words(content(value))).isEmpty();
  }

  @Test
  void whatIsNoMetadataRecordHasNoWords() {
    ByteBuffer whole = topicRecord();
    assertThat(Contents.METADATA.words(content(null))).isEmpty();
    for (int size = 0; size < whole.limit(); size++) {
      assertThat(Contents.METADATA.words(content(whole.slice(0, size))))
          .as("size=" + size)
          .isEmpty();
    }
    assertThat(Contents.METADATA.words(content(ByteBuffer.wrap(new byte[] {9, 9, 9})))).isEmpty();
  }

  @Test
  void metadataIsToldByItsFolderOrTheKindOfFile() {
    assertThat(Contents.of(Path.of("d/__cluster_metadata-0/0.log"), FileKind.SEGMENT))
        .isEqualTo(Contents.METADATA);
    assertThat(Contents.of(Path.of("x/0-1.checkpoint"), FileKind.METADATA_SNAPSHOT))
        .isEqualTo(Contents.METADATA);
    assertThat(Contents.of(Path.of("d/orders-0/0.log"), FileKind.SEGMENT)).isEqualTo(Contents.ANY);
    assertThat(Contents.of(Path.of("0.log"), FileKind.SEGMENT)).isEqualTo(Contents.ANY);
  }
}
