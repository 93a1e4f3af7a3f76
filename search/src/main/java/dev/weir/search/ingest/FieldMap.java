package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A {@code field_map}: which fields of a document are read, and where what is made of each goes,
 * which is beside it, in the same object. Immutable.
 */
record FieldMap(List<Entry> entries) {

  /** What a place costs, in looks at characters; entries times elements of arrays may be many. */
  private static final int SITE_LOOKS = 50;

  /**
   * One field.
   *
   * @param around the objects that it is in, outermost first; an array of objects stands for each
   * @param name the field's own
   * @param target below the same object
   */
  record Entry(List<String> around, String name, List<String> target) {
    Entry {
      around = List.copyOf(around);
      target = List.copyOf(target);
    }

    private String path() {
      List<String> names = new ArrayList<>(around);
      names.add(name);
      return String.join(".", names);
    }
  }

  FieldMap {
    entries = List.copyOf(entries);
  }

  /**
   * Reads a map of a definition.
   *
   * @throws SearchException with 400 if it is none
   */
  static FieldMap of(ObjectNode json) {
    List<Entry> entries = new ArrayList<>();
    collect(json, List.of(), entries);
    if (entries.isEmpty()) {
      throw SearchException.illegalArgument("must map at least one field");
    }
    return new FieldMap(entries);
  }

  private static void collect(ObjectNode json, List<String> around, List<Entry> entries) {
    for (var member : json.properties()) {
      List<String> names = new ArrayList<>(around);
      names.addAll(DocumentPath.of(member.getKey()).names());
      if (member.getValue() instanceof ObjectNode below) {
        collect(below, DocumentPath.of(String.join(".", names)).names(), entries);
      } else if (member.getValue().isString()) {
        List<String> parents = names.subList(0, names.size() - 1);
        entries.add(
            new Entry(parents, names.getLast(), target(member.getValue().stringValue(), parents)));
      } else {
        throw SearchException.illegalArgument(
            "must map names to names, or to objects that do, got ["
                + Values.shown(member.getValue())
                + "] for ["
                + member.getKey()
                + "]");
      }
    }
  }

  /** A target may be written from the root on as well. */
  private static List<String> target(String text, List<String> around) {
    List<String> names = DocumentPath.of(text).names();
    boolean isFromRoot =
        !around.isEmpty()
            && names.size() > around.size()
            && names.subList(0, around.size()).equals(around);
    return isFromRoot ? names.subList(around.size(), names.size()) : names;
  }

  /**
   * One place of a document that an entry leads to.
   *
   * @param path of the field, for messages
   * @param around the object that it is in
   * @param value null if it is not there
   */
  record Site(String path, ObjectNode around, List<String> target, @Nullable JsonNode value) {

    /** What is at the target now. */
    @Nullable JsonNode present() {
      JsonNode at = around;
      for (String name : target) {
        at = at instanceof ObjectNode object ? object.get(name) : null;
      }
      return at;
    }

    /**
     * Puts what was made of the value.
     *
     * @throws SearchException with 400 if something on the way is no object
     */
    void put(JsonNode made) {
      ObjectNode at = around;
      for (String name : target.subList(0, target.size() - 1)) {
        JsonNode below = at.get(name);
        if (below == null || below.isNull()) {
          at = at.putObject(name);
        } else if (below instanceof ObjectNode object) {
          at = object;
        } else {
          throw SearchException.illegalArgument(
              "[field_map] target ["
                  + String.join(".", target)
                  + "] of ["
                  + path
                  + "] leads through ["
                  + name
                  + "], which is a "
                  + Values.typeName(below));
        }
      }
      at.set(target.getLast(), made);
    }

    /**
     * The texts of the value: its own, or those of an array. Null and blank ones are left out.
     *
     * @throws SearchException with 400 if it is something else
     */
    List<String> texts() {
      List<String> texts = new ArrayList<>();
      if (value instanceof ArrayNode array) {
        array.forEach(element -> add(element, texts));
      } else if (value != null) {
        add(value, texts);
      }
      return texts;
    }

    private void add(JsonNode each, List<String> texts) {
      if (!each.isNull() && !Values.requireText(each, path).isBlank()) {
        texts.add(each.stringValue());
      }
    }
  }

  /** Every place of a document that the map leads to, whether there is a value or not. */
  List<Site> sites(IngestDocument document) {
    List<Site> sites = new ArrayList<>();
    for (Entry entry : entries) {
      descend(entry, 0, document.source(), sites, document.looks());
    }
    return sites;
  }

  private static void descend(
      Entry entry, int depth, @Nullable JsonNode at, List<Site> sites, Looks looks) {
    looks.spend(SITE_LOOKS);
    switch (at) {
      case ArrayNode array when depth > 0 ->
          array.forEach(element -> descend(entry, depth, element, sites, looks));
      case ObjectNode object -> {
        if (depth == entry.around.size()) {
          sites.add(new Site(entry.path(), object, entry.target, object.get(entry.name)));
        } else {
          descend(entry, depth + 1, object.get(entry.around.get(depth)), sites, looks);
        }
      }
      case null, default -> {} // no such object
    }
  }
}
