package dev.weir.log.fault;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A disk with one file system, in memory. It knows of each file what was written and what was
 * forced, of each directory which of its entries were synced; it counts operations, and its power
 * can be cut at any of them. {@link #afterPowerLoss} gives what a machine then finds.
 *
 * <p>The operation at which the power is cut has reached the page cache and does not return; a sync
 * has put nothing on the disk by itself. Any thread; one operation at a time.
 */
public final class FaultDisk {
  /** Says of an operation whether it fails, and how. */
  @FunctionalInterface
  public interface Faults {
    /** The failure of an operation, if it has one. */
    Optional<IOException> of(Operation operation);
  }

  /** Told of what is read. */
  @FunctionalInterface
  public interface Reads {
    /** So many bytes were asked for from a position of a file on. */
    void of(Path path, long position, int count);
  }

  private static final int NEVER = Integer.MAX_VALUE;

  private final FaultFileSystem fileSystem = new FaultFileSystem(this);
  private final DirectoryNode root;
  private final List<Operation> operations = new ArrayList<>();
  private int cutAt = NEVER;
  private boolean dead;
  private Faults faults = _ -> Optional.empty();
  private Reads reads = (_, _, _) -> {};
  private long roomBytes = Long.MAX_VALUE;
  private int descriptors = Integer.MAX_VALUE;
  private long bytesRead;

  private FaultDisk(DirectoryNode root) {
    this.root = root;
  }

  /** An empty disk. */
  public static FaultDisk empty() {
    return new FaultDisk(new DirectoryNode());
  }

  /** The root of its file system. */
  public Path root() {
    return fileSystem.root();
  }

  /** The operations so far, in order. */
  public synchronized List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** How many bytes were read from files so far. */
  public synchronized long bytesRead() {
    return bytesRead;
  }

  /** Cuts the power at the {@code count}th operation from now, from 1. */
  public synchronized void cutAt(int count) {
    cutAt = operations.size() + count;
  }

  /** Whether the power is cut. */
  public synchronized boolean isDead() {
    return dead;
  }

  /** Lets operations fail from now on as {@code rule} says. A sync that fails loses what it had. */
  public synchronized void failWhere(Faults rule) {
    faults = rule;
  }

  /** Lets files grow by so many bytes from now on and no more. */
  public synchronized void roomLeft(long bytes) {
    roomBytes = bytes;
  }

  /** Tells of reads from now on. */
  public synchronized void onRead(Reads listener) {
    reads = listener;
  }

  /** Lets so many more files be open at a time from now on. */
  public synchronized void descriptorsLeft(int count) {
    descriptors = count;
  }

  /** How many more files may be open. */
  public synchronized int descriptorsLeft() {
    return descriptors;
  }

  synchronized void takeDescriptor(Path path) throws IOException {
    if (descriptors <= 0) {
      throw new FileSystemException(path.toString(), null, "Too many open files");
    }
    descriptors--;
  }

  synchronized void giveDescriptorBack() {
    descriptors++;
  }

  /** What is on the disk after the power is back: chosen by {@code seed} among what may be. */
  public synchronized FaultDisk afterPowerLoss(long seed) {
    dead = true;
    Random random = new Random(seed);
    for (int i = 0; i < 4; i++) {
      random.nextLong(); // near seeds begin alike
    }
    return new FaultDisk(root.image(Loss.of(random), random, new IdentityHashMap<>()));
  }

  /** What another process finds after this one was killed: all that was written. */
  public synchronized FaultDisk afterKill() {
    dead = true;
    return new FaultDisk(root.image(Loss.NOTHING, new Random(0), new IdentityHashMap<>()));
  }

  /** Counts an operation and fails where it is to fail; says whether it is the last. */
  private boolean begin(Operation.Kind kind, Path path) throws IOException {
    requireAlive();
    Operation operation = new Operation(kind, path.toString());
    Optional<IOException> failure = faults.of(operation);
    if (failure.isPresent()) {
      throw failure.get();
    }
    operations.add(operation);
    return operations.size() >= cutAt;
  }

  private void end(boolean last) {
    if (last) {
      dead = true;
      throw new PowerCut("power is cut at operation " + operations.size());
    }
  }

  void requireAlive() {
    if (dead) {
      throw new PowerCut("power was cut at operation " + operations.size());
    }
  }

  synchronized int write(FileNode file, Path path, long position, byte[] bytes) throws IOException {
    long growth = Math.max(0, position + bytes.length - file.size());
    int fits = bytes.length - (int) Math.max(0, growth - roomBytes);
    if (fits <= 0 && bytes.length > 0) {
      requireAlive();
      throw new IOException("No space left on device");
    }
    boolean last = begin(Operation.Kind.WRITE, path);
    roomBytes -= Math.min(growth, roomBytes);
    file.write((int) position, bytes, fits);
    end(last);
    return fits;
  }

  synchronized void truncate(FileNode file, Path path, long size) throws IOException {
    if (size < file.size()) {
      boolean last = begin(Operation.Kind.TRUNCATE, path);
      file.truncate((int) size);
      end(last);
    }
  }

  synchronized void force(FileNode file, Path path) throws IOException {
    boolean last;
    try {
      last = begin(Operation.Kind.FORCE, path);
    } catch (IOException e) {
      file.lose();
      throw e;
    }
    end(last);
    file.force();
  }

  synchronized void syncDirectory(DirectoryNode directory, Path path) throws IOException {
    end(begin(Operation.Kind.SYNC_DIRECTORY, path));
    directory.sync();
  }

  synchronized FileNode create(Path path) throws IOException {
    DirectoryNode parent = parent(path);
    if (roomBytes == 0) {
      throw new IOException("No space left on device");
    }
    boolean last = begin(Operation.Kind.CREATE, path);
    FileNode file = new FileNode();
    parent.change(null, name(path), file);
    end(last);
    return file;
  }

  synchronized void createDirectory(Path path) throws IOException {
    if (find(path).isPresent()) {
      throw new FileAlreadyExistsException(path.toString());
    }
    boolean last = begin(Operation.Kind.CREATE, path);
    parent(path).change(null, name(path), new DirectoryNode());
    end(last);
  }

  synchronized void delete(Path path) throws IOException {
    Node node = require(path);
    if (node instanceof DirectoryNode directory && !directory.entries().isEmpty()) {
      throw new DirectoryNotEmptyException(path.toString());
    }
    boolean last = begin(Operation.Kind.DELETE, path);
    parent(path).change(name(path), null, null);
    end(last);
  }

  /** Renames within a directory: the only kind that a log needs. */
  synchronized void rename(Path from, Path to) throws IOException {
    Node node = require(from);
    DirectoryNode parent = parent(from);
    if (parent != parent(to)) {
      throw new IOException("rename between directories: from=" + from + " to=" + to);
    }
    if (node instanceof DirectoryNode && find(to).isPresent()) {
      throw new FileAlreadyExistsException(to.toString());
    }
    boolean last = begin(Operation.Kind.RENAME, from);
    parent.change(name(from), name(to), node);
    end(last);
  }

  synchronized Optional<Node> find(Path path) {
    requireAlive();
    Node node = root;
    for (Path name : path.toAbsolutePath()) {
      if (!(node instanceof DirectoryNode directory)) {
        return Optional.empty();
      }
      Node next = directory.entries().get(name.toString());
      if (next == null) {
        return Optional.empty();
      }
      node = next;
    }
    return Optional.of(node);
  }

  Node require(Path path) throws NoSuchFileException {
    return find(path).orElseThrow(() -> new NoSuchFileException(path.toString()));
  }

  synchronized List<String> names(Path path) throws IOException {
    if (require(path) instanceof DirectoryNode directory) {
      return List.copyOf(directory.entries().keySet());
    }
    throw new NotDirectoryException(path.toString());
  }

  synchronized byte[] read(FileNode file, Path path, long position, int count) {
    requireAlive();
    reads.of(path, position, count);
    byte[] bytes = file.read(position, count);
    bytesRead += bytes.length;
    return bytes;
  }

  private DirectoryNode parent(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && require(parent) instanceof DirectoryNode directory) {
      return directory;
    }
    throw new NotDirectoryException(String.valueOf(parent));
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** A file or a directory. */
  sealed interface Node permits FileNode, DirectoryNode {
    /** What a loss leaves of it. One node with several names is one node afterwards. */
    Node image(Loss loss, Random random, Map<Node, Node> made);
  }
}
