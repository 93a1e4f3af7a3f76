package dev.weir.rest;

import dev.weir.rest.RequestMemory.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What one body has of the memory that all share: one reservation where its length was told, else
 * several. Owned by the event loop of its connection; whoever has it last releases it.
 */
final class BodyMemory {
  private final RequestMemory memory;
  private final Executor loop;
  private final Runnable onGranted;
  private final List<Reservation> reservations = new ArrayList<>(1);
  private int reservedBytes; // of all reservations; the last one may not be granted yet

  /**
   * @param onGranted run on the loop when what had to wait is granted, or was released meanwhile
   */
  BodyMemory(RequestMemory memory, Executor loop, Runnable onGranted) {
    this.memory = memory;
    this.loop = loop;
    this.onGranted = onGranted;
  }

  /** Asks for this much beyond what there is. Everything before must have been granted. */
  void ask(int moreBytes) {
    assert isGranted() : this;
    reservations.add(
        reservations.isEmpty()
            ? memory.reserve(moreBytes, loop, onGranted)
            : memory.reserveMore(moreBytes, loop, onGranted));
    reservedBytes += moreBytes;
  }

  boolean isGranted() {
    return reservations.isEmpty() || reservations.getLast().isGranted();
  }

  /** Whether it waits for more than its first piece, and so keeps from others what it has. */
  boolean isGrowing() {
    return reservations.size() > 1 && !isGranted();
  }

  int reservedBytes() {
    return reservedBytes;
  }

  void release() {
    reservations.forEach(Reservation::release);
    reservations.clear();
    reservedBytes = 0;
  }

  @Override
  public String toString() {
    return "BodyMemory(reservedBytes=" + reservedBytes + ", granted=" + isGranted() + ")";
  }
}
