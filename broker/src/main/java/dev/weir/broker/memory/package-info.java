/** What the broker asks of the memory that all faces of a node share for requests. */
@org.jspecify.annotations.NullMarked
package dev.weir.broker.memory;
