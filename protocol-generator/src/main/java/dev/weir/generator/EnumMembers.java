package dev.weir.generator;

import java.util.List;

/** Emits the members that the enums of record types share. */
final class EnumMembers {
  private EnumMembers() {}

  /** Fields, constructor and accessors for an id and a range of versions. */
  static void emitVersioned(SourceText out, String enumName) {
    out.line("private final short id;");
    out.line("private final short lowestVersion;");
    out.line("private final short highestVersion;");
    out.blank();
    out.open(enumName + "(int id, int lowestVersion, int highestVersion) {");
    out.line("this.id = (short) id;");
    out.line("this.lowestVersion = (short) lowestVersion;");
    out.line("this.highestVersion = (short) highestVersion;");
    out.close();
    emitGetter(out, "The number that stands for the type in the log.", "id");
    emitGetter(out, "The lowest version of the record's value.", "lowestVersion");
    emitGetter(out, "The highest version of the record's value.", "highestVersion");
  }

  /** A look-up by id. */
  static void emitForId(SourceText out, String enumName, List<MessageSpec> messages) {
    out.blank();
    out.line("/** The type with that id; empty if there is none. */");
    out.open("public static Optional<" + enumName + "> forId(short id) {");
    out.open("return switch (id) {");
    for (MessageSpec message : messages) {
      out.line(
          "case "
              + message.apiKey().orElseThrow()
              + " -> Optional.of("
              + Constants.of(message)
              + ");");
    }
    out.line("default -> Optional.empty();");
    out.close("};");
    out.close();
  }

  static void emitReadSwitch(SourceText out, List<MessageSpec> messages, String version) {
    out.open("return switch (this) {");
    for (MessageSpec message : messages) {
      out.line(
          "case "
              + Constants.of(message)
              + " -> "
              + message.name()
              + ".read(in, "
              + version
              + ");");
    }
    out.close("};");
  }

  static void emitGetter(SourceText out, String about, String name) {
    out.blank();
    out.line("/** " + about + " */");
    out.open("public short " + name + "() {");
    out.line("return " + name + ";");
    out.close();
  }
}
