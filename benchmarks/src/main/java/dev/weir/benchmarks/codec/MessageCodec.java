package dev.weir.benchmarks.codec;

import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One message, to the memory that the socket is written from, and from the bytes of its body.
 *
 * <p>Frames hold size, header and body. Neither side copies the record batches. Our writer is kept
 * from frame to frame, as an event loop keeps it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MessageCodec {
  @Param public Sample sample;

  private final ByteWriter out = new ByteWriter();
  private Subject subject;
  private Socket socket;
  private ByteBuffer body;

  /** Makes the message on both sides and checks that they agree. */
  @Setup
  public void prepare() {
    subject = sample.subject();
    socket = new Socket(Sample.RECORDS_BYTES);
    ByteWriter bodyWriter = new ByteWriter();
    subject.ours().write(bodyWriter, subject.version());
    body = bodyWriter.toBuffer();
    subject.requireAgreement(body, socket);
  }

  @Benchmark
  public long encodeWeir() {
    out.clear();
    subject.writeFrame(out);
    return socket.take(out);
  }

  @Benchmark
  public long encodeKafka() {
    return socket.take(subject.kafkaFrame());
  }

  @Benchmark
  public Object decodeWeir() {
    return subject.weirReader().read(new ByteReader(body), subject.version());
  }

  @Benchmark
  public Object decodeKafka() {
    return subject.kafkaReader().read(body.duplicate(), subject.version());
  }
}
