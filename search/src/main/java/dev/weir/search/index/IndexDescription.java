package dev.weir.search.index;

import dev.weir.search.catalog.IndexAlias;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.mapping.MappingJson;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An index as {@code GET /{index}} shows it. Pure. */
public final class IndexDescription {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** OpenSearch 3.9.0 as it writes versions into indexes: number with a mask over it. */
  private static final String VERSION_CREATED = "137307827";

  private IndexDescription() {}

  /** {@code {"aliases": {...}, "mappings": {...}, "settings": {"index": {...}}}}. */
  public static ObjectNode print(IndexDefinition index) {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("aliases", aliases(index.aliases()));
    json.set("mappings", MappingJson.print(index.mapping()));
    json.set("settings", nested(settings(index)));
    return json;
  }

  /** {@code {"NAME": {"filter": {...}, "is_write_index": true}}}. */
  public static ObjectNode aliases(Map<String, IndexAlias> aliases) {
    ObjectNode json = MAPPER.createObjectNode();
    aliases.forEach(
        (name, alias) -> {
          ObjectNode one = json.putObject(name);
          if (alias.filter() != null) {
            one.set("filter", MAPPER.readTree(alias.filter()));
          }
          switch (alias.writing()) {
            case UNSAID -> {}
            case HERE -> one.put("is_write_index", true);
            case ELSEWHERE -> one.put("is_write_index", false);
          }
        });
    return json;
  }

  /** The settings that hold, those of the system too, by full name. */
  public static SortedMap<String, String> settings(IndexDefinition index) {
    SortedMap<String, String> settings = new TreeMap<>(index.settings().valueByName());
    settings.put("index.number_of_shards", Integer.toString(index.shards()));
    settings.put("index.number_of_replicas", Integer.toString(index.settings().replicas()));
    settings.put("index.creation_date", Long.toString(index.createdMs()));
    settings.put("index.uuid", index.uuidText());
    settings.put("index.provided_name", index.name());
    settings.put("index.version.created", VERSION_CREATED);
    return settings;
  }

  /** Dotted names as objects in objects, values as text. */
  public static ObjectNode nested(SortedMap<String, String> settings) {
    ObjectNode root = MAPPER.createObjectNode();
    for (Map.Entry<String, String> entry : settings.entrySet()) {
      ObjectNode at = root;
      String name = entry.getKey();
      for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.')) {
        String head = name.substring(0, dot);
        // A name may be a value and a prefix of others (index.knn, index.knn.algo_param.ef_search):
        // then the longer ones stay dotted, as OpenSearch has it.
        if (at.has(head) && !at.get(head).isObject()) {
          break;
        }
        at = at.has(head) ? (ObjectNode) at.get(head) : at.putObject(head);
        name = name.substring(dot + 1);
      }
      at.put(name, entry.getValue());
    }
    return root;
  }
}
