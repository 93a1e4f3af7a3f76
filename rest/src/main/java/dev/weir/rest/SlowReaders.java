package dev.weir.rest;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections whose clients do not take the answers that they asked for: what these hold in
 * memory, others lack. One a connection, with one timer however many answers it has; all methods
 * run on its event loop.
 */
final class SlowReaders {
  /** A client that takes nothing for so long is gone, or will not come back to this answer. */
  private static final long STALL_S_MAX = 30;

  private static final Logger LOG = LoggerFactory.getLogger(SlowReaders.class);

  private boolean watches;

  /** What is still to be written, and how much of the first part of it the client has taken. */
  private record Progress(long pendingBytes, long takenBytes) {
    static Progress of(Channel channel) {
      ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
      return out == null // it is closed
          ? new Progress(0, 0)
          : new Progress(out.totalPendingWriteBytes(), out.currentProgress());
    }
  }

  /** Looks after what is to be written to the connection, until all of it is. */
  void watch(ChannelHandlerContext context) {
    if (!watches) {
      watches = true;
      lookAfter(context, Progress.of(context.channel()));
    }
  }

  private void lookAfter(ChannelHandlerContext context, Progress before) {
    var _ = context.executor().schedule(() -> look(context, before), STALL_S_MAX, TimeUnit.SECONDS);
  }

  private void look(ChannelHandlerContext context, Progress before) {
    Progress now = Progress.of(context.channel());
    if (now.pendingBytes == 0) {
      watches = false;
      return;
    }
    if (!now.equals(before)) {
      lookAfter(context, now);
      return;
    }
    LOG.debug(
        "connection closed, its client takes no more of an answer remote={} pendingBytes={}",
        context.channel().remoteAddress(),
        now.pendingBytes);
    var _ = context.close();
  }
}
