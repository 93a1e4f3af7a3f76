package dev.weir.generator;

import dev.weir.generator.FieldType.ArrayOf;
import dev.weir.generator.FieldType.Struct;
import java.util.List;
import java.util.stream.Collectors;

/** Emits the {@code read} method of one structure. Names that end in 0 are the method's own. */
final class ReadEmitter {
  private final SourceText out;
  private final MessageSpec message;
  private final StructSpec struct;
  private final LeastBytes leastBytes;

  ReadEmitter(SourceText out, MessageSpec message, StructSpec struct) {
    this.out = out;
    this.message = message;
    this.struct = struct;
    this.leastBytes = new LeastBytes(message);
  }

  void emit() {
    out.open("public static " + struct.name() + " read(ByteReader in, short version) {");
    if (message.root().equals(struct)) {
      out.open("if (version < LOWEST_VERSION || version > HIGHEST_VERSION) {");
      out.line(
          "throw UnsupportedVersionException.of(\""
              + struct.name()
              + "\", version, LOWEST_VERSION, HIGHEST_VERSION);");
      out.close();
    }
    Flexibility.declare(out, message, struct);
    for (FieldSpec field : struct.fields()) {
      emitField(field);
    }
    out.when(message.flexible().membership(struct.versions()), this::emitTags);
    out.line(
        "return new "
            + struct.name()
            + struct.fields().stream()
                .map(FieldSpec::local)
                .collect(Collectors.joining(", ", "(", ");")));
    out.close();
  }

  private void emitField(FieldSpec field) {
    VersionRange regular = field.versions().withoutTail(field.tagged());
    Membership present = regular.membership(struct.versions());
    String local = field.local();
    String declaration = field.declaredType() + " " + local;
    switch (present) {
      case Membership.Always _ -> emitDeclaration(field, declaration, regular);
      case Membership.Never _ ->
          out.line(declaration + " = " + DefaultValue.of(field).expression() + ";");
      case Membership.Sometimes(String test) -> {
        out.line(declaration + ";");
        out.open("if (" + test + ") {");
        emitValue(field, regular);
        out.reopen("} else {");
        out.line(local + " = " + DefaultValue.of(field).expression() + ";");
        out.close();
      }
    }
  }

  private void emitDeclaration(FieldSpec field, String declaration, VersionRange within) {
    if (field.type() instanceof ArrayOf) {
      out.line(declaration + ";");
      emitValue(field, within);
    } else {
      emitAssignment(declaration, field, within);
    }
  }

  /** Emits an assignment of the field, known to be present in {@code within}. */
  private void emitValue(FieldSpec field, VersionRange within) {
    if (field.type() instanceof ArrayOf(FieldType element)) {
      emitArray(field, element, within);
    } else {
      emitAssignment(field.local(), field, within);
    }
  }

  private void emitAssignment(String target, FieldSpec field, VersionRange within) {
    switch (field.type()) {
      case Scalar scalar -> {
        boolean nullable = scalar.hasLength() && !field.nullable().intersect(within).isEmpty();
        String nullability = nullable ? "Nullable" : "";
        out.line(target + " = " + scalarRead(field, scalar, nullability, within) + ";");
        emitNullCheck(field, within);
      }
      case Struct(String name) -> out.line(target + " = " + structRead(field, name, within) + ";");
      case ArrayOf _ -> throw new IllegalArgumentException(field + " is no single value");
    }
  }

  private String scalarRead(
      FieldSpec field, Scalar scalar, String nullability, VersionRange within) {
    if (!scalar.hasLength()) {
      return "in.read" + scalar.accessor() + "()";
    }
    String accessor = nullability + scalar.accessor() + "()";
    return Flexibility.choose(
        field, message, within, "in.readCompact" + accessor, "in.read" + accessor);
  }

