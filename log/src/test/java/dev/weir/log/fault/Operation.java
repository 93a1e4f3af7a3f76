package dev.weir.log.fault;

/**
 * What is asked of a disk.
 *
 * @param kind what is done
 * @param path the file or directory; of a rename the old name
 */
public record Operation(Kind kind, String path) {
  /** Operations that are counted, since they change what is on the disk or may be. */
  public enum Kind {
    WRITE,
    FORCE,
    TRUNCATE,
    CREATE,
    RENAME,
    DELETE,
    SYNC_DIRECTORY
  }
}
