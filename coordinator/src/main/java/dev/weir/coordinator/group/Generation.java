package dev.weir.coordinator.group;

import org.jspecify.annotations.Nullable;

/**
 * One generation of a group's members.
 *
 * @param number rises with each generation; 0 before the first
 * @param protocolType the class of protocols of the group; null where it never had a member
 * @param protocol what the members follow; null while there are none
 * @param leader the member that assigns; null while there are none
 */
record Generation(
    int number, @Nullable String protocolType, @Nullable String protocol, @Nullable String leader) {
  static final Generation NONE = new Generation(0, null, null, null);

  Generation withProtocolType(String value) {
    return new Generation(number, value, protocol, leader);
  }

  Generation withLeader(@Nullable String value) {
    return new Generation(number, protocolType, protocol, value);
  }

  Generation next(@Nullable String nextProtocol, @Nullable String nextLeader) {
    return new Generation(number + 1, protocolType, nextProtocol, nextLeader);
  }
}
