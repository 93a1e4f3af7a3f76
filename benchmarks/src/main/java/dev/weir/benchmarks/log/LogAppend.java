package dev.weir.benchmarks.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A leader's append of one uncompressed batch: checked, stamped, and written to the page cache. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LogAppend {
  @Param public Engine engine;
  @Param public Batch batch;

  private ByteBuffer bytes;
  private Path folder;
  private EngineLog log;

  /** A log of its own for each iteration, so that the page cache does not fill. */
  @Setup(Level.Iteration)
  public void open() throws IOException {
    bytes = batch.make();
    folder = Folders.make();
    log = engine.open(folder, Map.of("max.message.bytes", "2000000"));
  }

  /** Deletes it. */
  @TearDown(Level.Iteration)
  public void close() throws IOException {
    log.close();
    Folders.delete(folder);
  }

  @Benchmark
  public long append() {
    bytes.putLong(0, 0); // as from a producer, not as it was stamped the last time
    return log.append(bytes);
  }
}
