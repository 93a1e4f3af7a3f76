/** The log engine beside Apache Kafka's own, over the same batches, each in a folder of its own. */
@NullMarked
package dev.weir.benchmarks.log;

import org.jspecify.annotations.NullMarked;
