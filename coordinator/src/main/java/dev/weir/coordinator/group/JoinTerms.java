package dev.weir.coordinator.group;

import java.util.List;

/**
 * What a member offers and asks for when it joins.
 *
 * @param sessionTimeoutMs without a sign of life for so long the member is dead
 * @param rebalanceTimeoutMs how long a rebalance waits for the member to rejoin
 * @param protocolType the class of protocols, {@code consumer} or {@code connect}; one for a group
 * @param protocols in the member's order of preference
 */
record JoinTerms(
    int sessionTimeoutMs,
    int rebalanceTimeoutMs,
    String protocolType,
    List<MemberProtocol> protocols) {

  JoinTerms {
    protocols = List.copyOf(protocols);
  }
}
