/**
 * The commands that talk to a running node: topics, producing and consuming over the Kafka
 * protocol, indexes and searches over HTTP. They know a node only through its two faces; {@code
 * dump-log} knows none, and reads files.
 */
package dev.weir.node.cli;
