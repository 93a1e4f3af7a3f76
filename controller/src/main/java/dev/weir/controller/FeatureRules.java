package dev.weir.controller;

import dev.weir.controller.ControllerMachine.Verdict;
import dev.weir.metadata.BrokerImage.SupportedFeature;
import dev.weir.metadata.ClusterImage;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.metadata.FeatureLevelRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Raising and lowering the finalized levels of features: all of a command's changes, or none. */
final class FeatureRules {

  Verdict update(ClusterImage image, ControllerCommand.UpdateFeatures command) {
    List<MetadataRecord> records = new ArrayList<>();
    List<Outcome<String>> answers = new ArrayList<>();
    boolean allDone = true;
    for (FeatureChange change : command.changes()) {
      Optional<String> refusal = refusal(image, change);
      if (refusal.isPresent()) {
        allDone = false;
        answers.add(
            new Outcome.Refused<>(
                change.feature(), new Refusal(ErrorCode.INVALID_UPDATE_VERSION, refusal.get())));
      } else {
        answers.add(new Outcome.Done<>(change.feature()));
        if (change.level() != level(image, change.feature())) {
          records.add(
              FeatureLevelRecord.DEFAULT
                  .withName(change.feature())
                  .withFeatureLevel(change.level()));
        }
      }
    }
    return new Verdict(allDone ? records : List.of(), new ControllerReply.FeaturesUpdated(answers));
  }

  private static Optional<String> refusal(ClusterImage image, FeatureChange change) {
    String name = change.feature();
    if (name.equals(Features.KRAFT_VERSION)) {
      return Optional.of("kraft.version is a matter of the quorum, and is set at format");
    }
    Optional<SupportedFeature> served = Features.served(name);
    if (served.isEmpty()) {
      return Optional.of("This controller does not know the feature " + name);
    }
    short level = change.level();
    boolean isOff = level == 0 && !name.equals(Features.METADATA_VERSION);
    if (!isOff && (level < served.get().least() || level > served.get().greatest())) {
      return Optional.of(
          "Level "
              + level
              + " of "
              + name
              + " is not served: expected "
              + served.get().least()
              + " to "
              + served.get().greatest());
    }
    if (level < level(image, name) && change.direction() == FeatureChange.Direction.UPGRADE) {
      return Optional.of(
          "Level "
              + level
              + " of "
              + name
              + " is lower than the present "
              + level(image, name)
              + ", and a downgrade was not asked for");
    }
    return Optional.empty();
  }

  private static short level(ClusterImage image, String name) {
    return image.featureLevels().getOrDefault(name, (short) 0);
  }
}
