package dev.weir.search.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Laws of processors over random documents. */
final class IngestPropertyTest {
  private static final int DOCUMENTS = 300;
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

  private final Trial trial = new Trial();

  @AfterEach
  void close() {
    trial.close();
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth > 2 ? 4 : 6)) {
      case 0 -> "'" + "xyz".repeat(random.nextInt(3)) + "'";
      case 1 -> random.nextInt(-9, 10) + "." + "0123456789".repeat(1 + random.nextInt(3)) + "00";
      case 2 -> "12345678901234567890123456789" + random.nextInt(10);
      case 3 -> List.of("true", "false", "null").get(random.nextInt(3));
      case 4 -> object(random, depth + 1);
      default -> "[" + value(random, depth + 1) + "," + value(random, depth + 1) + "]";
    };
  }

  private static String object(Random random, int depth) {
    List<String> names = new ArrayList<>(NAMES);
    Collections.shuffle(names, random);
    List<String> members = new ArrayList<>();
    for (String name : names.subList(0, 1 + random.nextInt(NAMES.size()))) {
      members.add("'" + name + "':" + value(random, depth));
    }
    return "{" + String.join(",", members) + "}";
  }

  private static JsonNode tree(String single) {
    return PipelineReader.tree(Trial.quoted(single));
  }

  @Test
  void renamingAndRenamingBackChangesNothing() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < DOCUMENTS; i++) {
      String source = object(random, 0);
      String field = ((ObjectNode) tree(source)).propertyNames().iterator().next();
      String there = "{'rename':{'field':'" + field + "','target_field':'new.name'}}";
      String back = "{'rename':{'field':'new.name','target_field':'" + field + "'}}";
      String after = trial.run(there + "," + back + ",{'remove':{'field':'new'}}", source);
      assertThat(tree(after)).as("seed=%s source=%s", seed, source).isEqualTo(tree(source));
    }
  }

  @Test
  void expandingANameOfDotsFindsWhatASetOfThePathWouldHaveMade() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < DOCUMENTS; i++) {
      String value = value(random, 0);
      List<String> path = new ArrayList<>();
      for (int n = 2 + random.nextInt(3); n > 0; n--) {
        path.add("n" + random.nextInt(4));
      }
      String dotted = String.join(".", path);
      String expanded =
          trial.run(
              "{'dot_expander':{'field':'" + dotted + "'}}",
              "{'z':1,'" + dotted + "':" + value + "}");
      String set = trial.run("{'set':{'field':'" + dotted + "','value':" + value + "}}", "{'z':1}");
      assertThat(expanded).as("seed=%s path=%s", seed, dotted).isEqualTo(set);
    }
  }

  @Test
  void numbersKeepTheirDigitsThroughEveryCopy() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < DOCUMENTS; i++) {
      String value = value(random, 0);
      String after =
          trial.run(
              "{'copy':{'source_field':'a','target_field':'b.c'}},"
                  + "{'append':{'field':'d','value':1}},"
                  + "{'remove':{'field':'a'}}",
              "{'a':" + value + "}");
      assertThat(JsonMapper.shared().readTree(Trial.quoted(after)).has("b")).isTrue();
      assertThat(after).as("seed=%s", seed).isEqualTo("{'b':{'c':" + value + "},'d':[1]}");
    }
  }
}
