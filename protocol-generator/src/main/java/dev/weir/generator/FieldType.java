package dev.weir.generator;

/** The type of a field in a specification. */
sealed interface FieldType permits Scalar, FieldType.ArrayOf, FieldType.Struct {
  /** The Java type of a field of this type. */
  String javaType();

  /** The Java type of an element of a list of this type. */
  default String boxedType() {
    return javaType();
  }

  /** An array; never nested directly in another. */
  record ArrayOf(FieldType element) implements FieldType {
    @Override
    public String javaType() {
      return "List<" + element.boxedType() + ">";
    }
  }

  /** A structure declared in the same message, by its name. */
  record Struct(String name) implements FieldType {
    @Override
    public String javaType() {
      return name;
    }
  }

  /** Reads the notation of the specifications: {@code int32}, {@code []string}, {@code Topic}. */
  static FieldType parse(String text) {
    if (text.startsWith("[]")) {
      return new ArrayOf(parse(text.substring(2)));
    }
    for (Scalar scalar : Scalar.values()) {
      if (scalar.specName().equals(text)) {
        return scalar;
      }
    }
    if (text.isEmpty() || !Character.isUpperCase(text.charAt(0))) {
      throw new InvalidSpecificationException("unknown field type \"" + text + "\"");
    }
    return new Struct(text);
  }
}
