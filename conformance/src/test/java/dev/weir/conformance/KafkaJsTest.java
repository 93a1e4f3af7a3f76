package dev.weir.conformance;

import java.util.List;
import org.junit.jupiter.api.TestInfo;

/** kafkajs, the client in plain JavaScript. */
final class KafkaJsTest extends ForeignGroupContract {
  KafkaJsTest(NodeProcess node, TestInfo test) {
    super("kafkajs", node, test);
  }

  @Override
  List<String> producing(String bootstrap, String topic) {
    return List.of("node", script(), "produce", bootstrap, topic);
  }

  @Override
  List<String> consuming(String bootstrap, String topic, String group) {
    return List.of("node", script(), "consume", bootstrap, topic, group);
  }

  private static String script() {
    return ForeignProcess.script("kafkajs-client.mjs");
  }
}
