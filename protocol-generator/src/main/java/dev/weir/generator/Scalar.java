package dev.weir.generator;

/** The built-in field types, with the Java type that stands for each. */
enum Scalar implements FieldType {
  BOOL("bool", "boolean", "Boolean", "Bool", 1),
  INT8("int8", "byte", "Byte", "Int8", 1),
  INT16("int16", "short", "Short", "Int16", 2),
  UINT16("uint16", "int", "Integer", "Uint16", 2),
  INT32("int32", "int", "Integer", "Int32", 4),
  UINT32("uint32", "long", "Long", "Uint32", 4),
  INT64("int64", "long", "Long", "Int64", 8),
  FLOAT64("float64", "double", "Double", "Float64", 8),
  UUID("uuid", "UUID", "UUID", "Uuid", 16),
  STRING("string", "String", "String", "String", 0),
  BYTES("bytes", "ByteBuffer", "ByteBuffer", "Bytes", 0),
  RECORDS("records", "Records", "Records", "Records", 0);

  private final String specName;
  private final String javaType;
  private final String boxedType;
  private final String accessor;
  private final int fixedBytes;

  Scalar(String specName, String javaType, String boxedType, String accessor, int fixedBytes) {
    this.specName = specName;
    this.javaType = javaType;
    this.boxedType = boxedType;
    this.accessor = accessor;
    this.fixedBytes = fixedBytes;
  }

  String specName() {
    return specName;
  }

  @Override
  public String javaType() {
    return javaType;
  }

  @Override
  public String boxedType() {
    return boxedType;
  }

  /** The suffix of the reader's and writer's methods for this type. */
  String accessor() {
    return accessor;
  }

  boolean isJavaPrimitive() {
    return !javaType.equals(boxedType);
  }

  /** The bytes of every value, 0 for a type with a length in front. */
  int fixedBytes() {
    return fixedBytes;
  }

  /** Whether the type has a length in front, which flexible versions write as a varint. */
  boolean hasLength() {
    return fixedBytes == 0;
  }

  /** The least bytes that a value takes on the wire. */
  int leastBytes(LengthStyle style) {
    if (!hasLength()) {
      return fixedBytes;
    }
    if (style == LengthStyle.COMPACT) {
      return 1;
    }
    return this == STRING ? 2 : 4;
  }
}
