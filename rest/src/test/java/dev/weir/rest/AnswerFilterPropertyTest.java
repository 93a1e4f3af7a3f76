package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.memory.AnswerBudget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What {@code filter_path} leaves of a stream of tokens is what it would leave of a tree. */
final class AnswerFilterPropertyTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final List<String> NAMES = List.of("a", "b", "ab", "c");
  private static final List<String> PARTS = List.of("a", "b", "a*", "*b", "*", "**", "c");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void aStreamIsFilteredAsATreeWouldBe(int seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 2_000; step++) {
      JsonNode tree = random.nextInt(5) == 0 ? array(random, 4) : object(random, 4);
      List<String> keep = patterns(random);
      List<String> drop = patterns(random);
      String paths =
          keep.stream().collect(Collectors.joining(","))
              + ","
              + drop.stream().map(path -> "-" + path).collect(Collectors.joining(","));
      assertThat(filtered(tree.toString(), paths))
          .as("seed=%d step=%d paths=%s of %s", seed, step, paths, tree)
          .isEqualTo(model(tree, keep, drop).toString());
    }
  }

  private static String filtered(String json, String paths) {
    RestResponse response =
        RestResponse.json(200, AnswerBody.of(json.getBytes(StandardCharsets.UTF_8)));
    RestResponse left =
        CommonParameters.of(Map.of("filter_path", paths))
            .applyTo(response, AnswerBudget.unbounded());
    return new String(left.body().bytes(), StandardCharsets.UTF_8);
  }

  private static List<String> patterns(Random random) {
    return IntStream.range(0, random.nextInt(3))
        .mapToObj(
            _ ->
                IntStream.range(0, 1 + random.nextInt(4))
                    .mapToObj(_ -> PARTS.get(random.nextInt(PARTS.size())))
                    .collect(Collectors.joining(".")))
        .toList();
  }

  private static JsonNode value(Random random, int depth) {
    return switch (depth == 0 ? 2 : random.nextInt(4)) {
      case 0 -> object(random, depth - 1);
      case 1 -> array(random, depth - 1);
      default -> MAPPER.getNodeFactory().numberNode(random.nextInt(10));
    };
  }

  private static ObjectNode object(Random random, int depth) {
    ObjectNode object = MAPPER.createObjectNode();
    for (String name : NAMES) {
      if (random.nextBoolean()) {
        object.set(name, value(random, depth));
      }
    }
    return object;
  }

  private static ArrayNode array(Random random, int depth) {
    ArrayNode array = MAPPER.createArrayNode();
    IntStream.range(0, random.nextInt(3)).forEach(_ -> array.add(value(random, depth)));
    return array;
  }

  // -- the model: a path of names and stars is matched by trying

  private static JsonNode model(JsonNode tree, List<String> keep, List<String> drop) {
    JsonNode kept = keep.isEmpty() ? tree : kept(tree, List.of(), keep);
    return without(kept == null ? MAPPER.createObjectNode() : kept, List.of(), drop);
  }

  private static @Nullable JsonNode kept(JsonNode node, List<String> at, List<String> keep) {
    if (isNamed(at, keep)) {
      return node;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode left = MAPPER.createArrayNode();
      for (JsonNode element : array) {
        @Nullable JsonNode of = kept(element, at, keep);
        if (of != null) {
          left.add(of);
        }
      }
      return left.isEmpty() ? null : left;
    }
    if (node instanceof ObjectNode object) {
      ObjectNode left = MAPPER.createObjectNode();
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        @Nullable JsonNode of = kept(member.getValue(), deeper(at, member.getKey()), keep);
        if (of != null) {
          left.set(member.getKey(), of);
        }
      }
      return left.isEmpty() ? null : left;
    }
    return null;
  }

  private static JsonNode without(JsonNode node, List<String> at, List<String> drop) {
    if (node instanceof ArrayNode array) {
      ArrayNode left = MAPPER.createArrayNode();
      array.forEach(element -> left.add(without(element, at, drop)));
      return left;
    }
    if (node instanceof ObjectNode object) {
      ObjectNode left = MAPPER.createObjectNode();
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        List<String> path = deeper(at, member.getKey());
        if (!isNamed(path, drop)) {
          left.set(member.getKey(), without(member.getValue(), path, drop));
        }
      }
      return left;
    }
    return node;
  }

  private static List<String> deeper(List<String> at, String name) {
    return Stream.concat(at.stream(), Stream.of(name)).toList();
  }

  private static boolean isNamed(List<String> names, List<String> patterns) {
    return patterns.stream().anyMatch(pattern -> matches(List.of(pattern.split("\\.", -1)), names));
  }

  private static boolean matches(List<String> pattern, List<String> names) {
    if (pattern.isEmpty()) {
      return names.isEmpty();
    }
    List<String> rest = pattern.subList(1, pattern.size());
    if (pattern.getFirst().equals("**")) {
      return matches(rest, names)
          || (!names.isEmpty() && matches(pattern, names.subList(1, names.size())));
    }
    return !names.isEmpty()
        && names.getFirst().matches(pattern.getFirst().replace("*", ".*"))
        && matches(rest, names.subList(1, names.size()));
  }
}
