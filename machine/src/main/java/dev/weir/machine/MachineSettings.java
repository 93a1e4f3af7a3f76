package dev.weir.machine;

import java.util.Optional;

/**
 * The bounds of one machine.
 *
 * @param name of the machine, in log lines and messages
 * @param mailboxMax commands that may wait before further ones are refused
 * @param slowEventMs an event that takes at least this long is logged
 * @param reload when a machine that had to resign loads its log again by itself; empty: its owner
 *     does, or nobody
 */
public record MachineSettings(
    String name, int mailboxMax, long slowEventMs, Optional<Backoff> reload) {
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
    return new MachineSettings(name, MAILBOX_MAX, SLOW_EVENT_MS, Optional.empty());
  }

  /** The same, for a machine that loads again by itself. */
  public MachineSettings reloading(Backoff backoff) {
    return new MachineSettings(name, mailboxMax, slowEventMs, Optional.of(backoff));
  }
}
