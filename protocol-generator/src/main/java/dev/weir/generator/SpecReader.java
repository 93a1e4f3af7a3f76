package dev.weir.generator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses one specification: JSON with comments. */
final class SpecReader {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build();

  /** What a specification or a field may say; anything else would be silently ignored. */
  private static final Set<String> MESSAGE_KEYS =
      Set.of(
          "apiKey",
          "type",
          "listeners",
          "name",
          "validVersions",
          "flexibleVersions",
          "latestVersionUnstable",
          "commonStructs",
          "fields");

  private static final Set<String> STRUCT_KEYS = Set.of("name", "versions", "fields");

  private static final Set<String> FIELD_KEYS =
      Set.of(
          "name",
          "type",
          "versions",
          "nullableVersions",
          "taggedVersions",
          "tag",
          "flexibleVersions",
          "default",
          "ignorable",
          "entityType",
          "mapKey",
          "zeroCopy",
          "about",
          "fields");

  private final JsonNode root;
  private final VersionRange flexible;
  private final List<StructSpec> nested = new ArrayList<>();

  private SpecReader(JsonNode root) {
    this.root = root;
    this.flexible = range(root, "flexibleVersions", VersionRange.NONE);
  }

  /**
   * @param fileName for the message of the exception
   * @throws InvalidSpecificationException if the text is no specification that we understand whole
   */
  static MessageSpec read(String fileName, String text) {
    try {
      return new SpecReader(MAPPER.readTree(text)).message();
    } catch (InvalidSpecificationException e) {
      throw new InvalidSpecificationException(fileName + ": " + e.getMessage(), e);
    }
  }

  private MessageSpec message() {
    requireKnownKeys(root, MESSAGE_KEYS);
    VersionRange versions = range(root, "validVersions", VersionRange.NONE);
    for (JsonNode common : root.path("commonStructs")) {
      requireKnownKeys(common, STRUCT_KEYS);
      VersionRange own = range(common, "versions", versions).intersect(versions);
      addStruct(required(common, "name"), own, common.path("fields"));
    }
    StructSpec top =
        new StructSpec(required(root, "name"), versions, fields(root.path("fields"), versions));
    return new MessageSpec(
        MessageSpec.Kind.parse(required(root, "type")),
        root.has("apiKey") ? OptionalInt.of(root.get("apiKey").asInt()) : OptionalInt.empty(),
        versions,
        flexible.intersect(versions),
        top,
        nested,
        listeners(),
        root.path("latestVersionUnstable").asBoolean(false));
  }

  private Set<String> listeners() {
    Set<String> listeners = new HashSet<>();
    for (JsonNode listener : root.path("listeners")) {
      listeners.add(listener.asString());
    }
    return listeners;
  }

  private List<FieldSpec> fields(JsonNode nodes, VersionRange parent) {
    List<FieldSpec> fields = new ArrayList<>();
    for (JsonNode node : nodes) {
      fields.add(field(node, parent));
    }
    return fields;
  }

  private FieldSpec field(JsonNode node, VersionRange parent) {
    requireKnownKeys(node, FIELD_KEYS);
    FieldType type = FieldType.parse(required(node, "type"));
    VersionRange tagged = range(node, "taggedVersions", VersionRange.NONE).intersect(parent);
    // A field without "versions" exists where it is tagged.
    VersionRange versions = range(node, "versions", tagged).intersect(parent);
    if (node.has("fields")) {
      FieldType element = type instanceof FieldType.ArrayOf array ? array.element() : type;
      if (!(element instanceof FieldType.Struct(String name))) {
        throw new InvalidSpecificationException(
            "field " + node.get("name") + " of type " + type + " declares fields");
      }
      addStruct(name, versions, node.get("fields"));
    }
    return new FieldSpec(
        required(node, "name"),
        type,
        versions,
        range(node, "nullableVersions", VersionRange.NONE).intersect(versions),
        tagged,
        node.has("tag") ? OptionalInt.of(node.get("tag").asInt()) : OptionalInt.empty(),
        defaultText(node),
        node.path("ignorable").asBoolean(false),
        range(node, "flexibleVersions", flexible).intersect(parent),
        node.path("about").asString(""));
  }

  private void addStruct(String name, VersionRange versions, JsonNode fields) {
    if (nested.stream().anyMatch(struct -> struct.name().equals(name))) {
      throw new InvalidSpecificationException("structure " + name + " is declared twice");
    }
    int place = nested.size();
    // Before its own nested ones, so that the emitted file reads from the outside inwards.
    nested.add(place, new StructSpec(name, versions, List.of()));
    nested.set(place, new StructSpec(name, versions, fields(fields, versions)));
  }

  private static @Nullable String defaultText(JsonNode node) {
    JsonNode value = node.path("default");
    return value.isMissingNode() || value.isNull() ? null : value.asString();
  }

  private static VersionRange range(JsonNode node, String key, VersionRange absent) {
    return node.has(key) ? VersionRange.parse(node.get(key).asString()) : absent;
  }

  private static String required(JsonNode node, String key) {
    if (!node.has(key)) {
      throw new InvalidSpecificationException("no \"" + key + "\" in " + node);
    }
    return node.get(key).asString();
  }

  private static void requireKnownKeys(JsonNode node, Set<String> known) {
    for (String key : node.propertyNames()) {
      if (!known.contains(key)) {
        throw new InvalidSpecificationException("unknown key \"" + key + "\"");
      }
    }
  }
}
