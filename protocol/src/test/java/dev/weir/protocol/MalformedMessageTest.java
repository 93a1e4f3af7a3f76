package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever bytes come in, a reader answers with a message or with {@link
 * MalformedMessageException}, and allocates no more than a multiple of the bytes that came in.
 */
class MalformedMessageTest {
  private static final int DAMAGES_PER_VERSION = 40;
  private static final int LARGE_FRAME_BYTES = 16 * 1024;

  /**
   * A structure with an array of empty structures costs one byte on the wire for each and an object
   * in memory; the dearest of all is below this.
   */
  private static final int ALLOCATED_PER_BYTE_MAX = 80;

  /** An exception with its trace, and the message's own object. */
  private static final int ALLOCATED_FIXED_MAX = 16 * 1024;

  private static final int MEASUREMENTS_MAX = 4;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void damagedMessagesAreReadOrRefused() {
    for (Specification specification : Specification.living()) {
      Random random = Seed.random("damage " + specification.name());
      RandomMessages messages = new RandomMessages(random);
      short highest = specification.versions().highest();
      for (short version = specification.versions().lowest(); version <= highest; version++) {
        byte[] bytes =
            FidelityTest.write(
                FidelityTest.carriedBy(messages.next(specification), version), version);
        for (int i = 0; i < DAMAGES_PER_VERSION; i++) {
          readBounded(specification, version, damage(bytes, random));
        }
      }
    }
  }

  @Test
  void truncatedMessagesAreRefused() {
    for (Specification specification : Specification.living()) {
      Random random = Seed.random("truncate " + specification.name());
      RandomMessages messages = new RandomMessages(random);
      short version = specification.versions().highest();
      byte[] bytes =
          FidelityTest.write(
              FidelityTest.carriedBy(messages.next(specification), version), version);
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThat(readBounded(specification, version, cut))
            .as(
                "%s version %s cut to %s of %s bytes, %s",
                specification.name(), version, length, bytes.length, Seed.text())
            .isFalse();
      }
    }
  }

  @Test
  void largeFramesOfOneByteAreBounded() {
    for (Specification specification : Specification.living()) {
      short highest = specification.versions().highest();
      for (short version = specification.versions().lowest(); version <= highest; version++) {
        for (int fill : new int[] {0, 1, 2, 3, 0x7f, 0x80, 0xff}) {
          byte[] frame = new byte[LARGE_FRAME_BYTES];
          Arrays.fill(frame, (byte) fill);
          readBounded(specification, version, frame);
        }
      }
    }
  }

  /** Whether the bytes were read as a message. */
  private static boolean readBounded(Specification specification, short version, byte[] bytes) {
    long bound = ALLOCATED_FIXED_MAX + (long) ALLOCATED_PER_BYTE_MAX * bytes.length;
    long least = Long.MAX_VALUE;
    boolean read = false;
    // What reflection and class loading allocate once is not the reader's; it does not come twice.
    for (int attempt = 0; attempt < MEASUREMENTS_MAX && least > bound; attempt++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      read = isRead(specification, version, bytes);
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least)
        .as(
            "%s version %s of %s bytes, %s",
            specification.name(), version, bytes.length, Seed.text())
        .isLessThanOrEqualTo(bound);
    return read;
  }

  private static boolean isRead(Specification specification, short version, byte[] bytes) {
    try {
      specification.read(new ByteReader(ByteBuffer.wrap(bytes)), version);
      return true;
    } catch (MalformedMessageException refusal) {
      return false;
    }
  }

  private static byte[] damage(byte[] bytes, Random random) {
    byte[] damaged = bytes.clone();
    if (damaged.length == 0) {
      return damaged;
    }
    int at = random.nextInt(damaged.length);
    switch (random.nextInt(5)) {
      case 0 -> damaged = Arrays.copyOf(damaged, at);
      case 1 -> damaged[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 2 -> overwrite(damaged, at, 0x7f, 0xff, 0xff, 0xff);
      case 3 -> overwrite(damaged, at, 0xff, 0xff, 0xff, 0xff, 0x07);
      default -> {
        for (int i = at; i < damaged.length; i++) {
          damaged[i] = (byte) random.nextInt();
        }
      }
    }
    return damaged;
  }

  private static void overwrite(byte[] bytes, int at, int... values) {
    for (int i = 0; i < values.length && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) values[i];
    }
  }
}
