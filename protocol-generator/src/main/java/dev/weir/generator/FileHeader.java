package dev.weir.generator;

import java.util.List;

/** Emits what stands at the head of every emitted file. */
final class FileHeader {
  private FileHeader() {}

  static void emit(SourceText out, String packageName, List<String> imports) {
    out.line("// Generated from the message specifications; changes here are lost.");
    out.line("package " + packageName + ";");
    out.blank();
    imports.stream()
        .filter(name -> !name.substring(0, name.lastIndexOf('.')).equals(packageName))
        .forEach(name -> out.line("import " + name + ";"));
    out.blank();
  }
}
