package dev.weir.generator;

/**
 * The least bytes that a value can take on the wire, over all versions of its message.
 *
 * <p>The readers refuse an array that claims more elements than the bytes left can hold; this is
 * what they divide by.
 */
record LeastBytes(MessageSpec message) {

  int ofElement(FieldType type, LengthStyle style) {
    return switch (type) {
      case Scalar scalar -> scalar.leastBytes(style);
      case FieldType.ArrayOf _ -> style == LengthStyle.COMPACT ? 1 : Integer.BYTES;
      case FieldType.Struct(String name) -> ofStruct(message.struct(name));
    };
  }

  private int ofStruct(StructSpec struct) {
    int least = Integer.MAX_VALUE;
    for (int version = struct.versions().lowest();
        version <= struct.versions().highest();
        version++) {
      least = Math.min(least, ofStruct(struct, version));
    }
    // A structure without any field in some version takes no bytes there; the bound is then the
    // number of bytes left, which no honest message comes near.
    return Math.max(1, least);
  }

  private int ofStruct(StructSpec struct, int version) {
    int total = message.flexible().contains(version) ? 1 : 0;
    for (FieldSpec field : struct.fields()) {
      if (field.versions().contains(version) && !field.tagged().contains(version)) {
        boolean nullableStruct =
            field.type() instanceof FieldType.Struct && field.nullable().contains(version);
        total += nullableStruct ? 1 : ofElement(field.type(), LengthStyle.of(field, version));
      }
    }
    return total;
  }
}
