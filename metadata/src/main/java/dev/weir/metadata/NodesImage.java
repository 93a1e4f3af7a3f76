package dev.weir.metadata;

import dev.weir.metadata.BrokerImage.Fencing;
import dev.weir.protocol.metadata.BrokerRegistrationChangeRecord;
import dev.weir.protocol.metadata.FenceBrokerRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.RegisterBrokerRecord;
import dev.weir.protocol.metadata.RegisterControllerRecord;
import dev.weir.protocol.metadata.UnfenceBrokerRecord;
import dev.weir.protocol.metadata.UnregisterBrokerRecord;
import dev.weir.protocol.metadata.UnregisterControllerRecord;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.pcollections.IntTreePMap;

/** The registered brokers and controllers. */
public final class NodesImage {
  static final NodesImage EMPTY = new NodesImage(IntTreePMap.empty(), IntTreePMap.empty());

  private final IntTreePMap<BrokerImage> brokerById;
  private final IntTreePMap<RegisterControllerRecord> controllerById;

  private NodesImage(
      IntTreePMap<BrokerImage> brokerById, IntTreePMap<RegisterControllerRecord> controllerById) {
    this.brokerById = brokerById;
    this.controllerById = controllerById;
  }

  /** The image after a record; the same where the record is about something else. */
  NodesImage apply(MetadataRecord record) {
    return switch (record) {
      case RegisterBrokerRecord broker ->
          with(brokerById.plus(broker.brokerId(), BrokerImage.of(broker)));
      case UnregisterBrokerRecord broker -> with(brokerById.minus(broker.brokerId()));
      case FenceBrokerRecord broker -> change(broker.id(), b -> b.with(Fencing.FENCED));
      case UnfenceBrokerRecord broker -> change(broker.id(), b -> b.with(Fencing.ACTIVE));
      case BrokerRegistrationChangeRecord change ->
          change(change.brokerId(), broker -> broker.changedBy(change));
      case RegisterControllerRecord controller ->
          new NodesImage(brokerById, controllerById.plus(controller.controllerId(), controller));
      case UnregisterControllerRecord controller ->
          new NodesImage(brokerById, controllerById.minus(controller.controllerId()));
      default -> this;
    };
  }

  private NodesImage change(int id, UnaryOperator<BrokerImage> change) {
    BrokerImage broker = brokerById.get(id);
    return broker == null ? this : with(brokerById.plus(id, change.apply(broker)));
  }

  private NodesImage with(IntTreePMap<BrokerImage> brokers) {
    return new NodesImage(brokers, controllerById);
  }

  public Optional<BrokerImage> broker(int id) {
    return Optional.ofNullable(brokerById.get(id));
  }

  /** In ascending order of their ids, fenced ones included. Unmodifiable. */
  public Collection<BrokerImage> brokers() {
    return brokerById.values();
  }

  /** Unmodifiable. */
  public Map<Integer, RegisterControllerRecord> controllerById() {
    return controllerById;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodesImage that
        && brokerById.equals(that.brokerById)
        && controllerById.equals(that.controllerById);
  }

  @Override
  public int hashCode() {
    return Objects.hash(brokerById, controllerById);
  }

  @Override
  public String toString() {
    return "NodesImage[brokers="
        + brokerById.values()
        + ", controllers="
        + controllerById.keySet()
        + "]";
  }
}
