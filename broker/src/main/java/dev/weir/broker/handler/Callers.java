package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.coordinator.Caller;

/** Tells the coordinators where a request comes from. */
final class Callers {
  private Callers() {}

  static Caller of(Exchange exchange) {
    return new Caller(
        exchange.apiVersion(),
        exchange.clientId(),
        "/" + exchange.clientAddress().getAddress().getHostAddress());
  }
}
