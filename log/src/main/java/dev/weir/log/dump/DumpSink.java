package dev.weir.log.dump;

/** Takes what reading a file brings, in the order of the file. One thread. */
public interface DumpSink {
  /** Takes an item, before the next is read. */
  void item(DumpItem item);

  /** Takes a finding. */
  void finding(Finding finding);

  /** Hears how far the file has been read, after each batch or so. */
  void progress(long positionBytes);
}
