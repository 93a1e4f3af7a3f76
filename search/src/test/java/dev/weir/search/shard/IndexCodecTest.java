package dev.weir.search.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class IndexCodecTest {

  @Test
  void isFoundByTheNameThatSegmentsCarry() {
    assertThat(Codec.forName("Weir104")).isInstanceOf(IndexCodec.class);
  }

  @Test
  void documentsOfAnySizeComeBackAsTheyWereGiven() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<byte[]> documents = new ArrayList<>();
    for (int size : new int[] {0, 1, 4095, 4096, 4097, 70_000, 1_000_000}) {
      documents.add(bytes(random, size));
    }
    for (int i = 0; i < 500; i++) {
      documents.add(bytes(random, random.nextInt(6000)));
    }
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, documents);
      for (var segment : SegmentInfos.readLatestCommit(directory)) {
        assertThat(segment.info.getCodec().getName()).isEqualTo("Weir104");
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        StoredFields stored = reader.storedFields();
        for (int doc = 0; doc < documents.size(); doc++) {
          BytesRef found = stored.document(doc).getBinaryValue("source");
          assertThat(BytesRef.deepCopyOf(found).bytes)
              .as("seed=%d doc=%d", seed, doc)
              .isEqualTo(documents.get(doc));
        }
      }
    }
  }

  private static void write(Directory directory, List<byte[]> documents) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setCodec(new IndexCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (byte[] bytes : documents) {
        Document document = new Document();
        document.add(new StoredField("source", bytes));
        writer.addDocument(document);
        if (writer.getPendingNumDocs() % 200 == 0) {
          writer.flush(); // several segments, which the merge copies block by block
        }
      }
      writer.forceMerge(1);
    }
  }

  /** Half of it repeats, so that packing has something to do. */
  private static byte[] bytes(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    for (int i = size / 2; i < size; i++) {
      bytes[i] = (byte) ('a' + i % 7);
    }
    return bytes;
  }
}
