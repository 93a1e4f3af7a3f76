/** How many of the nearest vectors a filtered search finds, and at what cost, by selectivity. */
@NullMarked
package dev.weir.benchmarks.recall;

import org.jspecify.annotations.NullMarked;
