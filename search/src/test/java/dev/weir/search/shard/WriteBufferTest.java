package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.log.MemoryLog.Commits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class WriteBufferTest {
  private static final long MB = 1 << 20;

  private final WriteBuffer buffer = new WriteBuffer(10 * MB);
  private final List<String> writtenOut = new ArrayList<>();

  @Test
  void nobodyWritesOutBelowTheLimit() {
    enter("a", 6);
    enter("b", 4);
    buffer.grown();
    assertThat(writtenOut).isEmpty();
  }

  @Test
  void theLargestWritesOutUntilAllHoldLess() {
    enter("a", 3);
    enter("b", 9);
    enter("c", 8);
    enter("d", 2);
    buffer.grown();
    assertThat(writtenOut).containsExactly("b", "c");
  }

  @Test
  void whoHasLeftIsNotCounted() {
    Held left = enter("a", 9);
    enter("b", 4);
    buffer.leave(left);
    buffer.grown();
    assertThat(writtenOut).isEmpty();
  }

  @Test
  void whoCannotWriteOutDoesNotKeepOthersFromIt() {
    Held broken = enter("a", 12);
    broken.isBroken = true;
    enter("b", 11);
    buffer.grown();
    assertThat(writtenOut).containsExactly("b");
  }

  @Test
  void oneShardHoldsAPartOfALargeBufferAndAllOfASmallOne() {
    assertThat(new WriteBuffer(0).shardBytesMax()).isEqualTo(4 * MB);
    assertThat(new WriteBuffer(20 * MB).shardBytesMax()).isEqualTo(20 * MB);
    assertThat(new WriteBuffer(1024 * MB).shardBytesMax()).isEqualTo(32 * MB);
  }

  @Test
  void shardsOfANodeShareIt() throws IOException {
    TestNode node = new TestNode(2, Commits.AT_ONCE);
    node.writeBuffer = new WriteBuffer(4 * MB);
    ShardedIndex index = node.open();
    for (int n = 0; n < 90; n++) { // of each of two shards less than 4 MB, of both more
      int first = n * 1_000;
      String words =
          IntStream.range(first, first + 1_000)
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(" "));
      node.put(index, "id" + n, "{\"t\":\"" + words + "\"}");
    }
    node.runAll();
    assertThat(segmentFiles(node, 0) + segmentFiles(node, 1)).isEqualTo(1);
    assertThat(node.search(index)).hasSize(90);
  }

  private static long segmentFiles(TestNode node, int shard) throws IOException {
    try (Directory files = node.files.open(Path.of("books", Integer.toString(shard)))) {
      return Arrays.stream(files.listAll()).filter(file -> file.endsWith(".si")).count();
    }
  }

  private Held enter(String name, long mb) {
    Held held = new Held(name, mb * MB);
    buffer.enter(held);
    return held;
  }

  private final class Held implements WriteBuffer.Holder {
    private final String name;
    private long bytes;
    boolean isBroken;

    Held(String name, long bytes) {
      this.name = name;
      this.bytes = bytes;
    }

    @Override
    public long heldBytes() {
      return bytes;
    }

    @Override
    public void writeOut() {
      if (isBroken) {
        throw new ShardFailureException("no room", new IOException("disk full"));
      }
      writtenOut.add(name);
      bytes = 0;
    }
  }
}
