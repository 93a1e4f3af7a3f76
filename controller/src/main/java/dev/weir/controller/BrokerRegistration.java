package dev.weir.controller;

import dev.weir.metadata.BrokerImage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a broker says of itself when it starts.
 *
 * @param incarnationId new with every start of the process
 * @param directories ids of the data directories that it can use
 * @param lastStop what the data directories say of the process before
 */
public record BrokerRegistration(
    int brokerId,
    UUID incarnationId,
    List<BrokerImage.Listener> listeners,
    List<BrokerImage.SupportedFeature> features,
    Optional<String> rack,
    List<UUID> directories,
    LastStop lastStop) {

  /** How the process before this one ended. */
  public enum LastStop {
    /** All that it had appended is on the disk: leaders go on in their epochs. */
    CLEAN,
    /** Or there was none, or it is not known. */
    UNCLEAN
  }

  public BrokerRegistration {
    listeners = List.copyOf(listeners);
    features = List.copyOf(features);
    directories = List.copyOf(directories);
  }
}
