package dev.weir.log.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A file: its page cache, what is on the disk, and each page as it was after each change since the
 * last sync. The disk gets whole pages of the cache, at any time and in any order; a cut may tear
 * one between two sectors.
 */
final class FileNode implements FaultDisk.Node {
  /** An eighth of the real sizes, so that small files have many. */
  private static final int PAGE_BYTES = 512;

  private static final int SECTOR_BYTES = 64;

  private byte[] cache = new byte[0];
  private int size;
  private byte[] synced = new byte[0];
  private final Map<Integer, List<byte[]>> versionsByPage = new TreeMap<>();
  private final List<Integer> sizes = new ArrayList<>();
  private boolean lost;

  int size() {
    return size;
  }

  byte[] read(long position, int count) {
    int from = (int) Math.min(position, size);
    return Arrays.copyOfRange(cache, from, Math.min(size, from + count));
  }

  void write(int position, byte[] bytes, int count) {
    int end = position + count;
    if (end > cache.length) {
      cache = Arrays.copyOf(cache, Math.max(end, 2 * cache.length));
    }
    System.arraycopy(bytes, 0, cache, position, count);
    size = Math.max(size, end);
    noteChange(position, end);
  }

  void truncate(int newSize) {
    int before = size;
    Arrays.fill(cache, newSize, before, (byte) 0);
    size = newSize;
    noteChange(newSize, before);
  }

  private void noteChange(int from, int until) {
    for (int page = from / PAGE_BYTES; page * PAGE_BYTES < until; page++) {
      versionsByPage.computeIfAbsent(page, _ -> new ArrayList<>()).add(page(cache, page));
    }
    sizes.add(size);
  }

  private static byte[] page(byte[] from, int page) {
    int start = Math.min(from.length, page * PAGE_BYTES);
    int end = Math.min(from.length, start + PAGE_BYTES);
    return Arrays.copyOf(Arrays.copyOfRange(from, start, end), PAGE_BYTES);
  }

  void force() {
    if (!lost) {
      synced = Arrays.copyOf(cache, size);
      versionsByPage.clear();
      sizes.clear();
    }
  }

  /** A sync has failed: the pages count as clean from now on, and no later sync writes them. */
  void lose() {
    lost = true;
  }

  @Override
  public FileNode image(Loss loss, Random random, Map<FaultDisk.Node, FaultDisk.Node> made) {
    FaultDisk.Node known = made.get(this);
    if (known != null) {
      return (FileNode) known;
    }
    byte[] left =
        switch (loss) {
          case NOTHING -> Arrays.copyOf(cache, size);
          case ALL, CONTENTS -> synced.clone();
          case LATER_NAMES, ANY -> someOf(random);
        };
    FileNode image = new FileNode();
    image.cache = left;
    image.size = left.length;
    image.synced = left.clone();
    made.put(this, image);
    return image;
  }

  private byte[] someOf(Random random) {
    int leftSize = someSize(random);
    byte[] left = Arrays.copyOf(synced, leftSize);
    int mood = random.nextInt(3); // most pages, few, or any
    for (Map.Entry<Integer, List<byte[]>> page : versionsByPage.entrySet()) {
      int start = page.getKey() * PAGE_BYTES;
      int length = Math.min(PAGE_BYTES, leftSize - start);
      if (length > 0) {
        byte[] chosen = someVersion(page.getKey(), page.getValue(), mood, random);
        if (random.nextInt(4) == 0) {
          byte[] other = someVersion(page.getKey(), page.getValue(), mood, random);
          int torn = SECTOR_BYTES * random.nextInt(PAGE_BYTES / SECTOR_BYTES);
          chosen = chosen.clone();
          System.arraycopy(other, torn, chosen, torn, PAGE_BYTES - torn);
        }
        System.arraycopy(chosen, 0, left, start, length);
      }
    }
    return left;
  }

  private byte[] someVersion(int page, List<byte[]> versions, int mood, Random random) {
    boolean extreme = random.nextInt(5) != 0;
    if (mood == 0 && extreme) {
      return versions.getLast();
    }
    int chosen = mood == 1 && extreme ? -1 : random.nextInt(versions.size() + 1) - 1;
    return chosen < 0 ? page(synced, page) : versions.get(chosen);
  }

  /** After some of the changes of the size; one may be done in part. */
  private int someSize(Random random) {
    if (sizes.isEmpty() || random.nextInt(4) == 0) {
      return size;
    }
    int done = random.nextInt(sizes.size() + 1);
    int before = done == 0 ? synced.length : sizes.get(done - 1);
    if (done == sizes.size() || random.nextBoolean()) {
      return before;
    }
    int after = sizes.get(done);
    return Math.min(before, after) + random.nextInt(Math.abs(after - before) + 1);
  }
}
