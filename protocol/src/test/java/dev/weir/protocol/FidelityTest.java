package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * For every message and version: what we write, the client library reads as the same message, and
 * the other way round. The values are the defaults, and random ones.
 */
class FidelityTest {
  private static final int RANDOM_MESSAGES = 12;

  /** How the exception of a refusing writer begins: the field that it refuses. */
  private static final Pattern REFUSED = Pattern.compile("(\\w+)\\.(\\w+) is (set|null)");

  @TestFactory
  Stream<DynamicTest> defaultsAreTheSameBytes() {
    return forEachVersion(
        (specification, version) -> check(specification, specification.defaultMessage(), version));
  }

  @TestFactory
  Stream<DynamicTest> randomMessagesAreTheSameBytes() {
    return forEachVersion(
        (specification, version) -> {
          Random random = Seed.random(specification.name() + version);
          RandomMessages messages = new RandomMessages(random);
          for (int i = 0; i < RANDOM_MESSAGES; i++) {
            Message message = messages.next(specification);
            checkRefusals(specification, message, version);
            check(specification, carriedBy(message, version), version);
          }
        });
  }

  private interface VersionCheck {
    void run(Specification specification, short version);
  }

  private static Stream<DynamicTest> forEachVersion(VersionCheck check) {
    return Specification.living().stream()
        .flatMap(
            specification ->
                IntStream.rangeClosed(
                        specification.versions().lowest(), specification.versions().highest())
                    .mapToObj(
                        version ->
                            DynamicTest.dynamicTest(
                                specification.name() + " " + version,
                                () -> check.run(specification, (short) version))));
  }

  /** The message without the fields that the version refuses. */
  static Message carriedBy(Message message, short version) {
    Message carried = message;
    for (String refusal = refusal(carried, version);
        refusal != null;
        refusal = refusal(carried, version)) {
      carried = withoutRefused(carried, refusal);
    }
    return carried;
  }

  /** Each refusal of ours must be one of the other side too. */
  private static void checkRefusals(Specification specification, Message message, short version) {
    Message carried = message;
    for (String refusal = refusal(carried, version);
        refusal != null;
        refusal = refusal(carried, version)) {
      org.apache.kafka.common.protocol.Message theirs =
          OtherSide.of(specification.theirs(), (Record) carried);
      assertThat(refusesToWrite(theirs, version)).as("%s: %s", Seed.text(), refusal).isTrue();
      carried = withoutRefused(carried, refusal);
    }
  }

  private static Message withoutRefused(Message refused, String refusal) {
    Matcher field = REFUSED.matcher(refusal);
    assertThat(field.lookingAt()).as(refusal).isTrue();
    Message carried = RandomMessages.reset(refused, field.group(1), field.group(2));
    assertThat(carried).as("%s, %s", refusal, Seed.text()).isNotEqualTo(refused);
    return carried;
  }

  private static @Nullable String refusal(Message message, short version) {
    try {
      message.write(new ByteWriter(), version);
      return null;
    } catch (UnsupportedVersionException e) {
      return e.getMessage();
    }
  }

  private static boolean refusesToWrite(
      org.apache.kafka.common.protocol.Message theirs, short version) {
    try {
      OtherSide.write(theirs, version);
      return false;
    } catch (org.apache.kafka.common.errors.UnsupportedVersionException
        | NullPointerException refusal) {
      return true; // the other side answers null where a version has none with the latter
    }
  }

  private static void check(Specification specification, Message message, short version) {
    String description = Seed.text() + " " + specification.name() + " version " + version;
    org.apache.kafka.common.protocol.Message theirs =
        OtherSide.of(specification.theirs(), (Record) message);
    byte[] ourBytes = write(message, version);
    byte[] theirBytes = OtherSide.write(theirs, version);
    assertThat(ourBytes).as(description).isEqualTo(theirBytes);

    org.apache.kafka.common.protocol.Message readByThem =
        OtherSide.read(specification.theirs(), ourBytes, version);
    for (ByteBuffer frame : frames(theirBytes)) {
      ByteReader in = new ByteReader(frame);
      Message readByUs = specification.read(in, version);
      assertThat(in.remaining()).as(description).isZero();
      assertThat(write(readByUs, version)).as(description).isEqualTo(theirBytes);
      // Fields that the version does not carry are at their defaults on both sides.
      assertThat(OtherSide.of(specification.theirs(), (Record) readByUs))
          .as(description)
          .isEqualTo(readByThem);
    }
  }

  /** The bytes in an array, and off the heap behind a prefix. */
  private static Stream<ByteBuffer> framesOf(byte[] bytes) {
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 3).position(3).put(bytes);
    return Stream.of(ByteBuffer.wrap(bytes), direct.position(3));
  }

  private static Iterable<ByteBuffer> frames(byte[] bytes) {
    return framesOf(bytes).toList();
  }

  static byte[] write(Message message, short version) {
    ByteWriter out = new ByteWriter(1);
    message.write(out, version);
    ByteBuffer written = out.toBuffer();
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    return bytes;
  }
}
