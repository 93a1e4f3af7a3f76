/**
 * Surroundings of a machine under a test's or a simulator's hand: nothing happens until it is told
 * to. Not for production use.
 */
package dev.weir.machine.simulated;
