package dev.weir.generator;

/**
 * The value of a field that a version does not carry, as Java.
 *
 * @param expression the value
 * @param otherwise the test that a variable holds another value; {@code $} stands for the variable
 */
record DefaultValue(String expression, String otherwise) {

  private static final DefaultValue NULL = new DefaultValue("null", "$ != null");

  /**
   * The default of the field, written or implied by its type.
   *
   * @throws InvalidSpecificationException if the written default does not go with the type
   */
  static DefaultValue of(FieldSpec field) {
    String text = field.defaultText() == null ? "" : field.defaultText();
    if (text.equals("null")) {
      if (field.nullable().isEmpty()) {
        throw new InvalidSpecificationException(field.name() + " is null by default, never else");
      }
      return NULL;
    }
    return switch (field.type()) {
      case Scalar scalar -> ofScalar(field, scalar, text);
      case FieldType.ArrayOf _ -> notNull(field, "FixedList.of()", "!$.isEmpty()");
      case FieldType.Struct(String name) -> {
        String value = name + ".DEFAULT";
        yield notNull(field, value, "!$.equals(" + value + ")");
      }
    };
  }

  /** The test that the variable holds another value. */
  String otherwise(String variable) {
    return otherwise.replace("$", variable);
  }

  private static DefaultValue ofScalar(FieldSpec field, Scalar scalar, String text) {
    return switch (scalar) {
      case BOOL ->
          Boolean.parseBoolean(text)
              ? new DefaultValue("true", "!$")
              : new DefaultValue("false", "$");
      case INT8 -> number("(byte) " + integer(text), integer(text));
      case INT16 -> number("(short) " + integer(text), integer(text));
      case UINT16, INT32 -> number(integer(text), integer(text));
      case UINT32, INT64 -> number(integer(text) + "L", integer(text) + "L");
      case FLOAT64 -> {
        String value = Double.toString(text.isEmpty() ? 0 : Double.parseDouble(text));
        yield number(value, value);
      }
      case UUID -> notNull(field, "Uuids.ZERO", "!$.equals(Uuids.ZERO)");
      case STRING ->
          text.isEmpty()
              ? notNull(field, "\"\"", "!$.isEmpty()")
              : notNull(field, '"' + text + '"', "!$.equals(\"" + text + "\")");
      case BYTES -> notNull(field, "Bytes.EMPTY", "$.hasRemaining()");
      // Empty rather than null where null can't always be written.
      case RECORDS ->
          !field.nullable().isEmpty() && field.nullable().covers(field.versions())
              ? NULL
              : notNull(field, "BufferRecords.EMPTY", "$.sizeInBytes() != 0");
    };
  }

  private static DefaultValue number(String expression, String literal) {
    return new DefaultValue(expression, "$ != " + literal);
  }

  private static DefaultValue notNull(FieldSpec field, String expression, String otherwise) {
    return new DefaultValue(
        expression, field.mayBeNull() ? "($ == null || " + otherwise + ")" : otherwise);
  }

  private static String integer(String text) {
    return text.isEmpty() ? "0" : Long.toString(Long.decode(text));
  }
}
