package dev.weir.search.execute;

import dev.weir.search.mapping.FieldRendering;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.Json;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.RenderedValue;
import dev.weir.search.request.NamePattern;
import dev.weir.search.request.ShownField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.util.BytesRef;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Takes values of fields out of documents: the leaves of plain objects side by side, those of a
 * nested field together for each of its objects. Immutable.
 */
final class SourceFields {
  private final Mapping mapping;
  private final Map<String, List<FieldRendering>> renderingsBySource; // by where the values stand
  private final List<NamePattern> unmapped;

  private SourceFields(
      Mapping mapping,
      Map<String, List<FieldRendering>> renderingsBySource,
      List<NamePattern> unmapped) {
    this.mapping = mapping;
    this.renderingsBySource = renderingsBySource;
    this.unmapped = unmapped;
  }

  /**
   * Those that a request asks for, under a mapping.
   *
   * @throws IllegalArgumentException if a field has no such format
   */
  static SourceFields of(List<ShownField> asked, Mapping mapping) {
    Map<String, FieldRendering> renderingByPath = new LinkedHashMap<>();
    List<NamePattern> unmapped = new ArrayList<>();
    for (ShownField each : asked) {
      NamePattern pattern = NamePattern.of(each.pattern());
      if (each.unmapped() == ShownField.Unmapped.SHOWN) {
        unmapped.add(pattern);
      }
      if (each.pattern().indexOf('*') < 0) {
        mapping
            .field(each.pattern())
            .ifPresent(leaf -> put(each.pattern(), leaf, each, renderingByPath));
        continue;
      }
      mapping
          .typeByPath()
          .forEach(
              (path, type) -> {
                if (type instanceof FieldType.Leaf leaf && pattern.matches(path)) {
                  put(path, leaf, each, renderingByPath);
                }
              });
    }
    Map<String, List<FieldRendering>> renderingsBySource = new HashMap<>();
    renderingByPath
        .values()
        .forEach(
            rendering ->
                renderingsBySource
                    .computeIfAbsent(source(rendering.path(), mapping), _ -> new ArrayList<>())
                    .add(rendering));
    return new SourceFields(mapping, renderingsBySource, unmapped);
  }

  private static void put(
      String path, FieldType.Leaf leaf, ShownField asked, Map<String, FieldRendering> into) {
    into.put(path, FieldRendering.of(path, leaf, asked.format()));
  }

  /** Where documents have the values of a field: of a multi-field, where its field has them. */
  private static String source(String path, Mapping mapping) {
    String source = path;
    for (int dot = source.lastIndexOf('.'); dot > 0; dot = source.lastIndexOf('.')) {
      String around = source.substring(0, dot);
      if (!(mapping.type(around).orElse(null) instanceof FieldType.Leaf)) {
        break;
      }
      source = around;
    }
    return source;
  }

  /** Whether nothing is asked for. */
  boolean isEmpty() {
    return renderingsBySource.isEmpty() && unmapped.isEmpty();
  }

  /**
   * The values in an object.
   *
   * @param path where it stands in its document; empty for a whole document
   * @param json one JSON object
   */
  SortedMap<String, List<RenderedValue>> of(String path, BytesRef json) {
    SortedMap<String, List<RenderedValue>> found = new TreeMap<>();
    try (JsonParser in = Json.parser(ByteBuffer.wrap(json.bytes, json.offset, json.length))) {
      in.nextToken();
      members(path, in, new Sink("", found));
    }
    return found;
  }

  /**
   * Where values are put.
   *
   * @param base path of the object that is shown together, with a dot; empty for the hit
   */
  private record Sink(String base, SortedMap<String, List<RenderedValue>> valuesByField) {
    void put(String path, RenderedValue value) {
      valuesByField
          .computeIfAbsent(path.substring(base.length()), _ -> new ArrayList<>())
          .add(value);
    }
  }

  /** Reads up to the end of the object that the parser stands in. */
  private void members(String path, JsonParser in, Sink into) {
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      member(path.isEmpty() ? name : path + "." + name, in, into);
    }
  }

  private void member(String path, JsonParser in, Sink into) {
    switch (mapping.type(path).orElse(null)) {
      case null -> unmapped(path, in, into);
      case FieldType.ObjectType object when !object.isEnabled() -> unmapped(path, in, into);
      case FieldType.ObjectType _ -> objects(path, in, into);
      case FieldType.Nested _ -> nested(path, in, into);
      case FieldType.Semantic _ -> leaf(path, FieldType.Text.DEFAULT, in, into);
      case FieldType.Leaf leaf -> leaf(path, leaf, in, into);
    }
  }

  private void leaf(String path, FieldType.Leaf type, JsonParser in, Sink into) {
    List<FieldRendering> renderings = renderingsBySource.get(path);
    if (renderings == null) {
      in.skipChildren();
    } else {
      values(type, renderings, in, into);
    }
  }

  private void objects(String path, JsonParser in, Sink into) {
    switch (in.currentToken()) {
      case START_OBJECT -> members(path, in, into);
      case START_ARRAY -> {
        while (in.nextToken() != JsonToken.END_ARRAY) {
          objects(path, in, into);
        }
      }
      default -> {} // null, or from before the field was mapped
    }
  }

  private void nested(String path, JsonParser in, Sink into) {
    switch (in.currentToken()) {
      case START_OBJECT -> {
        SortedMap<String, List<RenderedValue>> group = new TreeMap<>();
        members(path, in, new Sink(path + ".", group));
        if (!group.isEmpty()) {
          into.put(path, new RenderedValue.Group(group));
        }
      }
      case START_ARRAY -> {
        while (in.nextToken() != JsonToken.END_ARRAY) {
          nested(path, in, into);
        }
      }
      default -> {} // null, or from before the field was mapped
    }
  }

  private static void values(
      FieldType.Leaf leaf, List<FieldRendering> renderings, JsonParser in, Sink into) {
    boolean isRead = // by one rendering alone, since it moves the parser
        leaf instanceof FieldType.Geo || leaf instanceof FieldType.KnnVector;
    if (!isRead && in.currentToken() == JsonToken.START_ARRAY) {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        values(leaf, renderings, in, into);
      }
      return;
    }
    if (!isRead && in.currentToken() == JsonToken.START_OBJECT) {
      in.skipChildren(); // from before the field was mapped
      return;
    }
    for (FieldRendering rendering : renderings) {
      rendering.each(in, value -> into.put(rendering.path(), value));
    }
  }

  private void unmapped(String path, JsonParser in, Sink into) {
    if (unmapped.isEmpty()) {
      in.skipChildren();
      return;
    }
    switch (in.currentToken()) {
      case START_OBJECT -> {
        while (in.nextToken() != JsonToken.END_OBJECT) {
          String name = in.currentName();
          in.nextToken();
          unmapped(path + "." + name, in, into);
        }
      }
      case START_ARRAY -> {
        while (in.nextToken() != JsonToken.END_ARRAY) {
          unmapped(path, in, into);
        }
      }
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE -> {
        if (unmapped.stream().anyMatch(pattern -> pattern.matches(path))) {
          into.put(path, asItStands(in));
        }
      }
      default -> {} // null is no value
    }
  }

  private static RenderedValue asItStands(JsonParser in) {
    return switch (in.currentToken()) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new RenderedValue.Digits(in.getString());
      case VALUE_TRUE -> new RenderedValue.Flag(true);
      case VALUE_FALSE -> new RenderedValue.Flag(false);
      default -> new RenderedValue.Text(in.getString());
    };
  }
}
