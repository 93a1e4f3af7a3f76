package dev.weir.log.fault;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns the calls of {@link java.nio.file.Files} into operations of a {@link FaultDisk}. */
final class FaultProvider extends FileSystemProvider {
  private final FaultFileSystem fileSystem;
  private final FaultDisk disk;

  FaultProvider(FaultFileSystem fileSystem, FaultDisk disk) {
    this.fileSystem = fileSystem;
    this.disk = disk;
  }

  @Override
  public String getScheme() {
    return "fault";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException("newFileSystem");
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return fileSystem;
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException("getPath");
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Optional<FaultDisk.Node> found = disk.find(path);
    if (found.isPresent() && options.contains(StandardOpenOption.CREATE_NEW)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    if (found.isEmpty()
        && !options.contains(StandardOpenOption.CREATE)
        && !options.contains(StandardOpenOption.CREATE_NEW)) {
      throw new NoSuchFileException(path.toString());
    }
    disk.takeDescriptor(path);
    FaultDisk.Node node;
    try {
      node = found.isPresent() ? found.get() : disk.create(path);
      if (node instanceof FileNode file && options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
        disk.truncate(file, path, 0);
      }
    } catch (IOException e) {
      disk.giveDescriptorBack();
      throw e;
    }
    return new FaultChannel(disk, node, path, options);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) throws IOException {
    List<Path> files = disk.names(path).stream().map(path::resolve).toList();
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return files.iterator();
      }

      @Override
      public void close() {
        // a list holds nothing
      }
    };
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    disk.createDirectory(path);
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(path);
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException("copy");
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    if (disk.find(target).isPresent()
        && !Arrays.asList(options).contains(StandardCopyOption.REPLACE_EXISTING)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    disk.rename(source, target);
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return disk.require(one) == disk.require(other);
  }

  @Override
  public boolean isHidden(Path path) {
    return false;
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException("getFileStore");
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    var _ = disk.require(path);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return null;
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return type.cast(new Attributes(disk.require(path)));
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) {
    throw new UnsupportedOperationException("readAttributes by name");
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new UnsupportedOperationException("setAttribute");
  }

  /** Attributes that a log looks at; times are all the same. */
  private record Attributes(FaultDisk.Node node) implements BasicFileAttributes {
    @Override
    public FileTime lastModifiedTime() {
      return FileTime.fromMillis(0);
    }

    @Override
    public FileTime lastAccessTime() {
      return FileTime.fromMillis(0);
    }

    @Override
    public FileTime creationTime() {
      return FileTime.fromMillis(0);
    }

    @Override
    public boolean isRegularFile() {
      return node instanceof FileNode;
    }

    @Override
    public boolean isDirectory() {
      return node instanceof DirectoryNode;
    }

    @Override
    public boolean isSymbolicLink() {
      return false;
    }

    @Override
    public boolean isOther() {
      return false;
    }

    @Override
    public long size() {
      return node instanceof FileNode file ? file.size() : 0;
    }

    @Override
    public Object fileKey() {
      return node;
    }
  }
}
