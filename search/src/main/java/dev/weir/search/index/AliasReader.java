package dev.weir.search.index;

import dev.weir.search.catalog.IndexAlias;
import dev.weir.search.catalog.IndexName;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.json.StrictJson;
import dev.weir.search.query.QueryParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/** Reads aliases from the bodies of requests. Pure. */
final class AliasReader {

  private static final Set<String> ROUTING = Set.of("routing", "index_routing", "search_routing");

  private static final KnownNames ACTIONS = KnownNames.of("add", "remove", "remove_index");
  private static final KnownNames OF_ALIAS = KnownNames.of("filter", "is_write_index", "is_hidden");

  private AliasReader() {}

  /** One step of {@code POST /_aliases} before its patterns are resolved. */
  sealed interface Step {
    /** Gives indexes aliases. */
    record Add(List<String> indexes, List<String> aliases, IndexAlias meaning) implements Step {}

    /**
     * Takes aliases from indexes.
     *
     * @param mustExist whether it is refused where none of them is there
     */
    record Remove(List<String> indexes, List<String> aliases, boolean mustExist) implements Step {}

    /** Deletes indexes. */
    record RemoveIndex(List<String> indexes) implements Step {}
  }

  /** Reads {@code {"NAME": {...}}}, as it stands in the body of a new index. */
  static SortedMap<String, IndexAlias> aliases(JsonNode json) {
    requireObject(json, "aliases");
    SortedMap<String, IndexAlias> aliases = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      IndexName.requireAlias(entry.getKey());
      aliases.put(entry.getKey(), alias(entry.getKey(), entry.getValue()));
    }
    return aliases;
  }

  /** Reads what is said of one alias. */
  static IndexAlias alias(String name, JsonNode json) {
    requireObject(json, name);
    Said said = new Said(name);
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      if (!said.take(entry.getKey(), entry.getValue())) {
        throw new SearchException(
            ErrorType.PARSE,
            "unknown field ["
                + entry.getKey()
                + "] of alias ["
                + name
                + "]"
                + OF_ALIAS.hint(entry.getKey()));
      }
    }
    return said.alias();
  }

  /** Reads the body of {@code POST /_aliases}. */
  static List<Step> steps(JsonNode body) {
    JsonNode actions = body.get("actions");
    if (body.size() != 1 || actions == null || !actions.isArray()) {
      throw new SearchException(
          ErrorType.PARSE, "the body must hold [actions], an array, and nothing else");
    }
    List<Step> steps = new ArrayList<>();
    for (JsonNode action : actions) {
      if (!action.isObject() || action.size() != 1) {
        throw new SearchException(
            ErrorType.PARSE,
            "each of the [actions] must be an object with one of [add], [remove] or"
                + " [remove_index], found "
                + action);
      }
      Map.Entry<String, JsonNode> only = action.properties().iterator().next();
      steps.add(step(only.getKey(), only.getValue()));
    }
    if (steps.isEmpty()) {
      throw SearchException.illegalArgument("No action specified; put one into [actions]");
    }
    return steps;
  }

  private static Step step(String type, JsonNode json) {
    if (!ACTIONS.contains(type)) {
      throw new SearchException(
          ErrorType.PARSE,
          "unknown alias action ["
              + type
              + "], expected one of [add, remove, remove_index]"
              + ACTIONS.hint(type));
    }
    requireObject(json, type);
    List<String> indexes = names(type, json, "index", "indices");
    List<String> aliases = List.of();
    if (!type.equals("remove_index")) {
      aliases = names(type, json, "alias", "aliases");
    }
    Said said = new Said(String.join(",", aliases));
    boolean mustExist = !type.equals("add");
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      String key = entry.getKey();
      boolean known =
          switch (key) {
            case "index", "indices" -> true;
            case "alias", "aliases" -> !type.equals("remove_index");
            case "must_exist" -> {
              mustExist = flag(key, entry.getValue());
              yield !type.equals("add");
            }
            default -> type.equals("add") && said.take(key, entry.getValue());
          };
      if (!known) {
        throw new SearchException(
            ErrorType.PARSE,
            "["
                + type
                + "] unknown field ["
                + key
                + "] in alias action"
                + ofAction(type).hint(key));
      }
    }
    return switch (type) {
      case "add" -> new Step.Add(indexes, aliases, said.alias());
      case "remove" -> new Step.Remove(indexes, aliases, mustExist);
      default -> new Step.RemoveIndex(indexes);
    };
  }

  private static KnownNames ofAction(String type) {
    KnownNames indexes = KnownNames.of("index", "indices");
    return switch (type) {
      case "add" -> indexes.and("alias", "aliases").and(OF_ALIAS);
      case "remove" -> indexes.and("alias", "aliases", "must_exist");
      default -> indexes;
    };
  }

  private static List<String> names(String type, JsonNode json, String one, String several) {
    List<String> names = new ArrayList<>();
    for (String key : List.of(one, several)) {
      JsonNode value = json.get(key);
      if (value != null && value.isArray()) {
        value.forEach(each -> names.add(each.asString()));
      } else if (value != null) {
        names.addAll(List.of(value.asString().split(",", -1)));
      }
    }
    if (names.isEmpty()) {
      throw SearchException.illegalArgument(
          "[" + type + "] needs one of [" + one + "] or [" + several + "]");
    }
    return names;
  }

  private static void requireObject(JsonNode json, String name) {
    if (!json.isObject()) {
      throw new SearchException(
          ErrorType.PARSE, "[" + name + "] must be an object, found " + json.getNodeType());
    }
  }

  private static boolean flag(String key, JsonNode value) {
    if (!value.isBoolean()) {
      throw SearchException.illegalArgument(
          "Failed to parse value ["
              + value.asString()
              + "] of ["
              + key
              + "] as only [true] or [false] are allowed.");
    }
    return value.asBoolean();
  }

  /** What has been said of an alias so far. */
  private static final class Said {
    private final String name;
    private @Nullable String filter;
    private IndexAlias.Writing writing = IndexAlias.Writing.UNSAID;

    Said(String name) {
      this.name = name;
    }

    boolean take(String key, JsonNode value) {
      if (ROUTING.contains(key)) {
        throw SearchException.illegalArgument(
            "alias ["
                + name
                + "] says ["
                + key
                + "], which is not supported: the shard of a document follows from its [_id]; leave"
                + " it out");
      }
      return switch (key) {
        case "filter" -> {
          filter = value.isNull() || value.isEmpty() ? null : checked(value);
          yield true;
        }
        case "is_write_index" -> {
          writing =
              value.isNull()
                  ? IndexAlias.Writing.UNSAID
                  : flag(key, value) ? IndexAlias.Writing.HERE : IndexAlias.Writing.ELSEWHERE;
          yield true;
        }
        case "is_hidden" -> {
          if (!value.isNull() && flag(key, value)) {
            throw SearchException.illegalArgument(
                "alias ["
                    + name
                    + "] says [is_hidden], which is not supported; a name with a dot in front is"
                    + " passed over by patterns");
          }
          yield true;
        }
        default -> false;
      };
    }

    private String checked(JsonNode value) {
      String json = value.toString();
      try (JsonParser parser = StrictJson.parser(json)) {
        JsonReader.read(
            () -> {
              JsonReader in = new JsonReader(parser);
              in.next();
              return QueryParser.DEFAULT.parseFilter(in, "alias [" + name + "]'s [filter]");
            });
      }
      return json;
    }

    IndexAlias alias() {
      return new IndexAlias(filter, writing);
    }
  }
}
