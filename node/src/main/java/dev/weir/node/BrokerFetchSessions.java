package dev.weir.node;

import dev.weir.broker.BrokerServer;
import dev.weir.broker.FetchSessionFigures;
import dev.weir.rest.FetchSessionCounts;
import java.util.function.Supplier;

/** Fetch sessions of this node's consumers, for the HTTP face. Safe for any thread. */
final class BrokerFetchSessions implements Supplier<FetchSessionCounts> {
  private final BrokerServer broker;

  BrokerFetchSessions(BrokerServer broker) {
    this.broker = broker;
  }

  @Override
  public FetchSessionCounts get() {
    FetchSessionFigures figures = broker.fetchSessions();
    return new FetchSessionCounts(
        figures.sessions(),
        figures.partitions(),
        figures.bytes(),
        figures.bytesMax(),
        figures.begun(),
        figures.incremental(),
        figures.looks(),
        figures.evicted(),
        figures.refused());
  }
}
