package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Completes semantic fields by what their models say. */
public final class SemanticFields {

  private SemanticFields() {}

  /**
   * The mapping with the dimension of every semantic field; the same instance if it has none.
   *
   * @param dimensionOf the dimension of a model, null for the one of the product; may refuse
   * @throws SearchException with 400 if a dimension that is said is another
   */
  public static Mapping completed(
      Mapping mapping, Function<@Nullable String, Integer> dimensionOf) {
    return mapping.semanticByPath().isEmpty()
        ? mapping
        : new Mapping(completed("", mapping.root(), dimensionOf), mapping.options());
  }

  /**
   * Checks that no field has a name that belongs to a semantic one.
   *
   * @throws SearchException with 400 that names both
   */
  static void requireFree(Mapping mapping) {
    SortedSet<String> taken = withTakenName(mapping);
    if (!taken.isEmpty()) {
      throw MappingRefusal.definition(taken(taken.first()));
    }
  }

  /**
   * Checks that a mapping that others were merged into has no such field. What it had before stays,
   * since it was accepted once, and other fields can be added to it.
   *
   * @throws SearchException with 400 that names both
   */
  static void requireFree(Mapping before, Mapping merged) {
    SortedSet<String> taken = withTakenName(merged);
    if (!taken.isEmpty()) {
      taken.removeAll(withTakenName(before));
    }
    if (!taken.isEmpty()) {
      throw SearchException.illegalArgument(taken(taken.first()));
    }
  }

  private static String taken(String path) {
    return "Field ["
        + path
        + FieldType.Semantic.SUFFIX
        + "] is what belongs to the semantic field ["
        + path
        + "]; give one of them another name";
  }

  /** The semantic fields beside which there is a field that is named as their vectors are. */
  private static SortedSet<String> withTakenName(Mapping mapping) {
    SortedSet<String> taken = new TreeSet<>();
    for (String path : mapping.semanticByPath().keySet()) {
      @Nullable FieldType around = mapping.root();
      int begin = 0;
      for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', begin)) {
        around = below(around, path.substring(begin, dot));
        begin = dot + 1;
      }
      if (around instanceof FieldType.ObjectType object
          && object.properties().containsKey(path.substring(begin) + FieldType.Semantic.SUFFIX)) {
        taken.add(path);
      }
    }
    return taken;
  }

  private static @Nullable FieldType below(@Nullable FieldType type, String name) {
    return type instanceof FieldType.ObjectType object ? object.properties().get(name) : null;
  }

  private static FieldType.ObjectType completed(
      String path, FieldType.ObjectType object, Function<@Nullable String, Integer> dimensionOf) {
    SortedMap<String, FieldType> properties = new TreeMap<>();
    object
        .properties()
        .forEach(
            (name, type) -> {
              String below = path.isEmpty() ? name : path + "." + name;
              properties.put(
                  name,
                  switch (type) {
                    case FieldType.ObjectType inner -> completed(below, inner, dimensionOf);
                    case FieldType.Semantic semantic -> completed(below, semantic, dimensionOf);
                    case FieldType.Nested _, FieldType.Leaf _ -> type;
                  });
            });
    return new FieldType.ObjectType(object.dynamic(), object.isEnabled(), properties);
  }

  private static FieldType.Semantic completed(
      String path, FieldType.Semantic semantic, Function<@Nullable String, Integer> dimensionOf) {
    int found = dimensionOf.apply(semantic.modelId());
    if (semantic.dimension() > 0 && semantic.dimension() != found) {
      throw MappingRefusal.definition(
          "[dimension] of semantic field ["
              + path
              + "] is "
              + semantic.dimension()
              + ", and its model gives "
              + found
              + "; leave it out");
    }
    return semantic.withDimension(found);
  }
}
