package dev.weir.node;

import dev.weir.machine.Decision;
import dev.weir.machine.StateMachine;
import dev.weir.machine.Timer;
import dev.weir.search.catalog.Catalog;
import dev.weir.search.catalog.CatalogCommand;
import dev.weir.search.catalog.CatalogDecision;
import dev.weir.search.catalog.CatalogRecord;
import dev.weir.search.catalog.CatalogReply;
import dev.weir.search.catalog.CatalogRules;
import java.util.List;

/** The search engine's catalog as a replicated state machine; the rules are the engine's own. */
final class CatalogMachine
    implements StateMachine<Catalog, CatalogCommand, CatalogRecord, CatalogReply> {
  @Override
  public Catalog empty() {
    return Catalog.EMPTY;
  }

  @Override
  public Decision<CatalogRecord, CatalogCommand, CatalogReply> decide(
      Catalog state, CatalogCommand command, long replyTo) {
    CatalogDecision decision = CatalogRules.decide(state, command);
    return Decision.write(decision.records(), replyTo, decision.reply());
  }

  @Override
  public Catalog apply(Catalog state, CatalogRecord change) {
    return state.apply(change);
  }

  @Override
  public List<Timer<CatalogCommand>> timersAfterReplay(Catalog state, long nowMs) {
    return List.of();
  }
}
