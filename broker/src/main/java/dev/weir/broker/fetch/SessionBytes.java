package dev.weir.broker.fetch;

import dev.weir.protocol.message.FetchRequest;
import dev.weir.protocol.message.FetchRequest.FetchTopic;

/**
 * What sessions are held to cost. The constants are what was measured on the heap (64 bits, below
 * 32 GB) and something for alignment and fuller maps; {@code SessionBytesTest} measures again, and
 * fails where one is too small.
 */
final class SessionBytes {
  /** The session, its maps, and its places with its connection and its loop. Measured: 560. */
  static final int OF_SESSION = 640;

  /**
   * A partition: its object, its link with the log's partition, its key and place in the map.
   * Measured: 172.
   */
  static final int OF_PARTITION = 200;

  /** A topic: its object, its id, its key and place in the map. Measured: 152. */
  static final int OF_TOPIC = 160;

  private static final int OF_STRING = 56;
  private static final int OF_CHARACTER = 2;

  private SessionBytes() {}

  static long of(long topics, long partitions, long nameBytes) {
    return OF_SESSION + topics * OF_TOPIC + partitions * OF_PARTITION + nameBytes;
  }

  /** The most that a session of these partitions costs; less where some are named twice. */
  static long of(FetchRequest request) {
    long partitions = 0;
    long nameBytes = 0;
    for (FetchTopic topic : request.topics()) {
      partitions += topic.partitions().size();
      nameBytes += ofName(topic.topic());
    }
    return of(request.topics().size(), partitions, nameBytes);
  }

  /** A topic is named by a string of its own, or by its id alone. */
  static int ofName(String name) {
    return name.isEmpty() ? 0 : OF_STRING + OF_CHARACTER * name.length();
  }
}
