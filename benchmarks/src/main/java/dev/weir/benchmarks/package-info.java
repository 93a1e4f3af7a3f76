/** What the benchmarks of all modules share. */
@org.jspecify.annotations.NullMarked
package dev.weir.benchmarks;
