/** What consumers cost a server while nothing happens. */
@org.jspecify.annotations.NullMarked
package dev.weir.benchmarks.fetch;
