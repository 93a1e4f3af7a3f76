/** Connections, request handlers, partitions and waiting requests. */
package dev.weir.broker;
