package dev.weir.log.fault;

import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Names below the root, or below nothing. Dots have no meaning. */
final class FaultPath implements Path {
  /** Where the first name is looked up. */
  enum Anchor {
    ROOT,
    NONE
  }

  private final FaultFileSystem fileSystem;
  private final Anchor anchor;
  private final List<String> names;

  FaultPath(FaultFileSystem fileSystem, Anchor anchor, List<String> names) {
    this.fileSystem = fileSystem;
    this.anchor = anchor;
    this.names = List.copyOf(names);
  }

  private FaultPath with(Anchor newAnchor, List<String> newNames) {
    return new FaultPath(fileSystem, newAnchor, newNames);
  }

  @Override
  public FaultFileSystem getFileSystem() {
    return fileSystem;
  }

  @Override
  public boolean isAbsolute() {
    return anchor == Anchor.ROOT;
  }

  @Override
  public @Nullable Path getRoot() {
    return isAbsolute() ? fileSystem.root() : null;
  }

  @Override
  public @Nullable Path getFileName() {
    return names.isEmpty() ? null : with(Anchor.NONE, List.of(names.getLast()));
  }

  @Override
  public @Nullable Path getParent() {
    if (names.isEmpty() || (names.size() == 1 && !isAbsolute())) {
      return null;
    }
    return with(anchor, names.subList(0, names.size() - 1));
  }

  @Override
  public int getNameCount() {
    return names.size();
  }

  @Override
  public Path getName(int index) {
    return with(Anchor.NONE, List.of(names.get(index)));
  }

  @Override
  public Path subpath(int from, int until) {
    return with(Anchor.NONE, names.subList(from, until));
  }

  @Override
  public boolean startsWith(Path other) {
    return other instanceof FaultPath path
        && path.anchor == anchor
        && path.names.size() <= names.size()
        && names.subList(0, path.names.size()).equals(path.names);
  }

  @Override
  public boolean endsWith(Path other) {
    return other instanceof FaultPath path
        && path.names.size() <= names.size()
        && names.subList(names.size() - path.names.size(), names.size()).equals(path.names);
  }

  @Override
  public Path normalize() {
    return this;
  }

  @Override
  public Path resolve(Path other) {
    if (other.isAbsolute()) {
      return other;
    }
    List<String> joined = new ArrayList<>(names);
    joined.addAll(((FaultPath) other).names);
    return with(anchor, joined);
  }

  @Override
  public Path relativize(Path other) {
    if (!other.startsWith(this)) {
      throw new IllegalArgumentException(other + " is not below " + this);
    }
    return with(Anchor.NONE, ((FaultPath) other).names.subList(names.size(), other.getNameCount()));
  }

  @Override
  public URI toUri() {
    throw new UnsupportedOperationException("toUri");
  }

  @Override
  public Path toAbsolutePath() {
    return with(Anchor.ROOT, names);
  }

  @Override
  public Path toRealPath(LinkOption... options) {
    return toAbsolutePath();
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("register");
  }

  @Override
  public int compareTo(Path other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FaultPath path
        && path.fileSystem == fileSystem
        && path.anchor == anchor
        && path.names.equals(names);
  }

  @Override
  public int hashCode() {
    return Objects.hash(anchor, names);
  }

  @Override
  public String toString() {
    return (isAbsolute() ? "/" : "") + String.join("/", names);
  }
}
