package dev.weir.search.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping laid out for reading documents: each node knows its full path, so that none is put
 * together per document. Immutable.
 */
final class MappedNode {

  private final String path;
  private final FieldType type;
  private final FieldType.@Nullable ObjectType object; // null for leaves
  private final Dynamic dynamic;
  private final Map<String, MappedNode> childByName;
  private final List<MappedNode> multiFields;

  private MappedNode(String path, FieldType type, Dynamic inherited) {
    this.path = path;
    this.type = type;
    Map<String, MappedNode> children = new HashMap<>();
    List<MappedNode> multi = new ArrayList<>();
    this.object =
        switch (type) {
          case FieldType.ObjectType plain -> plain;
          case FieldType.Nested nested -> nested.object();
          case FieldType.Leaf _, FieldType.Semantic _ -> null;
        };
    Dynamic own = object == null ? null : object.dynamic();
    this.dynamic = own == null ? inherited : own;
    if (object != null) {
      object
          .properties()
          .forEach((name, below) -> children.put(name, new MappedNode(at(name), below, dynamic)));
    }
    if (type instanceof FieldType.Leaf leaf) {
      leaf.fields().forEach((name, below) -> multi.add(new MappedNode(at(name), below, dynamic)));
    }
    this.childByName = children;
    this.multiFields = List.copyOf(multi);
  }

  static MappedNode root(FieldType.ObjectType root) {
    return new MappedNode("", root, Dynamic.TRUE);
  }

  /** The dotted path; empty for the root. */
  String path() {
    return path;
  }

  FieldType type() {
    return type;
  }

  /** What is below, if the field is an object or holds nested ones; null for leaves. */
  FieldType.@Nullable ObjectType object() {
    return object;
  }

  /** What happens to unknown fields here; never inherited any more. */
  Dynamic dynamic() {
    return dynamic;
  }

  @Nullable MappedNode child(String name) {
    return childByName.get(name);
  }

  List<MappedNode> multiFields() {
    return multiFields;
  }

  /** Whether a name here is that of what belongs to a semantic field. */
  boolean isTaken(String name) {
    if (!name.endsWith(FieldType.Semantic.SUFFIX)) {
      return false;
    }
    MappedNode owner =
        childByName.get(name.substring(0, name.length() - FieldType.Semantic.SUFFIX.length()));
    return owner != null && owner.type instanceof FieldType.Semantic;
  }

  /** The path of a field below this one. */
  String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  @Override
  public String toString() {
    return path + ":" + type.typeName();
  }
}
