package dev.weir.machine;

/**
 * The bounds of one machine.
 *
 * @param name of the machine, in log lines and messages
 * @param mailboxMax commands that may wait before further ones are refused
 * @param slowEventMs an event that takes at least this long is logged
 */
public record MachineSettings(String name, int mailboxMax, long slowEventMs) {
  /** Enough for a burst of every client of a large node, small enough to hold in memory. */
  public static final int MAILBOX_MAX = 10_000;

  /** A machine answers in microseconds: this is three orders of magnitude slower. */
  public static final long SLOW_EVENT_MS = 100;

  public MachineSettings {
    if (mailboxMax < 1) {
      throw new IllegalArgumentException("mailboxMax is " + mailboxMax + ", expected at least 1");
    }
  }

  public static MachineSettings named(String name) {
    return new MachineSettings(name, MAILBOX_MAX, SLOW_EVENT_MS);
  }
}
