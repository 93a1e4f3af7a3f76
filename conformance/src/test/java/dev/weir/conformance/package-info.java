/**
 * Nodes in processes of their own, and clients written by others against them. Not null-marked:
 * what comes out of those clients may be null at every step, and a test that meets one fails by it.
 */
package dev.weir.conformance;
