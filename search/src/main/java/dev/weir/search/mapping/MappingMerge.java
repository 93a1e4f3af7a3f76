package dev.weir.search.mapping;

import dev.weir.search.error.SearchException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The union of a mapping and an addition to it. Fields may be added, and parameters changed that do
 * not alter what is in the index already; everything else is refused.
 */
public final class MappingMerge {

  /** Parameters that only concern documents to come, or queries. */
  private static final Set<Trait> CHANGEABLE =
      EnumSet.of(Trait.COERCES, Trait.IGNORES_MALFORMED, Trait.IGNORES_ELEVATION);

  /** The parameters of a vector field of which only the dimension is said. */
  private static final Map<String, Object> PLAIN_VECTOR =
      layout(new FieldType.KnnVector(1, SpaceType.L2, KnnMethod.DEFAULT));

  private MappingMerge() {}

  /**
   * The mapping with the addition merged in; the same instance when that changes nothing.
   *
   * @throws SearchException with 400 {@code illegal_argument_exception} on a conflict
   */
  public static Mapping merge(Mapping mapping, Mapping addition) {
    FieldType.ObjectType root = objects("", mapping.root(), addition.root());
    Mapping.Options options =
        addition.options().equals(Mapping.Options.DEFAULT) ? mapping.options() : addition.options();
    Mapping merged = new Mapping(root, options);
    SemanticFields.requireFree(mapping, merged);
    return merged.equals(mapping) ? mapping : merged;
  }

  static FieldType types(String path, FieldType there, FieldType added) {
    if (there instanceof FieldType.Semantic != added instanceof FieldType.Semantic) {
      throw otherType(path, there, added);
    }
    return switch (there) {
      case FieldType.Semantic semantic -> {
        requireSame(path, semantic, (FieldType.Semantic) added);
        yield semantic;
      }
      case FieldType.ObjectType object -> {
        if (added instanceof FieldType.ObjectType more) {
          yield objects(path, object, more);
        }
        if (added instanceof FieldType.Nested) {
          throw SearchException.illegalArgument(
              "object mapping [" + path + "] can't be changed from non-nested to nested");
        }
        throw SearchException.illegalArgument(
            "can't merge a non object mapping [" + path + "] with an object mapping");
      }
      case FieldType.Nested nested -> {
        if (added instanceof FieldType.Nested more) {
          requireSameCopies(path, nested, more);
          yield new FieldType.Nested(
              objects(path, nested.object(), more.object()), nested.copies());
        }
        throw SearchException.illegalArgument(
            "object mapping [" + path + "] can't be changed from nested to non-nested");
      }
      case FieldType.Leaf leaf -> {
        if (added instanceof FieldType.Leaf more) {
          yield leaves(path, leaf, more);
        }
        throw SearchException.illegalArgument(
            "can't merge a non object mapping [" + path + "] with an object mapping");
      }
    };
  }

  /** Documents that are there would lack what later ones have. */
  private static void requireSameCopies(
      String path, FieldType.Nested there, FieldType.Nested added) {
    for (FieldType.Nested.Copy copy : added.copies()) {
      if (!there.copies().contains(copy)) {
        throw SearchException.illegalArgument(
            "the ["
                + copy.parameter()
                + "] parameter can't be updated on a nested object mapping ["
                + path
                + "]; make a new index and write the documents to it");
      }
    }
  }

  private static FieldType.ObjectType objects(
      String path, FieldType.ObjectType there, FieldType.ObjectType added) {
    SortedMap<String, FieldType> properties = new TreeMap<>(there.properties());
    added
        .properties()
        .forEach(
            (name, type) -> {
              FieldType before = properties.get(name);
              String below = path.isEmpty() ? name : path + "." + name;
              properties.put(name, before == null ? type : types(below, before, type));
            });
    return new FieldType.ObjectType(
        added.dynamic() == null ? there.dynamic() : added.dynamic(),
        there.isEnabled() && added.isEnabled(),
        properties);
  }