  private void emitArray(FieldSpec field, FieldType element, VersionRange within) {
    String local = field.local();
    String compactLeast = Integer.toString(leastBytes.ofElement(element, LengthStyle.COMPACT));
    String least = Integer.toString(leastBytes.ofElement(element, LengthStyle.PLAIN));
    String count = local + "0";
    out.line(
        "int "
            + count
            + " = "
            + Flexibility.choose(
                field,
                message,
                within,
                "in.readCompactArrayLength(" + compactLeast + ")",
                "in.readArrayLength(" + least + ")")
            + ";");
    out.open("if (" + count + " < 0) {");
    Membership nullable = field.nullable().membership(within);
    switch (nullable) {
      case Membership.Always _ -> out.line(local + " = null;");
      case Membership.Never _ -> emitUnexpectedNull(field);
      case Membership.Sometimes(String test) -> {
        out.open("if (!(" + test + ")) {");
        emitUnexpectedNull(field);
        out.close();
        out.line(local + " = null;");
      }
    }
    out.reopen("} else {");
    if (element == Scalar.INT32) {
      out.line(local + " = in.readInt32s(" + count + ");");
    } else {
      String read =
          switch (element) {
            case Scalar scalar -> scalarRead(field, scalar, "", within);
            case Struct(String name) -> name + ".read(in, version)";
            case ArrayOf _ ->
                throw new InvalidSpecificationException(field.name() + " nests arrays");
          };
      String type = element.boxedType();
      out.line(type + "[] e0 = new " + type + "[" + count + "];");
      out.open("for (int i0 = 0; i0 < e0.length; i0++) {");
      out.line("e0[i0] = " + read + ";");
      out.close();
      out.line(local + " = FixedList.wrap(e0);");
    }
    out.close();
  }

  private String structRead(FieldSpec field, String name, VersionRange within) {
    String read = name + ".read(in, version)";
    return switch (field.nullable().membership(within)) {
      case Membership.Never _ -> read;
      case Membership.Always _ -> "in.readInt8() < 0 ? null : " + read;
      case Membership.Sometimes(String test) -> test + " && in.readInt8() < 0 ? null : " + read;
    };
  }

  /** In a tagged field it is a varint that tells whether a structure is there. */
  private void emitTaggedValue(FieldSpec field) {
    if (field.type() instanceof Struct(String name) && field.mayBeNull()) {
      out.line(
          field.local()
              + " = in.readUnsignedVarint() == 0 ? null : "
              + name
              + ".read(in, version);");
    } else {
      emitValue(field, field.tagged());
    }
  }

  private void emitNullCheck(FieldSpec field, VersionRange within) {
    if (field.nullable().membership(within) instanceof Membership.Sometimes(String test)) {
      out.open("if (" + field.local() + " == null && !(" + test + ")) {");
      emitUnexpectedNull(field);
      out.close();
    }
  }

  private void emitUnexpectedNull(FieldSpec field) {
    out.line(
        "throw MalformedMessageException.unexpectedNull(\""
            + struct.name()
            + "."
            + field.component()
            + "\", version);");
  }

  private void emitTags() {
    List<FieldSpec> tagged = struct.taggedFields();
    if (tagged.isEmpty()) {
      out.line("in.skipTaggedFields();");
      return;
    }
    out.open("for (int tags0 = in.readUnsignedVarint(); tags0 != 0; tags0--) {");
    out.line("int tag0 = in.readUnsignedVarint();");
    out.line("int outer0 = in.enterTaggedField();");
    out.open("switch (tag0) {");
    for (FieldSpec field : tagged) {
      out.open("case " + field.tag().orElseThrow() + " -> {");
      switch (field.tagged().membership(struct.versions())) {
        case Membership.Always _ -> emitTaggedValue(field);
        case Membership.Never _ -> out.line("in.skipRest();");
        case Membership.Sometimes(String test) -> {
          out.open("if (" + test + ") {");
          emitTaggedValue(field);
          out.reopen("} else {");
          out.line("in.skipRest();");
          out.close();
        }
      }
      out.close();
    }
    out.line("default -> in.skipRest();");
    out.close();
    out.line("in.leaveTaggedField(outer0);");
    out.close();
  }
}
