package dev.weir.log.fault;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The file system of a {@link FaultDisk}. Never closed. */
final class FaultFileSystem extends FileSystem {
  private final FaultProvider provider;

  FaultFileSystem(FaultDisk disk) {
    this.provider = new FaultProvider(this, disk);
  }

  FaultPath root() {
    return new FaultPath(this, FaultPath.Anchor.ROOT, List.of());
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("close");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(root());
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  @Override
  public FaultPath getPath(String first, String... more) {
    List<String> names = new ArrayList<>();
    for (String name : (first + "/" + String.join("/", more)).split("/", -1)) {
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    FaultPath.Anchor anchor = first.startsWith("/") ? FaultPath.Anchor.ROOT : FaultPath.Anchor.NONE;
    return new FaultPath(this, anchor, names);
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    throw new UnsupportedOperationException("getPathMatcher");
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException("getUserPrincipalLookupService");
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("newWatchService");
  }
}
