/** Wiring, configuration, lifecycle and command line. */
package dev.weir.node;
