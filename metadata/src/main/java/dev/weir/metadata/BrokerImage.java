package dev.weir.metadata;

import dev.weir.protocol.metadata.BrokerRegistrationChangeRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A registered broker.
 *
 * @param epoch of this registration: the offset at which it was decided
 * @param incarnationId of the process that registered
 * @param fenced whether it may not lead, nor be told to clients
 * @param cordoned directories that take no new replicas, KIP-1066
 */
public record BrokerImage(
    int id,
    long epoch,
    UUID incarnationId,
    List<Listener> listeners,
    List<SupportedFeature> features,
    Optional<String> rack,
    Fencing fenced,
    List<UUID> directories,
    List<UUID> cordoned) {

  /** An address of a broker. */
  public record Listener(String name, String host, int port, short securityProtocol) {}

  /** A feature with the levels that a broker can serve. */
  public record SupportedFeature(String name, short least, short greatest) {}

  /** Whether a broker takes part. */
  public enum Fencing {
    FENCED,
    ACTIVE,
    /** Active, but about to leave: it leads nothing new. */
    SHUTTING_DOWN
  }

  private static final byte UNFENCE = -1;
  private static final byte FENCE = 1;
  private static final byte SHUT_DOWN = 1;

  public BrokerImage {
    listeners = List.copyOf(listeners);
    features = List.copyOf(features);
    directories = List.copyOf(directories);
    cordoned = List.copyOf(cordoned);
  }

  static BrokerImage of(RegisterBrokerRecord record) {
    return new BrokerImage(
        record.brokerId(),
        record.brokerEpoch(),
        record.incarnationId(),
        record.endPoints().stream()
            .map(
                endPoint ->
                    new Listener(
                        endPoint.name(),
                        endPoint.host(),
                        endPoint.port(),
                        endPoint.securityProtocol()))
            .toList(),
        record.features().stream()
            .map(
                feature ->
                    new SupportedFeature(
                        feature.name(),
                        feature.minSupportedVersion(),
                        feature.maxSupportedVersion()))
            .toList(),
        Optional.ofNullable(record.rack()),
        record.fenced()
            ? Fencing.FENCED
            : record.inControlledShutdown() ? Fencing.SHUTTING_DOWN : Fencing.ACTIVE,
        record.logDirs(),
        orElse(record.cordonedLogDirs(), List.of()));
  }

  BrokerImage changedBy(BrokerRegistrationChangeRecord change) {
    Fencing now = fenced;
    if (change.fenced() == FENCE) {
      now = Fencing.FENCED;
    } else if (change.fenced() == UNFENCE) {
      now = Fencing.ACTIVE;
    }
    if (change.inControlledShutdown() == SHUT_DOWN && now != Fencing.FENCED) {
      now = Fencing.SHUTTING_DOWN;
    }
    return new BrokerImage(
        id,
        epoch,
        incarnationId,
        listeners,
        features,
        rack,
        now,
        change.logDirs().isEmpty() ? directories : change.logDirs(),
        orElse(change.cordonedLogDirs(), cordoned));
  }

  BrokerImage with(Fencing value) {
    return new BrokerImage(
        id, epoch, incarnationId, listeners, features, rack, value, directories, cordoned);
  }

  public boolean isActive() {
    return fenced == Fencing.ACTIVE;
  }

  public Optional<Listener> listener(String name) {
    return listeners.stream().filter(listener -> listener.name().equals(name)).findFirst();
  }

  private static List<UUID> orElse(@Nullable List<UUID> changed, List<UUID> current) {
    return changed == null ? current : changed;
  }
}
