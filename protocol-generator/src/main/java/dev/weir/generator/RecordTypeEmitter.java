package dev.weir.generator;

import java.util.List;

/** Emits the enum of the record types of a log that holds metadata records. */
final class RecordTypeEmitter {
  private RecordTypeEmitter() {}

  static String emit(SpecSet set, List<MessageSpec> records) {
    SourceText out = new SourceText();
    FileHeader.emit(
        out, set.packageName(), List.of("dev.weir.protocol.ByteReader", "java.util.Optional"));
    out.line("/** The types of {@link " + set.recordInterface() + "}. */");
    out.open("public enum " + set.typeEnum() + " {");
    for (int i = 0; i < records.size(); i++) {
      MessageSpec record = records.get(i);
      out.line(
          Constants.of(record)
              + "("
              + record.apiKey().orElseThrow()
              + ", "
              + record.versions().lowest()
              + ", "
              + record.versions().highest()
              + ")"
              + (i + 1 < records.size() ? "," : ";"));
    }
    out.blank();
    EnumMembers.emitVersioned(out, set.typeEnum());
    EnumMembers.emitForId(out, set.typeEnum(), records);
    out.blank();
    out.line("/** Reads the body of a record of this type. */");
    out.open("public " + set.recordInterface() + " read(ByteReader in, short version) {");
    EnumMembers.emitReadSwitch(out, records, "version");
    out.close();
    out.close();
    return out.toString();
  }
}
