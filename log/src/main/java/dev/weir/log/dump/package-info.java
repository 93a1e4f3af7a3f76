/**
 * What the files of a log hold, for people to look at, and whether it is sound. Reads files of ours
 * and of Apache Kafka, those of a running node too: opens nothing for writing, takes no lock, and
 * prints nothing.
 */
package dev.weir.log.dump;
