package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code @opensearch-project/opensearch}, OpenSearch's own client for Node.js. */
@ExtendWith(SharedNode.class)
final class OpenSearchNodeJsTest {
  @Test
  void tourHoldsWhatTheClientsUsersRelyOn(NodeProcess node) {
    ForeignProcess.assumeWanted("@opensearch-project/opensearch");
    assertThat(
            ForeignProcess.run(
                List.of(),
                "node",
                ForeignProcess.script("opensearch-client.mjs"),
                node.http(),
                "node-js"))
        .containsExactly("info", "indexLife", "bulk", "documents", "searches", "hybrid", "end");
  }
}
