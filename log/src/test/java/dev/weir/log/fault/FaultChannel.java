package dev.weir.log.fault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** A channel of a file or, for syncs only, of a directory. */
final class FaultChannel extends FileChannel {
  private final FaultDisk disk;
  private final FaultDisk.Node node;
  private final Path path;
  private final Set<? extends OpenOption> options;
  private long position;

  FaultChannel(FaultDisk disk, FaultDisk.Node node, Path path, Set<? extends OpenOption> options) {
    this.disk = disk;
    this.node = node;
    this.path = path;
    this.options = options;
  }

  private FileNode file() throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
    if (node instanceof FileNode file) {
      return file;
    }
    throw new IOException("Is a directory: " + path);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int count = read(target, position);
    position += Math.max(0, count);
    return count;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      int count = read(targets[i]);
      if (count < 0) {
        return sum == 0 ? -1 : sum;
      }
      sum += count;
    }
    return sum;
  }

  @Override
  public int read(ByteBuffer target, long at) throws IOException {
    FileNode file = file();
    if (options.contains(StandardOpenOption.WRITE) && !options.contains(StandardOpenOption.READ)) {
      throw new NonReadableChannelException();
    }
    byte[] bytes = disk.read(file, path, at, target.remaining());
    target.put(bytes);
    return bytes.length == 0 && target.hasRemaining() ? -1 : bytes.length;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    if (options.contains(StandardOpenOption.APPEND)) {
      position = file().size();
    }
    int count = write(source, position);
    position += count;
    return count;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += write(sources[i]);
    }
    return sum;
  }

  @Override
  public int write(ByteBuffer source, long at) throws IOException {
    FileNode file = file();
    if (!options.contains(StandardOpenOption.WRITE)
        && !options.contains(StandardOpenOption.APPEND)) {
      throw new NonWritableChannelException();
    }
    byte[] bytes = new byte[source.remaining()];
    source.duplicate().get(bytes);
    int count = disk.write(file, path, at, bytes);
    source.position(source.position() + count);
    return count;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    FileNode file = file();
    disk.requireAlive();
    return file.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    disk.truncate(file(), path, size);
    position = Math.min(position, size);
    return this;
  }

  @Override
  public void force(boolean metadata) throws IOException {
    switch (node) {
      case FileNode _ -> disk.force(file(), path);
      case DirectoryNode directory -> disk.syncDirectory(directory, path);
    }
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
    return target.write(ByteBuffer.wrap(disk.read(file(), path, from, Math.toIntExact(count))));
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) {
    throw new UnsupportedOperationException("transferFrom");
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long at, long size) {
    throw new UnsupportedOperationException("a log maps nothing");
  }

  @Override
  public FileLock lock(long at, long size, boolean shared) {
    return tryLock(at, size, shared);
  }

  /** Always there: who shares a disk in a test is dead. */
  @Override
  public FileLock tryLock(long at, long size, boolean shared) {
    return new FileLock(this, at, size, shared) {
      @Override
      public boolean isValid() {
        return true;
      }

      @Override
      public void release() {
        // nothing is held
      }
    };
  }

  @Override
  protected void implCloseChannel() {
    disk.giveDescriptorBack(); // the node lives on
  }
}
