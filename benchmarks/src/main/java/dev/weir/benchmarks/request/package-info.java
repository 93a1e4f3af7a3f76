/** What a request costs a server beside the work that it asks for. */
@org.jspecify.annotations.NullMarked
package dev.weir.benchmarks.request;
