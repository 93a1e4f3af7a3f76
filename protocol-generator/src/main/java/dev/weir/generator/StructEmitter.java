package dev.weir.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Emits one record: declaration, default, copies, codec. */
final class StructEmitter {
  private final SourceText out;
  private final MessageSpec message;

  StructEmitter(SourceText out, MessageSpec message) {
    this.out = out;
    this.message = message;
  }

  /** Emits the record and leaves it open. */
  void open(StructSpec struct, String about, String implemented) {
    List<String> paragraphs = new ArrayList<>();
    paragraphs.add(about);
    for (FieldSpec field : struct.fields()) {
      String described = Documentation.escape(field.about());
      paragraphs.add(
          "@param "
              + field.component()
              + " "
              + (described.isEmpty() ? "not described" : described)
              + versionsNote(field, struct));
    }
    Documentation.comment(paragraphs).forEach(out::line);
    out.line("public record " + struct.name() + "(");
    List<FieldSpec> fields = struct.fields();
    for (int i = 0; i < fields.size(); i++) {
      out.line(
          "    "
              + fields.get(i).declaredType()
              + " "
              + fields.get(i).component()
              + (i + 1 < fields.size() ? "," : ""));
    }
    out.open(")" + implemented + " {");
    emitDefault(struct);
    emitConstructor(struct);
    struct.fields().forEach(field -> emitWither(struct, field));
    out.blank();
    new ReadEmitter(out, message, struct).emit();
    out.blank();
    new WriteEmitter(out, message, struct).emit();
  }

  private static String versionsNote(FieldSpec field, StructSpec struct) {
    if (field.versions().equals(struct.versions())) {
      return "";
    }
    return field.versions().isEmpty()
        ? " (in no version)"
        : " (versions " + field.versions().lowest() + " to " + field.versions().highest() + ")";
  }

  private void emitDefault(StructSpec struct) {
    out.line("/** Every field at its default. */");
    out.line(
        "public static final "
            + struct.name()
            + " DEFAULT = new "
            + struct.name()
            + struct.fields().stream()
                .map(field -> DefaultValue.of(field).expression())
                .collect(Collectors.joining(", ", "(", ");")));
    out.blank();
  }

  private void emitConstructor(StructSpec struct) {
    List<String> checks = new ArrayList<>();
    for (FieldSpec field : struct.fields()) {
      String name = field.component();
      if (field.type() instanceof FieldType.ArrayOf(FieldType element)) {
        String list = element == Scalar.INT32 ? "IntList" : "FixedList";
        String copy = list + ".copyOf(" + name + ")";
        checks.add(
            name + " = " + (field.mayBeNull() ? name + " == null ? null : " + copy : copy) + ";");
      } else if (!field.mayBeNull()
          && !(field.type() instanceof Scalar scalar && scalar.isJavaPrimitive())) {
        checks.add("Objects.requireNonNull(" + name + ");");
      }
    }
    if (!checks.isEmpty()) {
      out.open("public " + struct.name() + " {");
      checks.forEach(out::line);
      out.close();
    }
  }

  private void emitWither(StructSpec struct, FieldSpec field) {
    out.blank();
    out.line("/** The same, but for {@code " + field.component() + "}. */");
    out.open(
        "public "
            + struct.name()
            + " with"
            + field.capitalized()
            + "("
            + field.declaredType()
            + " "
            + field.component()
            + ") {");
    out.line(
        "return new "
            + struct.name()
            + struct.fields().stream()
                .map(FieldSpec::component)
                .collect(Collectors.joining(", ", "(", ");")));
    out.close();
  }
}
