package dev.weir.conformance;

import java.util.List;
import org.junit.jupiter.api.TestInfo;

/** confluent_kafka, the Python client over librdkafka, as Debian has it. */
final class ConfluentPythonTest extends ForeignGroupContract {
  /** Debian's own, which sees Debian's packages whatever else is on the path. */
  private static final String PYTHON = "/usr/bin/python3";

  ConfluentPythonTest(NodeProcess node, TestInfo test) {
    super("confluent_kafka", node, test);
  }

  @Override
  List<String> producing(String bootstrap, String topic) {
    return List.of(PYTHON, script(), "produce", bootstrap, topic);
  }

  @Override
  List<String> consuming(String bootstrap, String topic, String group) {
    return List.of(PYTHON, script(), "consume", bootstrap, topic, group);
  }

  private static String script() {
    return ForeignProcess.script("confluent_client.py");
  }
}
