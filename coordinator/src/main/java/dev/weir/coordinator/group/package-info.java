/**
 * Consumer groups of the classic protocol, and committed offsets: {@link
 * dev.weir.coordinator.group.GroupMachine} holds the rules as pure functions, {@link
 * dev.weir.coordinator.group.GroupCoordinator} runs one machine for each partition of the offsets
 * topic and speaks the protocol's messages.
 *
 * <p>The machine knows neither the protocol's versions nor any log, clock or thread.
 */
package dev.weir.coordinator.group;
