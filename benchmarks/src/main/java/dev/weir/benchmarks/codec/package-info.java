/** Writes and reads messages of the protocol, with our records and with the client library's. */
@org.jspecify.annotations.NullMarked
package dev.weir.benchmarks.codec;
