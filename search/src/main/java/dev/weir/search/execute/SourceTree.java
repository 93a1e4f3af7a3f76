package dev.weir.search.execute;

import dev.weir.search.json.StrictJson;
import dev.weir.search.mapping.ExactTree;
import dev.weir.search.request.SourceFilter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;
import tools.jackson.databind.util.RawValue;

/**
 * What a hit shows of its document, taken apart so that it can be changed. Numbers keep their
 * digits. A path names members with dots between; a member whose name has dots itself is found as
 * well. One thread.
 */
final class SourceTree {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** Digits of the number of an element; there are no more elements in a request. */
  private static final int PLACE_DIGITS_MAX = 6;

  private final ObjectNode root;

  private SourceTree(ObjectNode root) {
    this.root = root;
  }

  static SourceTree of(HitSource source) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      source.write(out);
    }
    return of(text.toString());
  }

  static SourceTree of(String json) {
    try (JsonParser in = StrictJson.parser(json)) {
      in.nextToken();
      return new SourceTree((ObjectNode) ExactTree.of(in));
    }
  }

  HitSource source() {
    return HitSource.of(
        root.toString().getBytes(StandardCharsets.UTF_8),
        new SourceFilter.Fields(List.of(), List.of()));
  }

  /** Where a value stands. */
  private record Place(ObjectNode object, String name) {}

  private static @Nullable Place find(ObjectNode object, String path) {
    if (object.has(path)) {
      return new Place(object, path);
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      if (object.get(path.substring(0, dot)) instanceof ObjectNode below) {
        Place found = find(below, path.substring(dot + 1));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** The value at a path; null if there is none. */
  @Nullable JsonNode get(String path) {
    Place place = find(root, path);
    return place == null ? null : place.object.get(place.name);
  }

  /** The value at a path that may go through arrays, by the numbers of their elements. */
  @Nullable JsonNode at(String path) {
    return at(root, path);
  }

  private static @Nullable JsonNode at(JsonNode node, String path) {
    JsonNode whole = child(node, path);
    if (whole != null) {
      return whole;
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      JsonNode below = child(node, path.substring(0, dot));
      JsonNode found = below == null ? null : at(below, path.substring(dot + 1));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable JsonNode child(JsonNode node, String name) {
    if (node instanceof ArrayNode array) {
      boolean isPlace =
          name.length() <= PLACE_DIGITS_MAX && name.chars().allMatch(Character::isDigit);
      return isPlace && !name.isEmpty() ? array.get(Integer.parseInt(name)) : null;
    }
    return node.get(name);
  }

  /** Takes the value at a path away; null if there is none. */
  @Nullable JsonNode remove(String path) {
    Place place = find(root, path);
    return place == null ? null : place.object.remove(place.name);
  }

  /** Puts a value where the path is, or as a member of that name. */
  void put(String path, JsonNode value) {
    Place place = find(root, path);
    if (place == null) {
      root.set(path, value);
    } else {
      place.object.set(place.name, value);
    }
  }

  /** The texts at a path, also below arrays. */
  List<String> texts(String path) {
    List<String> texts = new ArrayList<>();
    collect(root, path, texts);
    return texts;
  }

  private static void collect(JsonNode node, String path, List<String> into) {
    switch (node) {
      case ArrayNode array -> array.forEach(each -> collect(each, path, into));
      case ObjectNode object -> {
        if (path.isEmpty()) {
          into.add(object.toString());
          return;
        }
        JsonNode whole = object.get(path);
        if (whole != null) {
          collect(whole, "", into);
          return;
        }
        for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
          JsonNode below = object.get(path.substring(0, dot));
          if (below != null) {
            collect(below, path.substring(dot + 1), into);
          }
        }
      }
      default -> {
        if (path.isEmpty() && !node.isNull()) {
          into.add(text(node));
        }
      }
    }
  }

  /** A scalar as a text. */
  static String text(JsonNode node) {
    return node.isString() ? node.stringValue() : node.toString();
  }

  /** The number that a node is; null if it is none. */
  static @Nullable BigDecimal number(JsonNode node) {
    try {
      return node instanceof POJONode pojo && pojo.getPojo() instanceof RawValue raw
          ? new BigDecimal(String.valueOf(raw.rawValue()))
          : null;
    } catch (NumberFormatException _) {
      return null; // too large an exponent for any number of ours
    }
  }
}
