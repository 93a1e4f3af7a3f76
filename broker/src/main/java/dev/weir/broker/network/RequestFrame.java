package dev.weir.broker.network;

import dev.weir.broker.memory.RequestMemory.Reservation;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * The body of one whole frame, with the memory that is counted for it. Owned by the event loop of
 * its connection; whoever has it last releases it, once.
 *
 * @param reservation empty for a frame that was whole in one read and is handled within that
 */
record RequestFrame(ByteBuf bytes, Optional<Reservation> reservation) {

  int sizeBytes() {
    return bytes.readableBytes();
  }

  void release() {
    bytes.release();
    reservation.ifPresent(Reservation::release);
  }
}