  private static FieldType.Leaf leaves(String path, FieldType.Leaf there, FieldType.Leaf added) {
    if (!there.typeName().equals(added.typeName())) {
      throw otherType(path, there, added);
    }
    requireSameLayout(path, there, added);
    SortedMap<String, FieldType.Leaf> fields = new TreeMap<>(there.fields());
    added
        .fields()
        .forEach(
            (name, leaf) -> {
              FieldType.Leaf before = fields.get(name);
              fields.put(name, before == null ? leaf : leaves(path + "." + name, before, leaf));
            });
    return switch (added) {
      case FieldType.Text text ->
          new FieldType.Text(text.analyzer(), text.searchAnalyzer(), text.traits(), fields);
      case FieldType.Keyword keyword ->
          new FieldType.Keyword(
              keyword.ignoreAbove(), keyword.nullValue(), keyword.traits(), fields);
      case FieldType.Numeric numeric ->
          new FieldType.Numeric(numeric.kind(), numeric.nullValue(), numeric.traits(), fields);
      case FieldType.Bool bool -> new FieldType.Bool(bool.nullValue(), bool.traits(), fields);
      case FieldType.DateTime date ->
          new FieldType.DateTime(date.format(), date.nullValue(), date.traits(), fields);
      case FieldType.Geo geo -> geo;
      case FieldType.KnnVector vector -> vector;
    };
  }

  private static SearchException otherType(String path, FieldType there, FieldType added) {
    return SearchException.illegalArgument(
        "mapper ["
            + path
            + "] cannot be changed from type ["
            + there.typeName()
            + "] to type ["
            + added.typeName()
            + "]");
  }

  /** Vectors of two models, or of texts and of chunks, cannot be compared. */
  private static void requireSame(String path, FieldType.Semantic there, FieldType.Semantic added) {
    if (!there.equals(added)) {
      throw SearchException.illegalArgument(
          "Mapper for ["
              + path
              + "] conflicts with existing mapper: the [model_id], [dimension] and [chunking] of a"
              + " [semantic] field stay as they are; write the documents to a new index");
    }
  }

  /** What is in the index already must keep its meaning. */
  private static void requireSameLayout(String path, FieldType.Leaf there, FieldType.Leaf added) {
    Map<String, Object> before = layout(there);
    Map<String, Object> after = layout(added);
    SortedSet<String> differing = new TreeSet<>(before.keySet());
    differing.removeIf(parameter -> Objects.equals(before.get(parameter), after.get(parameter)));
    // What has its default was probably not said: it is told only where nothing else is.
    Map<String, Object> unsaid = added instanceof FieldType.KnnVector ? PLAIN_VECTOR : Map.of();
    SortedSet<String> said = new TreeSet<>(differing);
    said.removeIf(parameter -> Objects.equals(after.get(parameter), unsaid.get(parameter)));
    List<String> conflicts = new ArrayList<>();
    (said.isEmpty() ? differing : said)
        .forEach(
            parameter ->
                conflicts.add(
                    "\tCannot update parameter ["
                        + parameter
                        + "] from ["
                        + before.get(parameter)
                        + "] to ["
                        + after.get(parameter)
                        + "]"));
    if (!conflicts.isEmpty()) {
      throw SearchException.illegalArgument(
          "Mapper for ["
              + path
              + "] conflicts with existing mapper:\n"
              + String.join("\n", conflicts));
    }
  }

  private static Map<String, Object> layout(FieldType.Leaf leaf) {
    Map<String, Object> layout = new HashMap<>();
    for (Trait trait : Trait.values()) {
      if (!CHANGEABLE.contains(trait)) {
        layout.put(parameter(trait), leaf.traits().contains(trait));
      }
    }
    switch (leaf) {
      case FieldType.Text text -> layout.put("analyzer", text.analyzer().text());
      case FieldType.DateTime date -> layout.put("format", date.format().text());
      case FieldType.KnnVector vector -> {
        layout.put("dimension", vector.dimension());
        layout.put("data_type", vector.data().text());
        layout.put("space_type", vector.space().text());
        layout.put("engine", vector.method().engine().text());
        layout.put("method", vector.method().algorithm().text());
        layout.put("compression_level", vector.method().compression().text());
        layout.put("m", vector.method().graph().m());
        layout.put("ef_construction", vector.method().graph().efConstruction());
      }
      case FieldType.Keyword _, FieldType.Numeric _, FieldType.Bool _, FieldType.Geo _ -> {}
    }
    return layout;
  }

  private static String parameter(Trait trait) {
    return switch (trait) {
      case INDEXED -> "index";
      case DOC_VALUES -> "doc_values";
      case NORMS -> "norms";
      case COERCES -> "coerce";
      case IGNORES_MALFORMED -> "ignore_malformed";
      case IGNORES_ELEVATION -> "ignore_z_value";
    };
  }
}
