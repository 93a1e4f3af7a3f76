package dev.weir.generator;

import java.util.List;
import java.util.stream.Collectors;

/** Emits the sealed interface of all records of one kind in a package. */
final class SealedInterfaceEmitter {
  private SealedInterfaceEmitter() {}

  static String emit(
      SpecSet set, String name, String extended, String about, List<MessageSpec> members) {
    SourceText out = new SourceText();
    FileHeader.emit(out, set.packageName(), List.of("dev.weir.protocol." + extended));
    Documentation.comment(List.of(about)).forEach(out::line);
    out.open(
        "public sealed interface "
            + name
            + " extends "
            + extended
            + members.stream()
                .map(MessageSpec::name)
                .collect(Collectors.joining(", ", " permits ", " {")));
    if (extended.equals("Message")) {
      out.line("/** Which record it is. */");
    } else {
      out.line("@Override");
    }
    out.line(set.typeEnum() + " recordType();");
    out.close();
    return out.toString();
  }
}
