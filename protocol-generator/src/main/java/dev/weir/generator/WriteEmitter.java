package dev.weir.generator;

import dev.weir.generator.FieldType.ArrayOf;
import dev.weir.generator.FieldType.Struct;
import java.util.List;

/** Emits the {@code write} method of one structure. Names that end in 0 are the method's own. */
final class WriteEmitter {
  private static final int VARINT_BYTES_MAX = 5;
  private static final int TAG_COUNT_BYTES = 1;
  private static final int TAGS_MAX = 127;

  private final SourceText out;
  private final MessageSpec message;
  private final StructSpec struct;

  WriteEmitter(SourceText out, MessageSpec message, StructSpec struct) {
    this.out = out;
    this.message = message;
    this.struct = struct;
  }

  void emit() {
    if (message.root().equals(struct)) {
      out.line("@Override");
    }
    out.open("public void write(ByteWriter out, short version) {");
    if (message.root().equals(struct)) {
      out.open("if (version < LOWEST_VERSION || version > HIGHEST_VERSION) {");
      out.line(
          "throw UnsupportedVersionException.of(\""
              + struct.name()
              + "\", version, LOWEST_VERSION, HIGHEST_VERSION);");
      out.close();
    }
    Flexibility.declare(out, message, struct);
    List<FieldSpec> fields = struct.fields();
    boolean runGoesOn = false;
    for (int i = 0; i < fields.size(); i++) {
      if (!runGoesOn) {
        emitReserve(fields.subList(i, fields.size()));
      }
      emitField(fields.get(i));
      runGoesOn = isFixed(fields.get(i));
    }
    if (!runGoesOn) {
      emitReserve(List.of());
    }
    out.when(message.flexible().membership(struct.versions()), this::emitTags);
    out.close();
  }

  /**
   * Makes room for a run of fields of fixed size and for the length of the array behind them; at
   * the end of the structure also for the number of tagged fields.
   */
  private void emitReserve(List<FieldSpec> fields) {
    int bytes = 0;
    boolean toTheEnd = true;
    for (FieldSpec field : fields) {
      bytes += fixedBytes(field.versions().withoutTail(field.tagged()), field.type());
      if (!isFixed(field)) {
        toTheEnd = false;
        break;
      }
    }
    if (toTheEnd && !message.flexible().intersect(struct.versions()).isEmpty()) {
      bytes += TAG_COUNT_BYTES;
    }
    if (bytes > 0) {
      out.line("out.reserve(" + bytes + ");");
    }
  }

  /** The bytes at the head of a field that need room before it is written. */
  private static int fixedBytes(VersionRange present, FieldType type) {
    if (present.isEmpty()) {
      return 0;
    }
    return switch (type) {
      case Scalar scalar -> scalar.fixedBytes();
      case ArrayOf _ -> VARINT_BYTES_MAX;
      case Struct _ -> 0;
    };
  }

  private static boolean isFixed(FieldSpec field) {
    return field.versions().withoutTail(field.tagged()).isEmpty()
        || (field.type() instanceof Scalar scalar && !scalar.hasLength());
  }

  private void emitField(FieldSpec field) {
    VersionRange regular = field.versions().withoutTail(field.tagged());
    switch (regular.membership(struct.versions())) {
      case Membership.Always _ -> emitValue(field, regular);
      case Membership.Never _ -> emitAbsentCheck(field);
      case Membership.Sometimes(String test) -> {
        out.open("if (" + test + ") {");
        emitValue(field, regular);
        if (field.tagged().isEmpty() && !field.ignorable()) {
          out.reopen("} else if (" + otherwise(field) + ") {");
          emitRefusal(field);
          out.close();
        } else {
          out.close();
          emitAbsentCheck(field);
        }
      }
    }
  }

  /** A version without the field must not lose a value that the field's owner cares for. */
  private void emitAbsentCheck(FieldSpec field) {
    if (field.ignorable()) {
      return;
    }
    switch (field.versions().membership(struct.versions())) {
      case Membership.Always _ -> {}
      case Membership.Never _ -> {
        out.open("if (" + otherwise(field) + ") {");
        emitRefusal(field);
        out.close();
      }
      case Membership.Sometimes(String test) -> {
        out.open("if (!(" + test + ") && " + otherwise(field) + ") {");
        emitRefusal(field);
        out.close();
      }
    }
  }

  private void emitRefusal(FieldSpec field) {
    out.line(
        "throw UnsupportedVersionException.fieldAbsent(\"" + qualified(field) + "\", version);");
  }

  private void emitValue(FieldSpec field, VersionRange within) {
    emitNullCheck(field, within);
    switch (field.type()) {
      case Scalar scalar -> emitScalar(field, scalar, self(field), within);
      case ArrayOf(FieldType element) -> emitArray(field, element, within);
      case Struct _ -> emitStruct(field, within);
    }
  }

  private void emitNullCheck(FieldSpec field, VersionRange within) {
    if (!field.mayBeNull()) {
      return;
    }
    String refused =
        switch (field.nullable().membership(within)) {
          case Membership.Always _ -> "";
          case Membership.Never _ -> self(field) + " == null";
          case Membership.Sometimes(String test) -> self(field) + " == null && !(" + test + ")";
        };
    if (!refused.isEmpty()) {
      out.open("if (" + refused + ") {");
      out.line(
          "throw UnsupportedVersionException.nullRefused(\"" + qualified(field) + "\", version);");
      out.close();
    }
  }

