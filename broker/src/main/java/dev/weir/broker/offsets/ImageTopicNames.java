package dev.weir.broker.offsets;

import dev.weir.coordinator.TopicNames;
import dev.weir.metadata.ClusterImage;
import dev.weir.metadata.TopicImage;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** The topics by the newest metadata. Thread-safe. */
public record ImageTopicNames(Supplier<ClusterImage> image) implements TopicNames {
  @Override
  public Optional<UUID> idOf(String name) {
    return image.get().topics().topic(name).map(TopicImage::id);
  }

  @Override
  public Optional<String> nameOf(UUID id) {
    return image.get().topics().topic(id).map(TopicImage::name);
  }
}
