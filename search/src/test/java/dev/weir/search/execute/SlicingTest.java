package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class SlicingTest {

  @Test
  void allSharesTheDocumentsOut() throws IOException {
    assertThat(slices(new Slicing(Slicing.Mode.ALL, 2), 10, 50, 20, 30))
        .containsExactly(List.of(0, 1), List.of(2, 3));
    assertThat(slices(new Slicing(Slicing.Mode.ALL, 3), 10, 50))
        .containsExactly(List.of(1), List.of(0));
  }

  @Test
  void aSmallShardIsOneSliceUnlessAllIsAskedFor() throws IOException {
    assertThat(slices(Slicing.DEFAULT, 10, 50, 20)).hasSize(1);
    assertThat(slices(Slicing.DEFAULT, 1, 1, 1, 1, 1, 1)).hasSize(1);
    assertThat(slices(Slicing.DEFAULT, 130_000, 119_999)).hasSize(1);
    assertThat(slices(Slicing.DEFAULT, 251_000, 251_000)).hasSize(2);
    assertThat(slices(new Slicing(Slicing.Mode.NONE, 0), 1, 1, 1, 1, 1, 1)).hasSize(1);
  }

  private static List<List<Integer>> slices(Slicing slicing, int... documents) throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int segment : documents) {
        for (int i = 0; i < segment; i++) {
          writer.addDocument(new Document());
        }
        writer.flush();
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        List<LeafReaderContext> leaves = reader.leaves();
        LeafSlice[] slices = slicing.slices(leaves);
        assertThat(slicing.isSideBySide(leaves)).isEqualTo(slices.length > 1);
        return Arrays.stream(slices).map(SlicingTest::ordinals).toList();
      }
    }
  }

  private static List<Integer> ordinals(LeafSlice slice) {
    return Arrays.stream(slice.partitions)
        .map((LeafReaderContextPartition part) -> part.ctx.ord)
        .sorted()
        .toList();
  }
}
