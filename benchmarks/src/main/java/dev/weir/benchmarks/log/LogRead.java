package dev.weir.benchmarks.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
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

/** Reads of 400 MB in batches of 16 KB, over segments of 100 MB. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LogRead {
  private static final int APPENDS = 25_000;
  private static final int FETCH_BYTES = 1 << 20;

  @Param({"WEIR", "KAFKA"})
  public Engine engine;

  private final SplittableRandom random = new SplittableRandom(3);
  private Path folder;
  private EngineLog log;

  /** Fills the log. */
  @Setup(Level.Trial)
  public void fill() throws IOException {
    folder = Folders.make();
    log = engine.open(folder, Map.of("segment.bytes", "100000000"));
    ByteBuffer bytes = Batch.KB_16.make();
    for (int i = 0; i < APPENDS; i++) {
      bytes.putLong(0, 0);
      log.append(bytes);
    }
  }

  /** Deletes it. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    log.close();
    Folders.delete(folder);
  }

  /** From an offset to its place in a file, as for each fetch. */
  @Benchmark
  public long lookup() {
    return log.position(random.nextLong(log.endOffset()));
  }

  /** The headers of a megabyte of batches. */
  @Benchmark
  public long headers() {
    return log.readHeaders(random.nextLong(log.endOffset()), FETCH_BYTES);
  }
}
