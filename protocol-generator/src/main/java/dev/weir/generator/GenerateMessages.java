package dev.weir.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command: {@code OUTPUT (PACKAGE PREFIX DIRECTORY)...}. Each directory of specifications
 * becomes one package below {@code dev.weir.protocol}.
 *
 * <p>A file whose text would not change is left alone, so that an incremental build sees no change.
 */
public final class GenerateMessages {
  private static final String ROOT_PACKAGE = "dev.weir.protocol";
  private static final int ARGUMENTS_PER_SET = 3;

  private final Path output;

  private GenerateMessages(Path output) {
    this.output = output;
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 0 || arguments.length % ARGUMENTS_PER_SET != 1) {
      throw new IllegalArgumentException(
          "expected OUTPUT (PACKAGE PREFIX DIRECTORY)..., not " + List.of(arguments));
    }
    GenerateMessages generate = new GenerateMessages(Path.of(arguments[0]));
    for (int i = 1; i < arguments.length; i += ARGUMENTS_PER_SET) {
      generate.emit(
          readSet(ROOT_PACKAGE + "." + arguments[i], arguments[i + 1], Path.of(arguments[i + 2])));
    }
  }

  static SpecSet readSet(String packageName, String prefix, Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> specifications =
          files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
      if (specifications.isEmpty()) {
        throw new InvalidSpecificationException("no specifications in " + directory);
      }
      List<MessageSpec> messages = new ArrayList<>();
      for (Path file : specifications) {
        messages.add(SpecReader.read(file.getFileName().toString(), Files.readString(file)));
      }
      return new SpecSet(packageName, prefix, messages);
    }
  }

  private void emit(SpecSet set) throws IOException {
    for (MessageSpec message : set.living(MessageSpec.Kind.values())) {
      write(set.packageName(), message.name(), MessageEmitter.emit(set, message));
    }
    List<MessageSpec> requests = set.living(MessageSpec.Kind.REQUEST);
    if (!requests.isEmpty()) {
      List<MessageSpec> responses = set.living(MessageSpec.Kind.RESPONSE);
      write(ROOT_PACKAGE, "ApiKey", ApiKeyEmitter.emit(ROOT_PACKAGE, requests, responses));
    }
    emitMetadata(set);
    emitCoordinator(set);
  }

  private void emitMetadata(SpecSet set) throws IOException {
    List<MessageSpec> records = set.living(MessageSpec.Kind.METADATA);
    if (records.isEmpty()) {
      return;
    }
    write(set.packageName(), set.typeEnum(), RecordTypeEmitter.emit(set, records));
    String about = "A record of the log behind {@link " + set.typeEnum() + "}.";
    write(
        set.packageName(),
        set.recordInterface(),
        SealedInterfaceEmitter.emit(set, set.recordInterface(), "Message", about, records));
  }

  private void emitCoordinator(SpecSet set) throws IOException {
    List<MessageSpec> keys = set.living(MessageSpec.Kind.COORDINATOR_KEY);
    List<MessageSpec> values = set.living(MessageSpec.Kind.COORDINATOR_VALUE);
    if (keys.isEmpty() && values.isEmpty()) {
      return;
    }
    write(set.packageName(), set.typeEnum(), CoordinatorTypeEmitter.emit(set, keys, values));
    write(
        set.packageName(),
        set.keyInterface(),
        SealedInterfaceEmitter.emit(
            set, set.keyInterface(), "CoordinatorRecordKey", "The key of a record.", keys));
    write(
        set.packageName(),
        set.valueInterface(),
        SealedInterfaceEmitter.emit(
            set, set.valueInterface(), "CoordinatorRecordValue", "The value of a record.", values));
  }

  private void write(String packageName, String type, String text) throws IOException {
    Path file = output.resolve(packageName.replace('.', '/')).resolve(type + ".java");
    Files.createDirectories(file.getParent());
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.writeString(file, text);
    }
  }
}
