package dev.weir.broker.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.log.AppendOrigin;
import dev.weir.log.AppendOutcome;
import dev.weir.log.LogConfig;
import dev.weir.log.LogDirectory;
import dev.weir.log.LogException;
import dev.weir.log.LogSlice;
import dev.weir.log.PartitionLog;
import dev.weir.log.ReadUpTo;
import dev.weir.log.TopicPartition;
import dev.weir.log.batch.Compression;
import dev.weir.log.batch.RecordBatchBuilder;
import io.netty.channel.FileRegion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records on their way to a socket while their log goes. */
final class SegmentRegionTest {
  @TempDir Path path;

  @Test
  void aSegmentIsOpenUntilTheRegionIsReleasedThoughTheLogIsClosed() throws IOException {
    LogDirectory directory = LogDirectory.open(path, () -> Instant.ofEpochMilli(5000));
    directory.load(LogConfig.DEFAULT);
    PartitionLog log =
        directory.create(new TopicPartition("t", 0), new UUID(1, 1), LogConfig.DEFAULT);
    ByteBuffer batch =
        RecordBatchBuilder.data(Compression.NONE)
            .add(1000, null, ByteBuffer.wrap(new byte[] {1, 2, 3}))
            .build();
    assertThat(log.append(batch, 0, AppendOrigin.CLIENT))
        .isInstanceOf(AppendOutcome.Appended.class);
    LogSlice slice = (LogSlice) log.read(0, 1000, ReadUpTo.LOG_END);
    ByteBuffer expected = slice.toBuffer();
    FileRegion region = new SegmentRecords(slice).toRegion();
    FileChannel channel;
    try (LogSlice.Lease lease = slice.lease()) {
      channel = lease.channel();
    }
    directory.close();
    assertThatThrownBy(slice::toBuffer).isInstanceOf(LogException.class);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    assertThat(region.transferTo(Channels.newChannel(sent), 0)).isEqualTo(slice.sizeBytes());
    assertThat(ByteBuffer.wrap(sent.toByteArray())).isEqualTo(expected);
    assertThat(channel.isOpen()).isTrue();
    assertThat(region.release()).isTrue();
    assertThat(channel.isOpen()).isFalse();
  }
}
