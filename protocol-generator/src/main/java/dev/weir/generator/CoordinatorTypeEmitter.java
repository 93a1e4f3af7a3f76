package dev.weir.generator;

import java.util.List;

/** Emits the enum of the record types of a coordinator's topic: pairs of key and value. */
final class CoordinatorTypeEmitter {
  private CoordinatorTypeEmitter() {}

  /**
   * @throws InvalidSpecificationException if a key has no value or the other way round
   */
  static String emit(SpecSet set, List<MessageSpec> keys, List<MessageSpec> values) {
    requirePairs(keys, values);
    SourceText out = new SourceText();
    FileHeader.emit(
        out,
        set.packageName(),
        List.of(
            "dev.weir.protocol.ByteReader",
            "dev.weir.protocol.CoordinatorRecordType",
            "java.util.Optional"));
    out.line(
        "/** The types of {@link "
            + set.keyInterface()
            + "} and {@link "
            + set.valueInterface()
            + "}. */");
    out.open("public enum " + set.typeEnum() + " implements CoordinatorRecordType {");
    for (int i = 0; i < keys.size(); i++) {
      VersionRange versions = values.get(i).versions();
      out.line(
          Constants.of(keys.get(i))
              + "("
              + keys.get(i).apiKey().orElseThrow()
              + ", "
              + versions.lowest()
              + ", "
              + versions.highest()
              + ")"
              + (i + 1 < keys.size() ? "," : ";"));
    }
    out.blank();
    EnumMembers.emitVersioned(out, set.typeEnum());
    EnumMembers.emitForId(out, set.typeEnum(), keys);
    emitKeyWithType(out, set);
    out.blank();
    out.line("@Override");
    out.open("public " + set.keyInterface() + " readKey(ByteReader in) {");
    EnumMembers.emitReadSwitch(out, keys, "(short) 0");
    out.close();
    out.blank();
    out.line("@Override");
    out.open("public " + set.valueInterface() + " readValue(ByteReader in, short version) {");
    EnumMembers.emitReadSwitch(out, values, "version");
    out.close();
    out.close();
    return out.toString();
  }

  private static void emitKeyWithType(SourceText out, SpecSet set) {
    out.blank();
    out.line("/** Reads a whole key, its type first; empty if the type is not known. */");
    out.open("public static Optional<" + set.keyInterface() + "> readKeyWithType(ByteReader in) {");
    out.line("Optional<" + set.typeEnum() + "> type = forId(in.readInt16());");
    out.open("if (type.isEmpty()) {");
    out.line("return Optional.empty();");
    out.close();
    out.line(set.keyInterface() + " key = type.get().readKey(in);");
    out.line("in.requireEnd();");
    out.line("return Optional.of(key);");
    out.close();
  }

  private static void requirePairs(List<MessageSpec> keys, List<MessageSpec> values) {
    List<String> keyNames = keys.stream().map(Constants::of).toList();
    List<String> valueNames = values.stream().map(Constants::of).toList();
    if (!keyNames.equals(valueNames)) {
      throw new InvalidSpecificationException(
          "keys and values don't pair: " + keyNames + ", " + valueNames);
    }
    for (MessageSpec key : keys) {
      // The record type takes the place of the version in front of a key.
      if (!key.versions().equals(new VersionRange(0, 0))) {
        throw new InvalidSpecificationException(key.name() + " has versions besides 0");
      }
    }
  }
}
