package dev.weir.search.mapping;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Completes semantic fields by what their models say. */
public final class SemanticFields {

  private SemanticFields() {}

  /**
   * The mapping with the dimension of every semantic field; the same instance if it has none.
   *
   * @param dimensionOf the dimension of a model, null for the one of the product; may refuse
   * @throws dev.weir.search.error.SearchException with 400 if a dimension that is said is another
   */
  public static Mapping completed(
      Mapping mapping, Function<@Nullable String, Integer> dimensionOf) {
    return mapping.semanticByPath().isEmpty()
        ? mapping
        : new Mapping(completed("", mapping.root(), dimensionOf), mapping.options());
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
