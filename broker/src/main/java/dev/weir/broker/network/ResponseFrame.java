package dev.weir.broker.network;

import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.Records;
import dev.weir.protocol.ResponseMessage;
import dev.weir.protocol.message.ResponseHeader;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns an answer into what is written to the socket: int32 length, response header, body. Records
 * that lie in a log segment become file regions between the buffers, and are never read here.
 */
final class ResponseFrame {
  private static final int LENGTH_BYTES = 4;

  private ResponseFrame() {}

  /** Buffers and file regions in the order in which they are sent; at least one. */
  static List<Object> encode(RequestHead head, ResponseMessage response) {
    ByteWriter out = new ByteWriter();
    out.writeInt32(0); // the length, known at the end
    ResponseHeader.DEFAULT
        .withCorrelationId(head.correlationId())
        .write(out, head.apiKey().responseHeaderVersion(head.apiVersion()));
    response.write(out, head.apiVersion());
    out.setInt32(0, Math.toIntExact(out.sizeInBytes() - LENGTH_BYTES));
    List<Object> parts = new ArrayList<>();
    try {
      for (ByteWriter.Part part : out.parts()) {
        parts.add(
            switch (part) {
              case ByteWriter.Part.Buffer(ByteBuffer bytes) -> Unpooled.wrappedBuffer(bytes);
              case ByteWriter.Part.Elsewhere(SegmentRecords records) -> records.toRegion();
              case ByteWriter.Part.Elsewhere(Records records) ->
                  throw new IllegalStateException("records of " + records + " cannot be sent");
            });
      }
    } catch (RuntimeException e) {
      parts.forEach(ReferenceCountUtil::release); // the regions hold their segments open
      throw e;
    }
    return parts;
  }
}
