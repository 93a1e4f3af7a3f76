package dev.weir.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.controller.FeatureChange.Direction;
import dev.weir.protocol.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureCommandsTest {
  private final ControllerHarness harness = ControllerHarness.withBrokers(1);

  private Outcome<String> update(String feature, int level, Direction direction) {
    return harness
        .await(
            harness.controller.updateFeatures(
                List.of(new FeatureChange(feature, (short) level, direction)), Mode.APPLY))
        .getFirst();
  }

  @Test
  void servedLevelIsFinalized() {
    assertThat(update("metadata.version", 33, Direction.UPGRADE).error()).isEqualTo(ErrorCode.NONE);
    assertThat(harness.image().featureLevels()).containsEntry("metadata.version", (short) 33);
  }

  @Test
  void levelThatIsNotServedIsRefused() {
    assertThat(update("metadata.version", 34, Direction.UPGRADE).error())
        .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
    assertThat(update("no.such.version", 1, Direction.UPGRADE).error())
        .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
    assertThat(update("kraft.version", 1, Direction.UPGRADE).error())
        .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
  }

  @Test
  void downgradeHasToBeAskedFor() {
    update("metadata.version", 33, Direction.UPGRADE);
    assertThat(update("metadata.version", 30, Direction.UPGRADE).error())
        .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
    assertThat(update("metadata.version", 30, Direction.SAFE_DOWNGRADE).error())
        .isEqualTo(ErrorCode.NONE);
    assertThat(harness.image().featureLevels()).containsEntry("metadata.version", (short) 30);
  }

  @Test
  void oneRefusedChangeRefusesAll() {
    harness.await(
        harness.controller.updateFeatures(
            List.of(
                new FeatureChange("metadata.version", (short) 33, Direction.UPGRADE),
                new FeatureChange("no.such.version", (short) 1, Direction.UPGRADE)),
            Mode.APPLY));
    assertThat(harness.image().featureLevels()).isEmpty();
  }
}
