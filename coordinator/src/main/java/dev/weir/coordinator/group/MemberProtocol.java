package dev.weir.coordinator.group;

/**
 * A protocol (of consumers: an assignor) that a member can follow.
 *
 * @param metadata what the group's leader gets to see of the member if this protocol is chosen
 */
record MemberProtocol(String name, Blob metadata) {}
