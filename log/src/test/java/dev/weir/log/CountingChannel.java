package dev.weir.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/** A file that is read by position only, with the sizes of all reads in order. */
final class CountingChannel extends FileChannel {
  private final FileChannel file;
  private final List<Integer> reads = new ArrayList<>();

  CountingChannel(FileChannel file) {
    this.file = file;
  }

  /** Bytes that each read gave. */
  List<Integer> reads() {
    return List.copyOf(reads);
  }

  @Override
  public int read(ByteBuffer target, long at) throws IOException {
    int count = file.read(target, at);
    reads.add(count);
    return count;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }

  private static UnsupportedOperationException unexpected() {
    return new UnsupportedOperationException("a scan reads by position");
  }

  @Override
  public int read(ByteBuffer target) {
    throw unexpected();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw unexpected();
  }

  @Override
  public int write(ByteBuffer source) {
    throw unexpected();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw unexpected();
  }

  @Override
  public int write(ByteBuffer source, long at) {
    throw unexpected();
  }

  @Override
  public long position() {
    throw unexpected();
  }

  @Override
  public FileChannel position(long newPosition) {
    throw unexpected();
  }

  @Override
  public FileChannel truncate(long size) {
    throw unexpected();
  }

  @Override
  public void force(boolean metaData) {
    throw unexpected();
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel target) {
    throw unexpected();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) {
    throw unexpected();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long at, long size) {
    throw unexpected();
  }

  @Override
  public FileLock lock(long at, long size, boolean shared) {
    throw unexpected();
  }

  @Override
  public FileLock tryLock(long at, long size, boolean shared) {
    throw unexpected();
  }
}