  private void emitScalar(FieldSpec field, Scalar scalar, String value, VersionRange within) {
    if (scalar.hasLength()) {
      emitChoice(
          field,
          within,
          "out.writeCompact" + scalar.accessor() + "(" + value + ");",
          "out.write" + scalar.accessor() + "(" + value + ");");
    } else {
      out.line("out.put" + scalar.accessor() + "(" + value + ");");
    }
  }

  private void emitArray(FieldSpec field, FieldType element, VersionRange within) {
    boolean nullable = field.mayBeNull();
    // A component can't be narrowed by a null test, a local variable can.
    out.open("{");
    out.line(field.declaredType() + " list0 = " + self(field) + ";");
    String size = nullable ? "list0 == null ? -1 : list0.size()" : "list0.size()";
    out.line("int size0 = " + size + ";");
    emitChoice(field, within, "out.putCompactArrayLength(size0);", "out.putArrayLength(size0);");
    if (nullable) {
      out.open("if (list0 != null) {");
    }
    if (element == Scalar.INT32) {
      out.line("out.writeInt32s(list0);");
    } else {
      if (element instanceof Scalar scalar && !scalar.hasLength()) {
        out.line("out.reserve(Math.multiplyExact(size0, " + scalar.fixedBytes() + "));");
      }
      out.open("for (int i0 = 0; i0 < size0; i0++) {");
      switch (element) {
        case Scalar scalar -> emitScalar(field, scalar, "list0.get(i0)", within);
        case Struct _ -> out.line("list0.get(i0).write(out, version);");
        case ArrayOf _ -> throw new InvalidSpecificationException(field.name() + " nests arrays");
      }
      out.close();
    }
    if (nullable) {
      out.close();
    }
    out.close();
  }

  private void emitChoice(FieldSpec field, VersionRange within, String compact, String plain) {
    switch (field.flexible().membership(within)) {
      case Membership.Always _ -> out.line(compact);
      case Membership.Never _ -> out.line(plain);
      case Membership.Sometimes(String test) -> {
        out.open("if (" + Flexibility.test(field, message, test) + ") {");
        out.line(compact);
        out.reopen("} else {");
        out.line(plain);
        out.close();
      }
    }
  }

  private void emitStruct(FieldSpec field, VersionRange within) {
    String self = self(field);
    switch (field.nullable().membership(within)) {
      case Membership.Never _ -> out.line(self + ".write(out, version);");
      case Membership.Always _ ->
          emitNullableStruct(self, "out.writeInt8((byte) -1);", "out.writeInt8((byte) 1);");
      case Membership.Sometimes(String test) -> {
        out.open("if (" + test + ") {");
        emitNullableStruct(self, "out.writeInt8((byte) -1);", "out.writeInt8((byte) 1);");
        out.reopen("} else {");
        out.line(self + ".write(out, version);");
        out.close();
      }
    }
  }

  private void emitNullableStruct(String self, String absent, String present) {
    out.open("if (" + self + " == null) {");
    out.line(absent);
    out.reopen("} else {");
    out.line(present);
    out.line(self + ".write(out, version);");
    out.close();
  }

  private void emitTags() {
    List<FieldSpec> tagged =
        struct.taggedFields().stream()
            .filter(field -> !field.tagged().intersect(struct.versions()).isEmpty())
            .toList();
    if (tagged.isEmpty()) {
      out.line("out.putInt8((byte) 0);");
      return;
    }
    if (tagged.size() > TAGS_MAX) {
      throw new InvalidSpecificationException(struct.name() + " has too many tags for one byte");
    }
    out.line("int tags0 = 0;");
    for (FieldSpec field : tagged) {
      out.open("if (" + carried(field) + ") {");
      out.line("tags0++;");
      out.close();
    }
    out.line("out.putInt8((byte) tags0);");
    for (FieldSpec field : tagged) {
      out.open("if (" + carried(field) + ") {");
      out.line("out.writeUnsignedVarint(" + field.tag().orElseThrow() + ");");
      out.line("int start0 = out.enterTaggedField();");
      int head = fixedBytes(field.tagged(), field.type());
      if (head > 0) {
        out.line("out.reserve(" + head + ");");
      }
      if (field.type() instanceof Struct && field.mayBeNull()) {
        // In a tagged field it is a varint that tells whether the structure is there.
        emitNullableStruct(
            self(field), "out.writeUnsignedVarint(0);", "out.writeUnsignedVarint(1);");
      } else {
        emitValue(field, field.tagged());
      }
      out.line("out.leaveTaggedField(start0);");
      out.close();
    }
  }

  /** A tagged field is written only if it says something. */
  private String carried(FieldSpec field) {
    String otherwise = otherwise(field);
    return field.tagged().membership(struct.versions()) instanceof Membership.Sometimes(String test)
        ? test + " && " + otherwise
        : otherwise;
  }

  private static String otherwise(FieldSpec field) {
    return DefaultValue.of(field).otherwise(self(field));
  }

  private static String self(FieldSpec field) {
    return "this." + field.component();
  }

  private String qualified(FieldSpec field) {
    return struct.name() + "." + field.component();
  }
}
