package dev.weir.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * One specification, found in the jars on the class path and not through the generator, with the
 * record that was made of it and the class that the other side made of it.
 */
record Specification(String name, String packageName, String otherPackage, Versions versions) {

  /** {@code highest < lowest} for a message that was removed. */
  record Versions(short lowest, short highest) {}

  private record Source(String jarMember, String path, String packageName, String otherPackage) {}

  private static final List<Source> SOURCES =
      List.of(
          new Source(
              "org.apache.kafka.common.message.FetchRequestData",
              "common/message/",
              "message",
              "org.apache.kafka.common.message"),
          new Source(
              "org.apache.kafka.common.metadata.TopicRecord",
              "common/metadata/",
              "metadata",
              "org.apache.kafka.common.metadata"),
          new Source(
              "org.apache.kafka.coordinator.group.generated.OffsetCommitKey",
              "common/message/",
              "coordinator.group",
              "org.apache.kafka.coordinator.group.generated"),
          new Source(
              "org.apache.kafka.coordinator.transaction.generated.TransactionLogKey",
              "common/message/",
              "coordinator.transaction",
              "org.apache.kafka.coordinator.transaction.generated"),
          new Source(
              "org.apache.kafka.coordinator.share.generated.ShareSnapshotKey",
              "common/message/",
              "coordinator.share",
              "org.apache.kafka.coordinator.share.generated"),
          new Source(
              "org.apache.kafka.raft.generated.QuorumStateData",
              "common/message/",
              "raft",
              "org.apache.kafka.raft.generated"),
          new Source(
              "org.apache.kafka.server.log.remote.metadata.storage.generated.ProducerSnapshot",
              "message/",
              "storage",
              "org.apache.kafka.server.log.remote.metadata.storage.generated"));

  private static final ClassValue<Method> READ =
      new ClassValue<>() {
        @Override
        protected Method computeValue(Class<?> type) {
          try {
            return type.getMethod("read", ByteReader.class, short.class);
          } catch (NoSuchMethodException e) {
            throw new LinkageError("a record can't be read: " + e.getMessage(), e);
          }
        }
      };

  private static final Pattern NAME = Pattern.compile("\"name\":\\s*\"(\\w+)\"");
  private static final Pattern VERSIONS =
      Pattern.compile("\"validVersions\":\\s*\"(none|\\d+)(?:-(\\d+))?\"");

  static List<Specification> all() {
    return SOURCES.stream().flatMap(source -> read(source).stream()).toList();
  }

  static List<Specification> living() {
    return all().stream().filter(Specification::isLiving).toList();
  }

  boolean isLiving() {
    return versions.lowest <= versions.highest;
  }

  Class<? extends Message> ours() {
    return load("dev.weir.protocol." + packageName + "." + name).asSubclass(Message.class);
  }

  /** The other side appends "Data" to the names of some kinds. */
  Class<? extends org.apache.kafka.common.protocol.Message> theirs() {
    boolean suffixed =
        name.endsWith("Request") || name.endsWith("Response") || name.endsWith("Header");
    return load(otherPackage + "." + name + (suffixed ? "Data" : ""))
        .asSubclass(org.apache.kafka.common.protocol.Message.class);
  }

  Message defaultMessage() {
    try {
      return (Message) ours().getField("DEFAULT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no such member: " + e.getMessage(), e);
    }
  }

  Message read(ByteReader in, short version) {
    try {
      return (Message) READ.get(ours()).invoke(null, in, version);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(name + " version " + version, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no such member: " + e.getMessage(), e);
    }
  }

  private static List<Specification> read(Source source) {
    try (ZipFile jar = new ZipFile(jarOf(load(source.jarMember)).toFile())) {
      return jar.stream()
          .filter(entry -> entry.getName().matches(source.path + "\\w+\\.json"))
          .map(
              entry -> {
                try {
                  byte[] text = jar.getInputStream(entry).readAllBytes();
                  return of(source, new String(text, StandardCharsets.UTF_8));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Specification of(Source source, String text) {
    Matcher name = NAME.matcher(text);
    Matcher versions = VERSIONS.matcher(text);
    if (!name.find() || !versions.find()) {
      throw new AssertionError("no name or versions in " + text);
    }
    Versions range;
    if (versions.group(1).equals("none")) {
      range = new Versions((short) 0, (short) -1);
    } else {
      short lowest = Short.parseShort(versions.group(1));
      range =
          new Versions(
              lowest, versions.group(2) == null ? lowest : Short.parseShort(versions.group(2)));
    }
    return new Specification(name.group(1), source.packageName, source.otherPackage, range);
  }

  private static Path jarOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static Class<?> load(String className) {
    try {
      return Class.forName(className);
    } catch (ClassNotFoundException e) {
      throw new LinkageError("a specification has no class: " + className, e);
    }
  }
}
