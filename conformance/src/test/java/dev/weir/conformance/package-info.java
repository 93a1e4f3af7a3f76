/** Clients that others wrote, and raw bytes, against nodes in processes of their own. */
@org.jspecify.annotations.NullMarked
package dev.weir.conformance;
