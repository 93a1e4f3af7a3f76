package dev.weir.log.batch;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The whole batches between a buffer's position and limit, in order. A trailing batch that is not
 * whole ends the iteration, as it does for Kafka's clients.
 */
public final class RecordBatches implements Iterable<RecordBatchView> {
  private final ByteBuffer buffer;

  private RecordBatches(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  /** Batches of {@code buffer}, whose position and limit are taken now and not moved. */
  public static RecordBatches of(ByteBuffer buffer) {
    return new RecordBatches(buffer.duplicate());
  }

  /**
   * {@inheritDoc}
   *
   * <p>{@code next} throws {@link CorruptBatchException} where the bytes are no batch.
   */
  @Override
  public Iterator<RecordBatchView> iterator() {
    return new Iterator<>() {
      private int start = buffer.position();

      @Override
      public boolean hasNext() {
        return RecordBatchView.wholeAt(buffer, start);
      }

      @Override
      public RecordBatchView next() {
        if (!hasNext()) {
          throw new NoSuchElementException("no whole batch at position=" + start);
        }
        RecordBatchView batch = RecordBatchView.at(buffer, start);
        start += batch.sizeInBytes();
        return batch;
      }
    };
  }
}
