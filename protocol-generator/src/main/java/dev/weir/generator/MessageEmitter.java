package dev.weir.generator;

import java.util.List;

/** Emits the source file of one message. */
final class MessageEmitter {
  private final SpecSet set;
  private final MessageSpec message;
  private final SourceText out = new SourceText();

  private MessageEmitter(SpecSet set, MessageSpec message) {
    this.set = set;
    this.message = message;
  }

  static String emit(SpecSet set, MessageSpec message) {
    return new MessageEmitter(set, message).file();
  }

  private String file() {
    FileHeader.emit(
        out,
        set.packageName(),
        List.of(
            "dev.weir.protocol.ApiKey",
            "dev.weir.protocol.BufferRecords",
            "dev.weir.protocol.ByteReader",
            "dev.weir.protocol.ByteWriter",
            "dev.weir.protocol.Bytes",
            "dev.weir.protocol.FixedList",
            "dev.weir.protocol.IntList",
            "dev.weir.protocol.MalformedMessageException",
            "dev.weir.protocol.Message",
            "dev.weir.protocol.Records",
            "dev.weir.protocol.RequestMessage",
            "dev.weir.protocol.ResponseMessage",
            "dev.weir.protocol.UnsupportedVersionException",
            "dev.weir.protocol.Uuids",
            "java.nio.ByteBuffer",
            "java.util.List",
            "java.util.Objects",
            "java.util.UUID",
            "org.jspecify.annotations.Nullable"));
    StructEmitter structs = new StructEmitter(out, message);
    VersionRange versions = message.versions();
    structs.open(message.root(), title(), " implements " + implemented());
    out.blank();
    out.line("/** The lowest version that can be read and written. */");
    out.line("public static final short LOWEST_VERSION = " + versions.lowest() + ";");
    out.blank();
    out.line("/** The highest version that can be read and written. */");
    out.line("public static final short HIGHEST_VERSION = " + versions.highest() + ";");
    emitIdentity();
    for (StructSpec nested : message.nested()) {
      out.blank();
      structs.open(nested, "A part of {@link " + message.name() + "}.", "");
      out.close();
    }
    out.close();
    return out.toString();
  }

  private String title() {
    String text = "Message {@code " + message.name() + "}";
    if (message.apiKey().isPresent()) {
      text += ", key " + message.apiKey().getAsInt();
    }
    text += ", versions " + message.versions().lowest() + " to " + message.versions().highest();
    return message.flexible().isEmpty()
        ? text + "."
        : text + ", flexible from version " + message.flexible().lowest() + ".";
  }

  private String implemented() {
    return switch (message.kind()) {
      case REQUEST -> "RequestMessage";
      case RESPONSE -> "ResponseMessage";
      case HEADER, DATA -> "Message";
      case METADATA -> set.recordInterface();
      case COORDINATOR_KEY -> set.keyInterface();
      case COORDINATOR_VALUE -> set.valueInterface();
    };
  }

  private void emitIdentity() {
    switch (message.kind()) {
      case REQUEST, RESPONSE -> emitIdentity("ApiKey apiKey()", "ApiKey.");
      case METADATA, COORDINATOR_KEY, COORDINATOR_VALUE ->
          emitIdentity(set.typeEnum() + " recordType()", set.typeEnum() + ".");
      case HEADER, DATA -> {}
    }
  }

  private void emitIdentity(String method, String qualifier) {
    out.blank();
    out.line("@Override");
    out.open("public " + method + " {");
    out.line("return " + qualifier + Constants.of(message) + ";");
    out.close();
  }
}
