package dev.weir.search.index;

import dev.weir.search.catalog.IndexAlias;
import dev.weir.search.catalog.IndexSettings;
import dev.weir.search.catalog.SettingsReader;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.KnownNames;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MappingJson;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What a new index shall be: the body of {@code PUT /{index}}. */
public record IndexRequest(
    IndexSettings settings, Mapping mapping, SortedMap<String, IndexAlias> aliases) {

  /** Nothing said. */
  public static final IndexRequest DEFAULT =
      new IndexRequest(IndexSettings.DEFAULT, Mapping.EMPTY, new TreeMap<>());

  /** Takes an unmodifiable copy of the aliases. */
  public IndexRequest {
    aliases = Collections.unmodifiableSortedMap(new TreeMap<>(aliases));
  }

  /**
   * Reads the body.
   *
   * @throws SearchException with 400
   */
  public static IndexRequest parse(JsonNode body) {
    if (!body.isObject()) {
      throw new SearchException(ErrorType.PARSE, "request body must be an object");
    }
    IndexSettings settings = IndexSettings.DEFAULT;
    Mapping mapping = Mapping.EMPTY;
    SortedMap<String, IndexAlias> aliases = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : body.properties()) {
      switch (entry.getKey()) {
        case "settings" -> settings = SettingsReader.ofNewIndex(entry.getValue());
        case "mappings" -> mapping = MappingJson.parse(entry.getValue());
        case "aliases" -> aliases = AliasReader.aliases(entry.getValue());
        default ->
            throw new SearchException(
                ErrorType.PARSE,
                "unknown key ["
                    + entry.getKey()
                    + "] for create index, expected one of"
                    + " [settings, mappings, aliases]"
                    + KnownNames.of("settings", "mappings", "aliases").hint(entry.getKey()));
      }
    }
    return new IndexRequest(settings, mapping, aliases);
  }
}
