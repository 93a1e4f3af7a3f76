package dev.weir.benchmarks.codec;

import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ByteReader;
import dev.weir.protocol.ByteWriter;
import dev.weir.protocol.Message;
import dev.weir.protocol.RequestMessage;
import dev.weir.protocol.ResponseMessage;
import dev.weir.protocol.message.RequestHeader;
import dev.weir.protocol.message.ResponseHeader;
import java.nio.ByteBuffer;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.SendBuilder;

/** One message on both sides, with the way that each makes a frame of it and reads it back. */
record Subject(
    Message ours,
    short version,
    WeirReader weirReader,
    KafkaReader kafkaReader,
    org.apache.kafka.common.protocol.Message theirs) {

  interface WeirReader {
    Message read(ByteReader in, short version);
  }

  interface KafkaReader {
    org.apache.kafka.common.protocol.Message read(ByteBuffer in, short version);
  }

  private static final String CLIENT_ID = "consumer-orders-1";
  private static final int CORRELATION_ID = 4711;
  private static final int FRAME_SIZE_AT = 0;

  /** A subject whose other side is read from the bytes of ours. */
  static Subject of(Message ours, WeirReader weirReader, KafkaReader kafkaReader) {
    short version = key(ours).highestStableVersion();
    ByteWriter out = new ByteWriter();
    ours.write(out, version);
    return new Subject(
        ours, version, weirReader, kafkaReader, kafkaReader.read(out.toBuffer(), version));
  }

  void writeFrame(ByteWriter out) {
    out.writeInt32(0);
    ApiKey key = key(ours);
    if (ours instanceof RequestMessage) {
      new RequestHeader(key.id(), version, CORRELATION_ID, CLIENT_ID)
          .write(out, key.requestHeaderVersion(version));
    } else {
      new ResponseHeader(CORRELATION_ID).write(out, key.responseHeaderVersion(version));
    }
    ours.write(out, version);
    out.setInt32(FRAME_SIZE_AT, Math.toIntExact(out.sizeInBytes() - Integer.BYTES));
  }

  Send kafkaFrame() {
    ApiKeys key = ApiKeys.forId(key(ours).id());
    return ours instanceof RequestMessage
        ? SendBuilder.buildRequestSend(
            new org.apache.kafka.common.requests.RequestHeader(
                key, version, CLIENT_ID, CORRELATION_ID),
            theirs)
        : SendBuilder.buildResponseSend(
            new org.apache.kafka.common.requests.ResponseHeader(
                CORRELATION_ID, key.responseHeaderVersion(version)),
            theirs,
            version);
  }

  /** A benchmark of two codecs that don't do the same would say nothing. */
  void requireAgreement(ByteBuffer body, Socket socket) {
    ByteWriter out = new ByteWriter();
    writeFrame(out);
    long ourSize = socket.take(out);
    ByteBuffer ourFrame = ByteBuffer.allocate(socket.copied().remaining()).put(socket.copied());
    long theirSize = socket.take(kafkaFrame());
    ByteBuffer theirBody = MessageUtil.toByteBufferAccessor(theirs, version).buffer();
    if (!body.equals(theirBody)
        || ourSize != theirSize
        || !ourFrame.flip().equals(socket.copied())) {
      throw new IllegalStateException("the sides differ on " + ours.getClass().getSimpleName());
    }
  }

  private static ApiKey key(Message message) {
    return switch (message) {
      case RequestMessage request -> request.apiKey();
      case ResponseMessage response -> response.apiKey();
      default -> throw new IllegalArgumentException(message.getClass() + " has no key");
    };
  }
}
