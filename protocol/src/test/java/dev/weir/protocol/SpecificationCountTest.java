package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A specification that comes or goes with a new release must be noticed. */
class SpecificationCountTest {
  private static final int REQUESTS = 91;

  @Test
  void everySpecificationIsCounted() {
    Map<String, Long> counts =
        Specification.all().stream()
            .collect(Collectors.groupingBy(Specification::packageName, Collectors.counting()));
    assertThat(counts)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "message", 203L,
                "metadata", 27L,
                "coordinator.group", 44L,
                "coordinator.transaction", 2L,
                "coordinator.share", 4L,
                "raft", 1L,
                "storage", 5L));
  }

  @Test
  void onlyTheFourRemovedApisHaveNoRecord() {
    assertThat(Specification.all())
        .filteredOn(specification -> !specification.isLiving())
        .extracting(Specification::name)
        .containsExactlyInAnyOrder(
            "ControlledShutdownRequest",
            "ControlledShutdownResponse",
            "LeaderAndIsrRequest",
            "LeaderAndIsrResponse",
            "StopReplicaRequest",
            "StopReplicaResponse",
            "UpdateMetadataRequest",
            "UpdateMetadataResponse");
    assertThat(ApiKey.values()).hasSize(REQUESTS);
  }

  @Test
  void everyRecordHasTheVersionsOfItsSpecification() throws ReflectiveOperationException {
    for (Specification specification : Specification.living()) {
      assertThat(specification.ours().getField("LOWEST_VERSION").getShort(null))
          .as(specification.name())
          .isEqualTo(specification.versions().lowest());
      assertThat(specification.ours().getField("HIGHEST_VERSION").getShort(null))
          .as(specification.name())
          .isEqualTo(specification.versions().highest());
    }
  }
}
