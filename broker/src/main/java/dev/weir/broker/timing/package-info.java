/**
 * Time-outs of waiting requests: one timing wheel an event loop, driven by one scheduled wake-up.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.broker.timing;
