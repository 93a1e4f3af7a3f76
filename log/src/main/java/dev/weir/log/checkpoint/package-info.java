/** Small files that are replaced as a whole: checkpoints in Apache Kafka's text formats. */
package dev.weir.log.checkpoint;
