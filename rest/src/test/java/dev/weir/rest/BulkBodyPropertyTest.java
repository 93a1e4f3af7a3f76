package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.document.BulkBody;
import dev.weir.search.document.BulkOperation;
import dev.weir.search.document.BulkOperation.IndexCreation;
import dev.weir.search.error.SearchException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bulk bodies of random actions and documents, some of them huge, lie anywhere in buffers of either
 * kind, with either line ending, and are read back action by action.
 */
class BulkBodyPropertyTest {
  private static final int BODIES = 100;
  private static final int HUGE = 100_000;

  private record Line(String action, String id, String document) {
    String text(String lineEnd) {
      String head = "{\"" + action + "\":{\"_index\":\"i\",\"_id\":\"" + id + "\"}}" + lineEnd;
      return action.equals("delete") ? head : head + document + lineEnd;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void whatWasWrittenIsReadBack(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < BODIES; i++) {
      List<Line> lines = lines(random);
      StringBuilder body = new StringBuilder();
      for (Line line : lines) {
        body.append(random.nextInt(5) == 0 ? blank(random) : "");
        body.append(line.text(random.nextBoolean() ? "\n" : "\r\n"));
      }
      List<BulkOperation> read =
          BulkBody.parse(placed(body.toString(), random), null, IndexCreation.AUTO);
      assertThat(read.stream().map(BulkBodyPropertyTest::shown).toList())
          .as("body " + i + " of seed " + seed)
          .isEqualTo(lines);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {4, 5})
  void aBodyThatIsCutAnywhereIsRefusedOrReadUpToTheCut(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < BODIES; i++) {
      List<Line> lines = lines(random);
      String whole = String.join("", lines.stream().map(line -> line.text("\n")).toList());
      byte[] bytes = whole.getBytes(StandardCharsets.UTF_8);
      int cut = random.nextInt(bytes.length);
      ByteBuffer body = ByteBuffer.wrap(bytes, 0, cut);
      if (cut > 0 && bytes[cut - 1] == '\n' && endsAfterWhole(lines, cut)) {
        assertThat(BulkBody.parse(body, null, IndexCreation.AUTO).size()).isLessThan(lines.size());
      } else {
        assertThatThrownBy(() -> BulkBody.parse(body, null, IndexCreation.AUTO))
            .as("cut " + cut + " of seed " + seed)
            .isInstanceOfSatisfying(
                SearchException.class, e -> assertThat(e.status()).isEqualTo(400));
      }
    }
  }

  private static boolean endsAfterWhole(List<Line> lines, int cut) {
    int end = 0;
    for (Line line : lines) {
      end += line.text("\n").getBytes(StandardCharsets.UTF_8).length;
      if (end == cut) {
        return true;
      }
    }
    return false;
  }

  private static List<Line> lines(Random random) {
    String[] actions = {"index", "create", "update", "delete"};
    List<Line> lines = new ArrayList<>();
    int count = 1 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      String action = actions[random.nextInt(actions.length)];
      String id = Integer.toString(random.nextInt(1000));
      lines.add(new Line(action, id, action.equals("delete") ? "" : document(random)));
    }
    return lines;
  }

  private static String document(Random random) {
    int length = random.nextInt(50) == 0 ? HUGE : random.nextInt(40);
    StringBuilder text = new StringBuilder("{\"t\":\"");
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(
          "abc é漢😀".codePointAt("abc é漢😀".offsetByCodePoints(0, random.nextInt(7))));
    }
    return text.append("\"}").toString();
  }

  private static String blank(Random random) {
    return random.nextBoolean() ? "\n" : "\r\n";
  }

  private static ByteBuffer placed(String body, Random random) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    int before = random.nextInt(20);
    int capacity = before + bytes.length + random.nextInt(20);
    ByteBuffer buffer =
        random.nextBoolean() ? ByteBuffer.allocate(capacity) : ByteBuffer.allocateDirect(capacity);
    buffer.position(before).put(bytes).flip().position(before);
    return random.nextBoolean() ? buffer.slice() : buffer.asReadOnlyBuffer();
  }

  private static Line shown(BulkOperation operation) {
    String id = String.valueOf(operation.id());
    String document =
        switch (operation) {
          case BulkOperation.Put put -> text(put.source());
          case BulkOperation.Update update -> text(update.body());
          case BulkOperation.Delete _ -> "";
        };
    return new Line(operation.action().text(), id, document);
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
